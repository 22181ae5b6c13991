import ArgumentParser
import JSONText
import MenuAPI
import MenuEngine

/// Prints the JSON Schema of a file, or lists the files that have one.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of a file, for editors.",
    discussion: """
      Editors complete and check a file by its schema (JSON Schema 2020-12). A file that is an object \
      names it in a member $schema, which menud ignores. The schemas of an application's files refer to \
      definitions.json, which belongs into the same folder. Without a file, all are listed.
      """)

  @Argument(
    help: "A file of an application's folder, menud.json or definitions.json.",
    completion: .list(DescribedFile.allCases.map(\.name)))
  var file: DescribedFile?

  func run() {
    let lines = file.map { [$0.schema.text(.pretty)] } ?? DescribedFile.allCases.map(\.name)
    Posix.print(lines.joined(separator: "\n"))
  }
}

/// A file that has a schema, or the definitions of those.
enum DescribedFile: Hashable, CaseIterable, ExpressibleByArgument {
  /// A file of an application's folder.
  case part(CatalogDocument.Part)
  case configuration
  /// The definitions that the schemas of parts refer to.
  case definitions

  static let allCases =
    CatalogDocument.Part.allCases.map(Self.part) + [.configuration, .definitions]
  static let allValueStrings = allCases.map(\.name)

  init?(argument: String) {
    guard let file = Self.allCases.first(where: { $0.name == argument }) else { return nil }
    self = file
  }

  var defaultValueDescription: String { name }

  var name: String {
    switch self {
    case .part(let part): "\(part.rawValue).json"
    case .configuration: "menud.json"
    case .definitions: FileSchemas.definitionsFile
    }
  }

  var schema: JSON {
    switch self {
    case .part(let part): FileSchemas().schema(of: part)
    case .configuration: Setting.schema
    case .definitions: FileSchemas().definitions
    }
  }
}
