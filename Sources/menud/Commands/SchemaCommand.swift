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
      names it in a member $schema, which menud ignores. Without a file, the files that have a schema \
      are listed.
      """)

  @Argument(
    help: "A file of an application's folder, or menud.json.",
    completion: .list(DescribedFile.allCases.map(\.name)))
  var file: DescribedFile?

  func run() {
    let lines = file.map { [$0.schema.text(.pretty)] } ?? DescribedFile.allCases.map(\.name)
    Posix.write(lines.map { $0 + "\n" }.joined(), to: Posix.output)
  }
}

/// A file with a schema.
enum DescribedFile: Hashable, CaseIterable, ExpressibleByArgument {
  /// A file of an application's folder.
  case part(CatalogDocument.Part)
  case configuration

  static let allCases = CatalogDocument.Part.allCases.map(Self.part) + [.configuration]
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
    }
  }

  var schema: JSON {
    switch self {
    case .part(let part): FileSchemas().schema(of: part)
    case .configuration: Setting.schema
    }
  }
}
