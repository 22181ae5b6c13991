// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that what menud is measured with never burdens menud. CEL, CRE2 and
// JSONText are links to menud's sources.
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .target(name: "JSONText"),
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
    .target(
      name: "CEL", dependencies: ["JSONText", "CRE2"], linkerSettings: [.linkedLibrary("m")]),
    .executableTarget(name: "constant-server", dependencies: ["CMicroHTTPD"]),
    .executableTarget(
      name: "compare",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
    .executableTarget(name: "bounds", dependencies: ["CEL", "JSONText"]),
  ],
  cxxLanguageStandard: .cxx17
)

for target in package.targets
where ["JSONText", "CEL", "compare", "bounds"].contains(target.name) {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
