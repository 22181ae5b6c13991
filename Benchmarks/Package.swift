// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that what menud is measured with never burdens menud.
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .executableTarget(name: "constant-server", dependencies: ["CMicroHTTPD"]),
    .executableTarget(
      name: "compare",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
  ]
)

for target in package.targets where target.name == "compare" {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
