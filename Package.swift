// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "menud",
  products: [
    .executable(name: "menud", targets: ["menud"]),
    .library(name: "MenuEngine", targets: ["MenuEngine", "JSONText"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .target(name: "Locks"),
    .target(name: "MicroHTTP", dependencies: ["CMicroHTTPD", "Locks"]),
    .target(name: "JSONText"),
    // Not through pkg-config, whose -pthread the package manager warns of in every build.
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
    .target(name: "Patterns", dependencies: ["CRE2"]),
    .target(
      name: "JSONSchema", dependencies: ["JSONText", "Patterns"],
      linkerSettings: [.linkedLibrary("m")]),
    .target(name: "Languages"),
    .target(
      name: "CEL", dependencies: ["JSONText", "Patterns", "Locks", "Languages"],
      linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "MenuEngine", dependencies: ["JSONText", "CEL", "JSONSchema", "Languages", "Locks"]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    // Its headers only: the library is loaded when a journal is in PostgreSQL.
    .target(name: "CPostgreSQL"),
    .target(
      name: "MenuStore",
      dependencies: ["MenuEngine", "JSONText", "CSQLite", "CPostgreSQL", "Locks"]),
    .target(name: "CEmbeddedFiles", exclude: ["OpenAPI", "Console", "Client"]),
    .target(
      name: "MenuAPI",
      dependencies: [
        "MicroHTTP", "JSONText", "CEL", "JSONSchema", "MenuEngine", "MenuStore", "Locks",
        "CEmbeddedFiles", "Languages",
      ]),
    .executableTarget(
      name: "menud",
      dependencies: [
        "MicroHTTP", "JSONText", "CEL", "MenuEngine", "MenuStore", "MenuAPI", "Languages",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "StoreSupport", dependencies: ["MenuStore", "MenuEngine", "Locks"],
      path: "Tests/StoreSupport"),
    .target(name: "Randomness", path: "Tests/Randomness"),
    .target(
      name: "RandomSessions",
      dependencies: ["MenuEngine", "JSONText", "Languages", "Randomness"],
      path: "Tests/RandomSessions"),
    .target(name: "ProcessorTime", path: "Tests/ProcessorTime"),
    .target(name: "CSimulatedDisk", dependencies: ["CSQLite"], path: "Tests/CSimulatedDisk"),
    .testTarget(name: "MicroHTTPTests", dependencies: ["MicroHTTP", "Locks", "Randomness"]),
    .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "Randomness"]),
    .testTarget(name: "LanguagesTests", dependencies: ["Languages"], exclude: ["Fixtures"]),
    .testTarget(
      name: "CELTests", dependencies: ["CEL", "JSONText", "Randomness", "ProcessorTime"]),
    .testTarget(
      name: "JSONSchemaTests", dependencies: ["JSONSchema", "JSONText"], exclude: ["Fixtures"]),
    .testTarget(
      name: "MenuEngineTests",
      dependencies: [
        "MenuEngine", "JSONText", "CEL", "JSONSchema", "Locks", "Randomness", "RandomSessions",
        "ProcessorTime", "Languages",
      ],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "MenuStoreTests",
      dependencies: [
        "MenuStore", "MenuEngine", "JSONText", "Locks", "Randomness", "StoreSupport",
        "CSimulatedDisk",
      ],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "MenuAPITests",
      dependencies: [
        "MenuAPI", "MenuStore", "MenuEngine", "MicroHTTP", "JSONText", "CEL", "JSONSchema", "Locks",
        "Randomness", "RandomSessions", "StoreSupport", "ProcessorTime", "Languages",
      ],
      exclude: ["Fixtures"]),
    .testTarget(
      name: "MenudTests",
      dependencies: [
        "menud", "MicroHTTP", "JSONText", "JSONSchema", "CEL", "MenuEngine", "MenuAPI",
        "MenuStore", "Locks", "StoreSupport", "Randomness",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ], exclude: ["Operations/check-metrics.py"]),
  ],
  // Of 2023, for #embed.
  cLanguageStandard: .gnu2x,
  cxxLanguageStandard: .cxx17
)

// The libraries that know no menus.
let kit = [
  "Locks", "MicroHTTP", "CMicroHTTPD", "JSONText", "JSONSchema", "CEL", "Patterns", "CRE2",
  "Languages",
]
for target in package.targets {
  if kit.contains(target.name) { target.path = "Sources/Kit/\(target.name)" }
  if target.type == .test, kit.contains(String(target.name.dropLast("Tests".count))) {
    target.path = "Tests/Kit/\(target.name)"
  }
}

for target in package.targets
where target.type != .system
  && !["CRE2", "CEmbeddedFiles", "CPostgreSQL", "CSimulatedDisk"].contains(target.name)
{
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}

// A third of what tests compute is in these, which know no menus. A package that others depend on may have no such
// flags, and the sanitizers see more without them.
if !Context.packageDirectory.contains("/checkouts/"), Context.environment["MENUD_SANITIZE"] == nil {
  for target in package.targets where ["JSONText", "JSONSchema", "CEL"].contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  }
}

// Set by .ci/sanitize: the sanitizers know the system's locks.
if Context.environment["MENUD_SANITIZE"] != nil {
  for target in package.targets { target.swiftSettings?.append(.define("PTHREAD_LOCKS")) }
}

// Names the test targets to build: in .ci/run, those that the thread sanitizer checks.
if let tests = Context.environment["MENUD_TESTS"]?.split(separator: " ").map(String.init) {
  let known = package.targets.filter { $0.type == .test }.map(\.name)
  precondition(tests.allSatisfy(known.contains), "MENUD_TESTS names a target that is not there")
  package.targets.removeAll { $0.type == .test && !tests.contains($0.name) }
}

// What only `make docs` needs is no burden on anybody else.
if Context.environment["MENUD_DOCS"] != nil {
  package.dependencies.append(
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}
