import JSONText
import Testing

@testable import MenuEngine

/// The ranking of others: fzf's, VS Code's and Lumino's, as the facts in `$MENUD_FACTS` or
/// `../shared/conformance-next` beside the package tell it. docs/console.md has the table, and why some differ.
@Suite(
  .enabled(
    if: Facts.folder != nil,
    Facts.absence))
struct RankingFactsTests {
  private static func text(_ json: JSON?) -> String {
    if case .string(let text)? = json { text } else { "" }
  }

  /// The titles in the order in which a query finds them, as numbers; those that it does not find are not among them.
  private static func order(
    _ query: String, _ stage: PlanStage, of titles: [String]
  ) throws -> [Int] {
    try stage.found(CommandQuery(query, limit: titles.count, includesDisabled: true))
      .compactMap { Int($0.rawValue.dropFirst()) }
  }

  /// A session with commands with these titles, each in a menu that is called like its category.
  private static func stage(of titles: [String], in categories: [String]) throws -> PlanStage {
    var menus: [(title: String, children: [JSON])] = []
    for (number, category) in categories.enumerated() {
      let child = JSON.string("c\(number)")
      if let menu = menus.firstIndex(where: { $0.title == category }) {
        menus[menu].children.append(child)
      } else {
        menus.append((category, [child]))
      }
    }
    let stage = try Stage(
      commands: .array(
        titles.enumerated().map { number, title in
          ["id": .string("c\(number)"), "title": .string(title), "action": .string("a\(number):")]
        }),
      menus: .array(
        menus.enumerated().map { number, menu in
          [
            "identifier": .string("m\(number)"), "title": .string(menu.title),
            "children": .array(menu.children),
          ]
        }))
    return PlanStage(stage)
  }

  private static func order(_ query: String, _ titles: [String]) throws -> [Int] {
    try order(query, try stage(of: titles, in: titles.map { _ in "" }), of: titles)
  }

  @Test func `what fzf ranks higher stands before`() throws {
    var (agreed, all) = (0, 0)
    for fact in try Facts.cases("fzf/rank.json") {
      let titles = ["before", "after"].map { Self.text(fact[$0]) }
      all += 1
      if try Self.order(Self.text(fact["query"]), titles).first == 0 { agreed += 1 }
    }
    print("ranking: fzf/rank \(agreed) of \(all)")
    #expect(agreed == all)
  }

  @Test func `the palettes' agreed best commands are best`() throws {
    let items = try Facts.cases("vscode-fuzzy/palette-items.json")
    let titles = items.map { Self.text($0["title"]) }
    let stage = try Self.stage(of: titles, in: items.map { Self.text($0["category"]) })
    var (agreed, all) = (0, 0)
    var others: [String] = []
    for fact in try Facts.cases("vscode-fuzzy/palette-agreed.json") {
      let query = Self.text(fact["query"])
      let best =
        try Self.order(query, stage, of: titles).first.map { Self.text(items[$0]["command"]) } ?? ""
      all += 1
      if best == Self.text(fact["expect"]?["best"]) {
        agreed += 1
      } else {
        others.append("\(query): \(best)")
      }
    }
    print("ranking: vscode-fuzzy/palette-agreed \(agreed) of \(all); others: \(others)")
    #expect(agreed * 100 >= all * 93)
  }

  @Test func `VS Code's best of several is best`() throws {
    var (agreed, all) = (0, 0)
    for fact in try Facts.cases("vscode-fuzzy/top.json") {
      let candidates = try #require(fact["candidates"]?.asArray)
      all += 1
      let best = try Self.order(Self.text(fact["query"]), candidates.map { Self.text($0) }).first
      if best.map({ JSON.int(Int64($0)) }) == fact["expect"]?["best"] { agreed += 1 }
    }
    print("ranking: vscode-fuzzy/top \(agreed) of \(all)")
    #expect(agreed * 100 >= all * 70)
  }

  @Test func `Lumino's palette finds the same commands`() throws {
    let lists = try Facts.document("lumino/palette-items.json")
    var (agreed, all) = (0, 0)
    for fact in try Facts.cases("lumino/palette.json") where !Self.text(fact["query"]).isEmpty {
      let items = try #require(lists[Self.text(fact["items"])]?.asArray)
      let expected = try #require(fact["expect"]?.asArray)
      let titles = items.map { Self.text($0["label"]) }
      let stage = try Self.stage(of: titles, in: items.map { Self.text($0["category"]) })
      let found = try Self.order(Self.text(fact["query"]), stage, of: titles)
        .map { Self.text(items[$0]["command"]) }
      all += 1
      let wanted = expected.compactMap { $0["command"].map { Self.text($0) } }
      if Set(found).isSuperset(of: wanted) { agreed += 1 }
    }
    print("ranking: lumino/palette finds all \(agreed) of \(all)")
    try #require(all > 0)
    #expect(agreed * 100 >= all * 90)
  }
}
