import Foundation
import Testing

/// The example of the documentation, and one of closures beside rules.
@Suite struct EmbeddingExampleTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The code blocks of the article.
  private static func blocks() throws -> [String] {
    try text("Sources/MenuEngine/MenuEngine.docc/Embedding.md").components(separatedBy: "```")
      .enumerated().filter { !$0.offset.isMultiple(of: 2) }
      .map { String($0.element.drop { $0 != "\n" }.dropFirst()) }
  }

  /// `make example` compares what it prints with the file.
  @Test func `the example of the documentation is the program that embeds the engine`() throws {
    let program = "Examples/embedded/Sources/embedded"
    #expect(try Self.blocks()[0] == Self.text("\(program)/main.swift"))
    #expect(try Self.blocks()[1] == Self.text("Examples/embedded/output.txt"))
    #expect(try Self.blocks()[2] == Self.text("\(program)/PhotoApp.swift"))
  }

  @Test func `rules and closures of a list are found through its proxy`() throws {
    #expect(
      try moveTheListFromTheDetail().joined(separator: "\n") == """
        First Row: ruleFalse, listProxy for list
        Next Row: enabled, listProxy for list
        R3: 'detail' does not respond to 'selectNext:': neither it nor its class has a handler.
        R2: after 'detail' comes 'detail/late-initial'.
        R3: 'detail/late-initial' does not respond to 'selectNext:': neither it nor its class has a handler.
        R2: after 'detail/late-initial' comes 'listProxy'.
        L8: 'listProxy' stands for 'list'.
        L8: 'listProxy' lets 'selectNext:' through.
        R3: 'list' responds to 'selectNext:': it or its class has a handler.
        R4: 'list' can perform 'selectNext:'.
        R4: 'listProxy' can perform 'selectNext:'.
        M5: 'listProxy' has no validator, so the item is as declared.
        L9: 'listProxy' forwards 'selectNext:' to 'list', whom it stands for, whatever its filter says.
        F4: 'list' runs its method 'selectNext:'.
        the state is {"row":1}
        """)
  }
}
