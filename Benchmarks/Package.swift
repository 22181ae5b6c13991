// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that what menud is measured with never burdens menud. CEL, CRE2,
// CSQLite, JSONSchema, JSONText, Locks, MenuEngine, MenuStore and Patterns are links to menud's sources, since CEL is no product of
// menud's.
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .target(name: "Measuring"),
    .executableTarget(name: "constant-server", dependencies: ["CMicroHTTPD"]),
    .executableTarget(name: "first-answer"),
    .executableTarget(
      name: "compare",
      dependencies: [
        "Measuring", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .target(name: "JSONText"),
    .target(name: "Locks"),
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
    .target(name: "Patterns", dependencies: ["CRE2"]),
    .target(
      name: "JSONSchema", dependencies: ["JSONText", "Patterns"],
      linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "CEL", dependencies: ["JSONText", "Patterns", "Locks"],
      linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "MenuEngine", dependencies: ["JSONText", "CEL", "JSONSchema"],
      exclude: ["MenuEngine.docc"]),
    .target(name: "Counters"),
    // Without debugging information, which older valgrinds cannot read of C.
    .executableTarget(
      name: "evaluate-rules", dependencies: ["CEL", "JSONText", "Counters"],
      linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])]),
    .executableTarget(
      name: "rules",
      dependencies: [
        "Measuring", "JSONText",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(name: "bounds", dependencies: ["CEL", "JSONText"]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    // Of the store only what is below the sessions.
    .target(
      name: "MenuStore", dependencies: ["CSQLite", "Locks"],
      exclude: [
        "Figures/StoreFigures.swift", "History/HistoryEntry.swift", "History/HistorySettings.swift",
        "History/SessionStore+History.swift", "Journal/JournalCopy.swift",
        "Journal/JournalReading.swift", "Journal/Replay.swift",
      ],
      sources: ["Figures", "History", "Journal", "SQLite"]),
    .executableTarget(name: "journal", dependencies: ["MenuStore"]),
    .executableTarget(name: "coding", dependencies: ["MenuEngine", "JSONText"]),
    .executableTarget(
      name: "validations",
      dependencies: [
        "MenuEngine", "JSONText", "CEL", "Measuring", "Counters",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])]),
    .executableTarget(
      name: "searches",
      dependencies: [
        "MenuEngine", "JSONText", "Measuring", "Counters",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .executableTarget(
      name: "actions",
      dependencies: [
        "MenuEngine", "JSONText", "CEL", "Measuring", "Counters",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])]),
    .executableTarget(
      name: "growth",
      dependencies: [
        "Measuring", "JSONText",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
  ],
  cxxLanguageStandard: .cxx17
)

let notSwift = ["constant-server", "first-answer", "CRE2", "Counters"]
for target in package.targets where target.type != .system && !notSwift.contains(target.name) {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
