import Foundation
import Testing

/// The examples of the documentation.
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
    #expect(try Self.blocks()[0] == Self.text("Examples/embedded/Sources/embedded/main.swift"))
    #expect(try Self.blocks()[1] == Self.text("Examples/embedded/output.txt"))
  }

  @Test func `the example of a proxy is the one that is compiled here`() throws {
    #expect(
      try Self.blocks()[2]
        == Self.text("Tests/MenuEngineTests/Embedding/EmbeddingProxyExample.swift"))
  }

  @Test func `the example of a proxy answers what the documentation says`() throws {
    #expect(try moveTheListFromTheDetail().joined(separator: "\n") + "\n" == Self.blocks()[3])
  }
}
