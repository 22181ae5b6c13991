// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that fuzzing never burdens menud. CEL, CRE2, Patterns and JSONText are links
// to menud's sources: they have to be built with the fuzzer's coverage.
let package = Package(
  name: "Fuzz",
  targets: [
    .target(name: "JSONText"),
    .target(name: "Locks"),
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),
    .target(name: "Patterns", dependencies: ["CRE2"]),
    .target(
      name: "CEL", dependencies: ["JSONText", "Patterns", "Locks"],
      linkerSettings: [.linkedLibrary("m")]),
    .executableTarget(name: "fuzz-cel", dependencies: ["CEL", "JSONText"]),
    .executableTarget(name: "fuzz-json", dependencies: ["JSONText"]),
  ],
  cxxLanguageStandard: .cxx17
)

for target in package.targets where target.name != "CRE2" {
  let isFuzzer = target.name.hasPrefix("fuzz")
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-sanitize=fuzzer,address"] + (isFuzzer ? ["-parse-as-library"] : [])),
  ]
  if isFuzzer { target.linkerSettings = [.unsafeFlags(["-sanitize=fuzzer,address"])] }
}
