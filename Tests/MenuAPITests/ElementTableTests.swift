import JSONText
import Testing

@testable import MenuAPI
@testable import MenuEngine

/// E1 and M2: events tell what differs in a menu by the names of menus and commands.
@Suite struct ElementTableTests {
  private typealias Revisions = EventID.Revisions

  private static func at(_ revision: Int) -> Revisions { Revisions(catalog: 1, session: revision) }

  private func menu(_ name: String, _ children: [JSON], title: String = "") -> JSON {
    ["identifier": .string(name), "title": .string(title), "children": .array(children)]
  }

  private func table(
    _ json: JSON, marking marked: [CommandID] = [], at revision: Int
  ) throws -> ElementTable {
    var names = MenuNames(taken: [])
    let log = FaultLog()
    let menu = try #require(Menu(reading: json, at: .root, log: log, names: &names))
    let marks = marked.map { id in
      var item = ValidatedItem(unknown: id)
      item.state = .on
      return (id, item)
    }
    let items = Dictionary(marks) { first, _ in first }
    return ElementTable(
      ValidatedMenu(menu, items, fromData: ItemLists(), kind: .main), at: Self.at(revision))
  }

  /// The edits since a revision, each as its menu and the commands of its items, or `whole`.
  private func edits(_ table: ElementTable, since revision: Int) throws -> [String] {
    var writer = JSONWriter()
    table.writeEdits(since: Self.at(revision), to: &writer)
    guard case .array(let edits) = try JSON(parsing: writer.bytes) else { return [] }
    return edits.map { edit in
      guard case .array(let items)? = edit[JSONPointer(["items"])] else {
        let name = edit[JSONPointer(["value", "identifier"])]
        return "\(edit[JSONPointer(["menu"])]?.text() ?? "") whole \(name?.text() ?? "")"
      }
      let commands = items.map { $0[JSONPointer(["command"])]?.text() ?? "" }
      return "\(edit[JSONPointer(["menu"])]?.text() ?? "") \(commands.joined(separator: " "))"
    }
  }

  @Test func `an item that differs is told whole, with the menu that it stands in`() throws {
    let json = menu("root", ["a", menu("b", ["c", "d"])])
    let first = try table(json, at: 1)
    var second = try table(json, marking: ["d"], at: 2)
    second.follow(first, differing: true)
    #expect(second.hasChanged(since: Self.at(1)) && !second.hasChanged(since: Self.at(2)))
    #expect(try edits(second, since: 1) == [#""b" "d""#])
    #expect(try edits(second, since: 2) == [])
    var same = try table(json, marking: ["d"], at: 3)
    same.follow(second, differing: false)
    #expect(try edits(same, since: 2) == [])
  }

  @Test func `since each revision the items are told that changed after it`() throws {
    let json = menu("root", ["a", menu("b", ["c", "d"])])
    var last = try table(json, at: 1)
    for (revision, marked) in [(2, ["a"]), (3, ["a", "c"]), (4, ["c"])] as [(Int, [CommandID])] {
      var next = try table(json, marking: marked, at: revision)
      next.follow(last, differing: true)
      last = next
    }
    #expect(try edits(last, since: 1) == [#""root" "a""#, #""b" "c""#])
    #expect(try edits(last, since: 2) == [#""root" "a""#, #""b" "c""#])
    #expect(try edits(last, since: 3) == [#""root" "a""#])
    #expect(try edits(last, since: 4) == [])
  }

  @Test func `a menu with other elements, or a title of its own, is told whole`() throws {
    let old = try table(menu("root", ["a", menu("b", ["c", "d"])]), at: 1)
    var fewer = try table(menu("root", ["a", menu("b", ["d"])]), marking: ["a"], at: 2)
    fewer.follow(old, differing: true)
    #expect(try edits(fewer, since: 1) == [#""root" "a""#, #""b" whole "b""#])
    var titled = try table(
      menu("root", ["a", menu("b", ["d"], title: "B")]), marking: ["a"], at: 3)
    titled.follow(fewer, differing: true)
    #expect(try edits(titled, since: 2) == [#""b" whole "b""#])
    #expect(try edits(titled, since: 1) == [#""root" "a""#, #""b" whole "b""#])
  }

  @Test func `of a command that stands in a menu twice the menu is told`() throws {
    let json = menu("root", ["a", "a"])
    let old = try table(json, at: 1)
    var new = try table(json, marking: ["a"], at: 2)
    new.follow(old, differing: true)
    #expect(try edits(new, since: 1) == [#""root" whole "root""#])
  }

  @Test func `of a list the items are told that differ, in its order`() throws {
    func list(_ texts: [String], at revision: Int) -> ElementTable {
      ElementTable(of: ["a", "b", "c"], at: Self.at(revision)) { read in
        for text in texts { read(Array(text.utf8)[...]) }
      }
    }
    func items(_ table: ElementTable, since revision: Int?) -> String {
      var writer = JSONWriter()
      writer.beginArray()
      table.writeItems(since: revision.map(Self.at), to: &writer)
      writer.endArray()
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    let first = list(["1", "2", "3"], at: 1)
    var second = list(["10", "2", "3"], at: 2)
    second.follow(first, differing: true)
    var third = list(["10", "2", "30"], at: 3)
    third.follow(second, differing: true)
    #expect(items(third, since: nil) == "[10,2,30]")
    #expect(items(third, since: 1) == "[10,30]")
    #expect(items(third, since: 2) == "[30]")
    #expect(!third.hasChanged(since: Self.at(3)))
  }
}

extension ElementTable {
  /// Follows a former table, and expects that it differs or not.
  fileprivate mutating func follow(_ former: ElementTable, differing expected: Bool) {
    let differs = follow(former)
    #expect(differs == expected)
  }
}
