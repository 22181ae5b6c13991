import Foundation
import JSONText
import Testing

@testable import MenuEngine

/// The place of the facts, if there are any.
private enum RankingFacts {
  static let folder: URL? = {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../..").standardized
    let places =
      ProcessInfo.processInfo.environment["MENUD_FACTS"].map { [URL(filePath: $0)] }
      ?? ["../shared/conformance-next", "../../shared/conformance-next"].map {
        package.appending(path: $0).standardized
      }
    return places.first { FileManager.default.fileExists(atPath: $0.path) }
  }()
}

/// The ranking of others: fzf's, VS Code's and Lumino's, as the facts in `$MENUD_FACTS` or
/// `../shared/conformance-next` beside the package tell it. docs/console.md has the table, and why some differ.
@Suite(
  .enabled(
    if: RankingFacts.folder != nil,
    "There are no facts: set MENUD_FACTS to the folder that has them."))
struct RankingFactsTests {
  /// The document in a file of facts.
  private static func facts(_ file: String) throws -> JSON {
    let folder = try #require(RankingFacts.folder)
    return try JSON(
      parsing: String(contentsOf: folder.appending(path: file), encoding: .utf8))
  }

  /// The cases in a file of facts, which are never none.
  private static func cases(_ file: String) throws -> [JSON] {
    let cases = try #require(facts(file).elements, "\(file)")
    try #require(!cases.isEmpty, "\(file)")
    return cases
  }

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
    for fact in try Self.cases("fzf/rank.json") {
      let titles = ["before", "after"].map { Self.text(fact[$0]) }
      all += 1
      if try Self.order(Self.text(fact["query"]), titles).first == 0 { agreed += 1 }
    }
    print("ranking: fzf/rank \(agreed) of \(all)")
    #expect(agreed == all)
  }

  @Test func `the palettes' agreed best commands are best`() throws {
    let items = try Self.cases("vscode-fuzzy/palette-items.json")
    let titles = items.map { Self.text($0["title"]) }
    let stage = try Self.stage(of: titles, in: items.map { Self.text($0["category"]) })
    var (agreed, all) = (0, 0)
    var others: [String] = []
    for fact in try Self.cases("vscode-fuzzy/palette-agreed.json") {
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
    for fact in try Self.cases("vscode-fuzzy/top.json") {
      let candidates = try #require(fact["candidates"]?.elements)
      all += 1
      let best = try Self.order(Self.text(fact["query"]), candidates.map { Self.text($0) }).first
      if best.map({ JSON.int(Int64($0)) }) == fact["expect"]?["best"] { agreed += 1 }
    }
    print("ranking: vscode-fuzzy/top \(agreed) of \(all)")
    #expect(agreed * 100 >= all * 70)
  }

  @Test func `Lumino's palette finds the same commands`() throws {
    let lists = try Self.facts("lumino/palette-items.json")
    var (agreed, all) = (0, 0)
    for fact in try Self.cases("lumino/palette.json") where !Self.text(fact["query"]).isEmpty {
      let items = try #require(lists[Self.text(fact["items"])]?.elements)
      let expected = try #require(fact["expect"]?.elements)
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

extension JSON {
  /// The member of an object.
  fileprivate subscript(name: String) -> JSON? { object?[name] }

  /// The elements of an array.
  fileprivate var elements: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
