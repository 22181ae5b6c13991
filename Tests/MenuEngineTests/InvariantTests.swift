import Foundation
import Testing

/// What the sources do not say, whoever wrote them.
@Suite struct InvariantTests {
  private struct Source {
    let name: String
    let lines: [Substring]
  }

  /// The sources of a target, comments left out.
  private static func sources(of target: String, in file: String = #filePath) throws -> [Source] {
    let root = URL(filePath: file).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources/\(target)")
    let found = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let files = (found?.allObjects ?? []).compactMap { $0 as? URL }
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

  private static func imports(of target: String) throws -> Set<String> {
    let lines = try sources(of: target).flatMap(\.lines)
    return Set(
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard let position = words.firstIndex(of: "import"),
          words[..<position].allSatisfy({ word in
            ["public", "package", "internal", "private", "@testable"].contains(word)
          })
        else { return nil }
        return words.last.map(String.init)
      })
  }

  /// Lines with one of the words, each with its file.
  private static func lines<Output>(
    in target: String, with pattern: Regex<Output>
  ) throws -> [String] {
    try sources(of: target).flatMap { source in
      source.lines.filter { $0.contains(pattern) }.map { "\(source.name): \($0)" }
    }
  }

  @Test func `the engine imports the rule language and JSON only`() throws {
    #expect(try Self.imports(of: "MenuEngine") == ["CEL", "JSONText"])
  }

  @Test func `the engine waits for nothing, reads no clock and throws no dice`() throws {
    let waits = #/\b(async|await|actor|Task|nonisolated)\b/#
    #expect(try Self.lines(in: "MenuEngine", with: waits) == [])
    let world =
      #/\b(Clock|ContinuousClock|SuspendingClock|Date|\w+\.now|random|shuffled|RandomNumberGenerator|UUID|print|getenv)\b/#
    #expect(try Self.lines(in: "MenuEngine", with: world) == [])
  }

  @Test func `the engine traps on no input: nothing is forced`() throws {
    let forced = #/\btry!|\bas!|\bfatalError\b|\w!(\.|\)|$)|\bunowned\b/#
    #expect(try Self.lines(in: "MenuEngine", with: forced) == [])
  }

  @Test func `the HTTP layer knows no JSON and no menus`() throws {
    let imports = try Self.imports(of: "MicroHTTP")
    #expect(imports.isDisjoint(with: ["JSONText", "CEL", "MenuEngine", "MenuStore", "MenuAPI"]))
    #expect(imports.contains("CMicroHTTPD"))
  }

  @Test(arguments: ["CEL", "MenuEngine", "MenuStore", "MenuAPI"])
  func `nothing above the HTTP layer sees a pointer`(target: String) throws {
    let pointers = #/\b(Unsafe\w*Pointer|OpaquePointer|withUnsafe\w+|@unchecked)\b/#
    #expect(try Self.lines(in: target, with: pointers) == [])
  }

  @Test(arguments: ["CEL", "JSONText", "MenuEngine"])
  func `the pure targets import no Foundation`(target: String) throws {
    let imports = try Self.imports(of: target)
    #expect(imports.filter { $0.hasPrefix("Foundation") || $0 == "Glibc" } == [])
  }
}
