// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "menud",
  targets: [
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .target(name: "MicroHTTP", dependencies: ["CMicroHTTPD"]),
    .testTarget(name: "MicroHTTPTests", dependencies: ["MicroHTTP"]),
    .target(name: "JSONText"),
    .target(name: "CEL", dependencies: ["JSONText"]),
    .target(name: "MenuEngine", dependencies: ["JSONText", "CEL"]),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText"]),
    .testTarget(name: "CELTests", dependencies: ["CEL", "JSONText"]),
  ]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
