import Foundation
import JSONText
import Testing

/// The results of the tests of others, in `$MENUD_FACTS` or `../shared/conformance-next` beside the package.
enum Facts {
  static let folder: URL? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../..").standardized
    let places =
      ProcessInfo.processInfo.environment["MENUD_FACTS"].map { [URL(filePath: $0)] }
      ?? ["../shared/conformance-next", "../../shared/conformance-next"].map {
        package.appending(path: $0).standardized
      }
    return places.first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  static let absence: Comment =
    "There are no facts: set MENUD_FACTS to the folder that has them."

  /// The document in a file of facts.
  static func document(_ file: String) throws -> JSON {
    let folder = try #require(folder)
    return try JSON(
      parsing: String(contentsOf: folder.appending(path: file), encoding: .utf8))
  }

  /// The cases in a file of facts, which are never none.
  static func cases(_ file: String) throws -> [JSON] {
    let cases = try #require(document(file).asArray, "\(file)")
    try #require(!cases.isEmpty, "\(file)")
    return cases
  }
}

extension JSON {
  /// The member of an object.
  subscript(name: String) -> JSON? { object?[name] }

  /// The elements of an array.
  var asArray: [JSON]? { if case .array(let elements) = self { elements } else { nil } }

  /// The text of a string.
  var asString: String? { if case .string(let text) = self { text } else { nil } }
}
