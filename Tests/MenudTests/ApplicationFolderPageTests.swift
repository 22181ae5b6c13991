import Foundation
import JSONSchema
import JSONText
import MenuAPI
import MenuEngine
import Testing

@testable import menud

/// docs/application-folder.md has every file, every member and every effect, as the schemas have them.
@Suite struct ApplicationFolderPageTests {
  private static let table = ReferenceTable()
  private let page: DocumentationPage

  init() throws { page = try DocumentationPage("docs/application-folder.md") }

  @Test(arguments: ReferenceTable.sections.keys.sorted())
  func `the table of a part is that of its schema`(definition: String) throws {
    let heading = try #require(ReferenceTable.sections[definition]).heading
    let expected =
      definition == "Effect" ? Self.table.effects : Self.table.members(of: definition)
    #expect(section(heading).contains("\n\n" + expected), "\(heading)\n\(expected)")
  }

  @Test func `everything with members has a table`() {
    let without = Self.table.definitions.filter { name, schema in
      schema["properties"] != nil && !name.hasSuffix("Effect")
        && ReferenceTable.sections[name] == nil
    }
    #expect(without.keys.sorted() == ["ParameterSchema"])
  }

  @Test func `every table is of the schemas, of built-in classes, messages or files`() {
    let heads = page.text.matches(of: /(?m)^(\| [a-z ]+ \|.*)\n\|---/).map { String($0.output.1) }
    let others = [
      "| file | describes |", "| class | inherits from | methods |",
      "| message | is sent to | when | its answer |",
    ]
    for head in others { #expect(heads.contains(head), "\(head)") }
    #expect(heads.count == ReferenceTable.sections.count + others.count)
  }

  @Test func `every file has a row and a heading`() {
    for part in CatalogDocument.Part.allCases {
      let file = part.fileName
      let place = file.lowercased().replacing(/[.\/]/, with: "")
      #expect(page.text.contains("\n| [`\(file)`](#\(place)) | "), "\(file)")
    }
  }

  @Test func `the built-in classes are those of the engine`() {
    let rows = ResponderClass.builtIn.map { builtIn in
      let superclass = builtIn.superclass.map { "`\($0)`" } ?? ""
      let methods = builtIn.handlers.keys.map(\.rawValue).sorted().map { "`\($0)`" }
      return "| `\(builtIn.name)` | \(superclass) | \(methods.joined(separator: ", ")) |\n"
    }
    #expect(section("Built-in classes").contains(rows.joined()), "\(rows.joined())")
  }

  @Test func `the messages are those that the engine sends`() throws {
    let text = try DocumentationPage("Sources/CEmbeddedFiles/OpenAPI/messages.json").text
    guard case .array(let messages) = try JSON(parsing: text) else {
      Issue.record("'messages' is not an array")
      return
    }
    let rows = messages.map { message in
      func text(_ names: String...) -> String {
        guard case .string(let text)? = message[JSONPointer(names)] else { return "" }
        return text
      }
      let answer = [text("answer", "description"), text("answer", "default")]
        .filter { !$0.isEmpty }.joined(separator: " By default: ")
      return "| `\(text("selector"))` | \(text("receiver")) | \(text("moment")) | \(answer) |\n"
    }
    #expect(rows.count > 15)
    #expect(section("Messages that menud sends").contains(rows.joined()), "\(rows.joined())")
  }

  /// The examples of a file are read without a mistake.
  @Test(arguments: DescribedFile.files.filter { $0 != .configuration })
  func `the examples of a file are sound`(file: DescribedFile) throws {
    let examples = page.text.matches(of: /(?ms)^```json ([a-z.]+)\n(.*?)^```$/)
      .filter { $0.output.1 == file.name }.map { String($0.output.2) }
    #expect(examples.count >= 1, "\(file.name)")
    for example in examples {
      let json = try JSON(parsing: example)
      #expect(try FileMutation.schema(of: file).faults(of: json) == [], "\(example)")
      #expect(try FileMutation.structuralFaults(of: json, file) == [], "\(example)")
    }
  }

  /// The text below a heading, up to the next one.
  private func section(_ heading: String) -> String {
    var text = ""
    var isInside = false
    var isCode = false
    for line in page.text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isCode.toggle() }
      if line.hasPrefix("#"), !isCode {
        let name = line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)
        isInside = name.replacing("`", with: "") == heading
      }
      if isInside { text += line + "\n" }
    }
    return text
  }
}
