import JSONText
import Testing

@testable import MenuEngine

/// A palette of an editor's commands offers what is meant, and nothing that only happens to have the letters (S2, S3).
struct PaletteSearchTests {
  private let stage: PlanStage

  init() throws {
    stage = PlanStage(try Stage(commands: .array(Self.commands), menus: .array(Self.menus)))
  }

  private static let titles = PaletteTitles.all

  private static let commands: [JSON] = titles.enumerated().map { number, entry in
    [
      "id": .string("c\(number)"), "title": .string(entry.title),
      "action": .string("a\(number):"),
    ]
  }

  private static let menus: [JSON] = Dictionary(grouping: titles.indices) { titles[$0].menu }
    .sorted { $0.value[0] < $1.value[0] }
    .map { title, numbers in
      [
        "identifier": .string("m\(numbers[0])"), "title": .string(title),
        "children": .array(numbers.map { .string("c\($0)") }),
      ]
    }

  /// The titles that a query finds, the best first.
  private func found(_ query: String) throws -> [String] {
    try stage.found(CommandQuery(query, limit: Self.titles.count, includesDisabled: true))
      .compactMap { Int($0.rawValue.dropFirst()).map { Self.titles[$0].title } }
  }

  @Test func `the list is that of an editor`() {
    #expect(Self.titles.count == 178)
    #expect(Set(Self.titles.map(\.title)).count == 178)
  }

  @Test(arguments: [
    ("quit", ["Quit"]),
    ("zoom", ["Zoom In", "Zoom Out", "Reset Zoom"]),
    ("zomo", ["Zoom Out", "Zoom In", "Reset Zoom"]),
    ("quick", ["Quick Fix…"]),
    (
      "git init",
      [
        "Initialize Repository", "Go to Symbol in Editor…", "Go to Definition",
        "Go to Type Definition", "Peek Definition",
      ]
    ),
  ])
  func `S2: a query offers what it means, and nothing else`(
    query: String, titles: [String]
  ) throws {
    #expect(try found(query) == titles)
  }
}
