import Foundation
import JSONSchema
import JSONText
import Testing

/// The official cases of JSON-Schema-Test-Suite: those for 2020-12 lie in `Fixtures`, and those of Debian's
/// package, which ends with draft 7, are run where they mean the same.
@Suite struct OfficialCasesTests {
  /// Files of 2020-12 about keywords that menud refuses.
  private static let refusedFiles: Set = [
    "dynamicRef", "unevaluatedItems", "unevaluatedProperties", "vocabulary",
    // References to other documents.
    "refRemote",
  ]

  /// Schemas of 2020-12 that menud refuses, by file and description, and the keyword or reference that it
  /// refuses.
  private static let refusedSchemas: [String: String] = [
    "anchor: Location-independent identifier with absolute URI": "$id",
    "anchor: Location-independent identifier with base URI change in subschema": "$id",
    "anchor: same $anchor with different base uri": "$id",
    "defs: validate definition against metaschema": "$ref",
    "not: collect annotations inside a 'not', even if collection is disabled":
      "unevaluatedProperties",
    "ref: remote ref, containing refs itself": "$ref",
    "ref: Recursive references between schemas": "$id",
    "ref: ref creates new scope when adjacent to keywords": "unevaluatedProperties",
    "ref: refs with relative uris and defs": "$id",
    "ref: relative refs with absolute uris and defs": "$id",
    "ref: $id must be resolved against nearest parent, not just immediate parent": "$id",
    "ref: order of evaluation: $id and $ref": "$id",
    "ref: order of evaluation: $id and $anchor and $ref": "$id",
    "ref: URN ref with nested pointer ref": "$id",
    "ref: ref to if": "$id",
    "ref: ref to then": "$id",
    "ref: ref to else": "$id",
    "ref: ref with absolute-path-reference": "$id",
  ]

  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures/draft2020-12")

  static let files = names(in: fixtures).filter { !refusedFiles.contains($0) }

  /// Of the optional files only those that must pass here are in `Fixtures`. The others are about formats,
  /// identifiers, other versions, references into what is no schema, and what patterns of ECMAScript have
  /// beyond RE2's: `\c`, `\p{Letter}`, and white space outside of ASCII for `\s`.
  static let optionalFiles = names(in: fixtures.appending(path: "optional"))
    .map { "optional/\($0)" }

  @Test(arguments: files + optionalFiles)
  func `the official cases of 2020-12 pass`(file: String) throws {
    for group in try Self.groups(of: Self.fixtures.appending(path: "\(file).json")) {
      let name = "\(file): \(group.description)"
      if let keyword = Self.refusedSchemas[name] {
        Self.expectRefusal(of: group, because: keyword, name)
      } else {
        Self.run(group, name)
      }
    }
  }

  @Test(arguments: refusedFiles.subtracting(["refRemote"]))
  func `schemas with keywords that are not known are refused`(file: String) throws {
    for group in try Self.groups(of: Self.fixtures.appending(path: "\(file).json")) {
      #expect(throws: SchemaFaults.self, "\(file): \(group.description)") {
        try Schema(group.schema)
      }
    }
  }

  @Test func `schemas with references to other documents are refused`() throws {
    for group in try Self.groups(of: Self.fixtures.appending(path: "refRemote.json")) {
      Self.expectRefusal(of: group, because: "$ref", group.description)
    }
  }

  @Test func `each schema that is left out is there`() throws {
    let names = try Self.files.flatMap { file in
      try Self.groups(of: Self.fixtures.appending(path: "\(file).json"))
        .map { "\(file): \($0.description)" }
    }
    #expect(Set(Self.refusedSchemas.keys).subtracting(names) == [])
  }

  // Debian's package.

  private static let debian = URL(filePath: "/usr/share/json-schema-test-suite/tests/draft7")
  static let isDebianInstalled = FileManager.default.fileExists(atPath: debian.path)

  /// Files of draft 7 about keywords that were replaced since, or references to other documents.
  private static let oldFiles: Set = [
    "additionalItems", "definitions", "dependencies", "refRemote",
  ]

  /// It has members that are no keywords, to which references lead.
  private static let refusedOldSchemas = ["ref: escaped pointer ref": "tilda~field"]

  static let debianFiles = names(in: debian).filter { !oldFiles.contains($0) }

  @Test func `the cases of Debian's package are there`() {
    if !Self.isDebianInstalled {
      print("SKIPPED: \(Self.debian.path) is missing; apt-get install json-schema-test-suite")
    }
  }

  /// Schemas that no longer mean the same: `items` with an array is `prefixItems` now, `definitions` is
  /// `$defs`, and what stands beside `$ref` counts.
  @Test(arguments: debianFiles)
  func `the official cases of draft 7 that mean the same pass`(file: String) throws {
    for group in try Self.groups(of: Self.debian.appending(path: "\(file).json"))
    where !Self.isOld(group.schema) {
      let name = "\(file): \(group.description)"
      if let keyword = Self.refusedOldSchemas[name] {
        Self.expectRefusal(of: group, because: keyword, name)
      } else {
        Self.run(group, "draft 7, \(name)")
      }
    }
  }

  private static func isOld(_ schema: JSON) -> Bool {
    switch schema {
    case .object(let object):
      if case .array? = object["items"] { return true }
      if object["definitions"] != nil || object["dependencies"] != nil { return true }
      if case .string(let text)? = object["$ref"], !text.hasPrefix("#") { return true }
      return object.contains { isOld($0.value) }
    case .array(let elements): return elements.contains(where: isOld)
    case .null, .bool, .int, .double, .string: return false
    }
  }

  private static func run(_ group: Group, _ name: String) {
    do {
      let schema = try Schema(group.schema)
      for test in group.tests {
        #expect(
          schema.faults(of: test.data).isEmpty == test.isValid, "\(name): \(test.description)")
      }
    } catch {
      Issue.record("\(name): \(error)")
    }
  }

  private static func expectRefusal(of group: Group, because keyword: String, _ name: String) {
    let faults = #expect(throws: SchemaFaults.self, "\(name)") { try Schema(group.schema) }
    let places = faults?.faults.map { $0.pointer.tokens.last }
    #expect(places?.contains(keyword) == true, "\(name): \(faults?.faults ?? [])")
  }

  private static func names(in folder: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  private static func groups(of file: URL) throws -> [Group] {
    let data = try Data(contentsOf: file)
    guard case .array(let groups) = try JSON(parsing: Array(data)) else { return [] }
    return try groups.map(Group.init)
  }

  private struct Group {
    let description: String
    let schema: JSON
    let tests: [(description: String, data: JSON, isValid: Bool)]

    init(_ json: JSON) throws {
      description = try #require(json["/description"]?.string)
      schema = try #require(json["/schema"])
      guard case .array(let tests)? = json["/tests"] else { throw CocoaError(.fileReadCorruptFile) }
      self.tests = try tests.map { test in
        (
          try #require(test["/description"]?.string), try #require(test["/data"]),
          test["/valid"] == .bool(true)
        )
      }
    }
  }
}

extension JSON {
  fileprivate var string: String? { if case .string(let string) = self { string } else { nil } }

  fileprivate subscript(path: String) -> JSON? {
    self[JSONPointer([String(path.dropFirst())])]
  }
}
