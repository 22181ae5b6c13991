// swift-tools-version: 6.2

import PackageDescription

// A program that embeds the engine, without a server. It sees what is public and nothing else.
let package = Package(
  name: "embedded",
  dependencies: [.package(name: "menud", path: "../..")],
  targets: [
    .executableTarget(
      name: "embedded", dependencies: [.product(name: "MenuEngine", package: "menud")])
  ]
)
