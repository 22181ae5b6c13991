import Foundation
import Testing

/// Words that the sources must not have, apart from their imports (see MenudTests).
@Suite struct InvariantTests {
  private struct Source {
    let name: String
    let lines: [Substring]
  }

  /// The sources of a target, comments left out.
  private static func sources(of target: String, in file: String = #filePath) throws -> [Source] {
    let root = URL(filePath: file).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let folders = [root.appending(path: target), root.appending(path: "Kit/\(target)")]
    let files = folders.flatMap { folder in
      (FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? [])
        .compactMap { $0 as? URL }
    }
    .filter { ["swift", "h", "modulemap"].contains($0.pathExtension) }
    try #require(!files.isEmpty, "no sources of \(target)")
    return try files.map { file in
      let text = try String(contentsOf: file, encoding: .utf8)
      let lines = text.split(separator: "\n").filter { line in
        !line.drop { $0 == " " }.hasPrefix("//")
      }
      return Source(name: "\(target)/\(file.lastPathComponent)", lines: lines)
    }
  }

  /// Lines with one of the words, each with its file.
  private static func lines<Output>(
    in target: String, with pattern: Regex<Output>
  ) throws -> [String] {
    try sources(of: target).flatMap { source in
      source.lines.filter { $0.contains(pattern) }.map { "\(source.name): \($0)" }
    }
  }

  @Test func `the engine waits for nothing, reads no clock and throws no dice`() throws {
    // The actor of a change (T4) is a value; a declaration of Swift's begins a line.
    let waits =
      #/\b(async|await|Task|nonisolated)\b|^\s*((package|public|private|final|distributed) )*actor\s+\w/#
    #expect(try Self.lines(in: "MenuEngine", with: waits) == [])
    let world =
      #/\b(Clock|ContinuousClock|SuspendingClock|Date|\w+\.now|random|shuffled|RandomNumberGenerator|UUID|print|getenv)\b/#
    #expect(try Self.lines(in: "MenuEngine", with: world) == [])
  }

  @Test func `the engine traps on no input: nothing is forced`() throws {
    let forced = #/\btry!|\bas!|\bfatalError\b|\w!(\.|\)|$)|\bunowned\b/#
    #expect(try Self.lines(in: "MenuEngine", with: forced) == [])
  }

  @Test(arguments: ["CEL", "MenuEngine", "MenuStore", "MenuAPI"])
  func `nothing above the HTTP layer sees a pointer`(target: String) throws {
    let pointers = #/\b(Unsafe\w*Pointer|OpaquePointer|withUnsafe\w+|@unchecked)\b/#
    // The wrappers of what C has: RE2, whose error messages are bytes at an address, SQLite, and libpq. And the
    // place where rules look into a document without retaining what they meet on the way.
    let wrappers = [
      "CEL/Pattern", "CEL/FusedPlace", "MenuStore/SQLiteConnection",
      "MenuStore/SQLiteConnection+Log", "MenuStore/PostgreSQLConnection",
      "MenuStore/PostgreSQLAddress",
    ]
    let found = try Self.lines(in: target, with: pointers)
    #expect(found.filter { line in !wrappers.contains { line.hasPrefix("\($0).swift: ") } } == [])
  }
}
