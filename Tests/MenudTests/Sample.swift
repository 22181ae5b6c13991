import Foundation
import Testing

/// Copies of the photo application.
enum Sample {
  /// One change of a copy: a file, a new text, and the first text in whose place it comes.
  typealias Change = (file: String, new: String, for: String)

  /// The sample as `app` in a folder, changed.
  static func copy(_ changes: [Change] = []) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try write(changes, to: folder)
    return folder
  }

  /// Writes the sample, changed, in the place of what the folder has as `app`.
  static func write(_ changes: [Change], to folder: TemporaryFolder) throws {
    var texts: [String: String] = [:]
    for file in ["commands", "menus", "classes", "session"] {
      let url = Program.root.appending(path: "Config/photo-app/\(file).json")
      texts[file] = try String(contentsOf: url, encoding: .utf8)
    }
    for change in changes {
      let range = try #require(texts[change.file]?.firstRange(of: change.for))
      texts[change.file]?.replaceSubrange(range, with: change.new)
    }
    for (file, text) in texts { try folder.write(text, to: "app/\(file).json") }
  }
}
