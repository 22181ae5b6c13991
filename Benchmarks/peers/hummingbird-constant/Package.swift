// swift-tools-version: 6.2

import PackageDescription

// A package of its own: where its dependencies cannot be had, only this peer is missing.
let package = Package(
  name: "hummingbird-constant",
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1")
  ],
  targets: [
    .executableTarget(
      name: "hummingbird-constant",
      dependencies: [.product(name: "Hummingbird", package: "hummingbird")],
      path: "Sources/constant")
  ]
)
