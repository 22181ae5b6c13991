import Foundation
import JSONSchema
import JSONText
import MenuAPI
import MenuEngine
import Randomness
import Testing

@testable import menud

/// The schemas of files judge as their readers do.
@Suite struct FileSchemaTests {
  @Test(arguments: DescribedFile.files)
  func `every sample meets its schema`(file: DescribedFile) throws {
    let samples = try FileMutation.samples(of: file)
    #expect(samples.count >= (file == .part(.storyboards) ? 3 : 1))
    let schema = try FileMutation.schema(of: file)
    for sample in samples {
      #expect(schema.faults(of: sample) == [], "\(file.name)")
      #expect(try FileMutation.structuralFaults(of: sample, file) == [], "\(file.name)")
    }
  }

  /// Documents with members that no sample has.
  @Test(arguments: FileMutation.others)
  func `what no sample has meets its schema too`(file: DescribedFile, text: String) throws {
    let json = try JSON(parsing: text)
    #expect(try FileMutation.schema(of: file).faults(of: json) == [])
    #expect(try FileMutation.structuralFaults(of: json, file) == [])
  }

  @Test func `every effect meets its schema`() throws {
    let schema = try FileMutation.schema(of: .part(.classes))
    #expect(schema.faults(of: FileMutation.effects) == [])
    #expect(try FileMutation.structuralFaults(of: FileMutation.effects, .part(.classes)) == [])
  }

  /// Members that are left out, are not known, or have values of other types; words that are none.
  @Test(arguments: DescribedFile.files)
  func `schema and reader refuse the same documents`(file: DescribedFile) throws {
    let schema = try FileMutation.schema(of: file)
    let samples = try FileMutation.samples(of: file) + FileMutation.others(of: file)
    var refused = 0
    for seed in Seeds.first(file == .configuration ? 200 : 400) {
      let judgement = try judgement(of: schema, samples, file, seed: seed)
      #expect(judgement.agree, "\(judgement.description)")
      refused += judgement.isRefused ? 1 : 0
    }
    #expect(refused > 100)
  }

  /// The test before tells a schema apart that lacks a keyword.
  @Test(arguments: [
    (DescribedFile.part(.commands), "required"), (.part(.menus), "enum"), (.part(.classes), "if"),
    (.part(.session), "dependentSchemas"), (.part(.session), "additionalProperties"),
    (.part(.storyboards), "allOf"), (.configuration, "additionalProperties"),
  ])
  func `a schema that lacks a keyword is found out`(file: DescribedFile, keyword: String) throws {
    let schema = try FileMutation.schema(of: file, without: keyword)
    let samples = try FileMutation.samples(of: file) + FileMutation.others(of: file)
    let disagreement = try Seeds.first(4000).first { seed in
      try !judgement(of: schema, samples, file, seed: seed).agree
    }
    #expect(disagreement != nil)
  }

  private func judgement(
    of schema: Schema, _ samples: [JSON], _ file: DescribedFile, seed: UInt64
  ) throws -> (agree: Bool, isRefused: Bool, description: String) {
    var generator = SeededGenerator(seed: seed)
    let sample = try #require(samples.randomElement(using: &generator))
    let mutation = FileMutation(
      of: FileMutation.excerpt(of: sample, file, &generator), &generator)
    let faults = schema.faults(of: mutation.json)
    let structural = try FileMutation.structuralFaults(of: mutation.json, file)
    return (
      faults.isEmpty == structural.isEmpty, !faults.isEmpty,
      "\(file.name), seed \(seed): \(mutation.name)\n\(faults)\n\(structural)"
    )
  }

  @Test(arguments: [
    (DescribedFile.part(.commands), #"[{"title": "Copy"}]"#, "/0"),
    (.part(.commands), #"[{"title": "Copy", "id": "copy", "key": {"input": "c"}}]"#, "/0"),
    (.part(.menus), #"[{"title": "Edit", "options": ["inline"]}]"#, "/0"),
    (.part(.classes), #"{"A": {"superclass": "UIView", "category": true}}"#, "/A"),
    (.part(.classes), #"{"A": {"handlers": {}}}"#, "/A"),
    (
      .part(.session), #"{"responders": {"a": {"kind": "view", "parent": "b"}}}"#,
      "/responders/a/kind"
    ),
    (
      .part(.storyboards),
      #"{"S": {"initialViewController": "a", "scenes": {"a": {"parent": "b"}}}}"#,
      "/S/scenes/a/parent"
    ),
    (.configuration, #"{"server": {"prot": 8080}}"#, "/server/prot"),
    (.configuration, #"{"server": {"threads": 0}}"#, "/server/threads"),
  ])
  func `a fault has its place`(file: DescribedFile, text: String, place: String) throws {
    let faults = try FileMutation.schema(of: file).faults(of: try JSON(parsing: text))
    #expect(faults.map(\.pointer.description).contains(place), "\(faults)")
  }

  @Test(arguments: DescribedFile.allCases)
  func `every member has a meaning`(file: DescribedFile) {
    let definitions = FileSchemas().definitions
    var without: [String] = []
    for (place, member) in Self.members(file.schema, at: "") where member["description"] == nil {
      guard case .string(let path)? = member["$ref"], let name = path.split(separator: "/").last,
        definitions[JSONPointer(["$defs", String(name), "description"])] != nil
      else {
        without.append(place)
        continue
      }
    }
    #expect(without == [])
  }

  /// The members in all `properties` of a schema; `op` says itself what it means.
  private static func members(_ json: JSON, at place: String) -> [(String, JSONObject)] {
    guard case .object(let object) = json else { return [] }
    return object.members.flatMap { member -> [(String, JSONObject)] in
      guard !["if", "then", "else", "dependentSchemas", "allOf"].contains(member.name) else {
        return []
      }
      let own: [(String, JSONObject)]
      if member.name == "properties", case .object(let properties) = member.value {
        own = properties.members.compactMap { property in
          guard case .object(let schema) = property.value, schema["const"] == nil else {
            return nil
          }
          return ("\(place)/\(property.name)", schema)
        }
      } else {
        own = []
      }
      return own + members(member.value, at: "\(place)/\(member.name)")
    }
  }

  @Test(arguments: DescribedFile.allCases.map(\.name))
  func `the schemas in Config are those that are printed`(name: String) throws {
    let printed = try Program.run("schema", name)
    #expect(printed.status == 0)
    #expect(try DocumentationPage("Config/schemas/\(name)").text == printed.output, "make schemas")
  }

  @Test(arguments: ["classes", "protocols", "storyboards", "session"])
  func `samples name their schemas`(part: String) throws {
    let part = try #require(CatalogDocument.Part(rawValue: part))
    for sample in try FileMutation.samples(of: .part(part)) {
      #expect(sample[JSONPointer(["$schema"])] == .string("../schemas/\(part.rawValue).json"))
    }
  }

  @Test(Program.isBuilt) func `without a file, those that have a schema are listed`() throws {
    let outcome = try Program.run("schema")
    #expect(
      outcome.output.split(separator: "\n").map(String.init) == DescribedFile.allCases.map(\.name))
    let unknown = try Program.run("schema", "command.json")
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("commands.json"), "\(unknown.errors)")
  }
}
