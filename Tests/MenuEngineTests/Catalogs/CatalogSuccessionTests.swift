import JSONText
import Testing

@testable import MenuEngine

/// Changes by clients on top of a catalogue that was read again (M4).
@Suite struct CatalogSuccessionTests {
  private func catalog(
    _ commands: JSON = [["action": "copy:", "title": "Copy"]],
    _ menus: JSON = [["identifier": "edit", "children": ["copy:"]]]
  ) throws -> Catalog {
    try CatalogDocument([.commands: commands, .menus: menus]).catalog()
  }

  private func more(_ id: String, _ children: JSON = []) -> MenuEdit {
    let menu = Menu(
      identifier: MenuID(stringLiteral: id), title: id, image: nil, options: [],
      children: (children == []) ? [] : [.command(CommandPlace("share:"))])
    return .insertChildAtEnd(of: "edit", menu)
  }

  private let share: JSON = ["action": "share:", "title": "Share"]

  @Test func `M4: edits survive, in the order in which they were made`() throws {
    var present = try catalog()
    try present.make([more("one"), .insertSiblingAfter("one", Menu("two")), .remove(menu: "one")])
    let read = try catalog([["action": "copy:", "title": "Duplicate"]])
    let succession = read.succeeding(present)
    #expect(succession.leftOut == [])
    #expect(succession.menus == present.menus)
    #expect(succession.edits == present.edits)
    #expect(succession.command("copy:")?.title == "Duplicate")
    #expect(succession.revision == present.revision + 1)
    let again = try catalog().succeeding(succession)
    #expect(again.menus == present.menus)
  }

  @Test func `M4: names made for edits are not those of menus that are declared later`() throws {
    func nameless(_ count: Int) throws -> Catalog {
      try catalog(
        [["action": "copy:", "title": "Copy"]], .array(Array(repeating: [:], count: count)))
    }
    var present = try nameless(1)
    let json: JSON = [["op": "insertChild", "atEndOfMenu": "root", "menu": ["title": "New"]]]
    var names = present.menuNames(besides: json)
    let edits = try FaultLog.collecting { log in
      Read.list(json, at: .root, log: log) { MenuEdit(reading: $0, at: $1, log: $2, names: &names) }
    }
    try present.make(edits)
    let succession = try nameless(3).succeeding(present)
    #expect(succession.leftOut == [])
    #expect(
      succession.menus.menus.map(\.identifier) == [
        "root", "menu.1", "menu.2", "menu.3", "edit.1",
      ])
  }

  @Test func `M4: an edit that cannot be made any more is left out, and the others are made`()
    throws
  {
    var present = try catalog()
    try present.make([more("one"), .remove(menu: "edit"), .insertChildAtEnd(of: "root", Menu("x"))])
    let read = try catalog([["action": "copy:", "title": "Copy"]], [])
    let succession = read.succeeding(present)
    #expect(
      succession.leftOut == [
        .init(change: .edit(more("one")), fault: .menu(.unknownMenu("edit"))),
        .init(change: .edit(.remove(menu: "edit")), fault: .menu(.unknownMenu("edit"))),
      ])
    #expect(succession.menus.children == [.menu(Menu("x"))])
    #expect(succession.edits == [.insertChildAtEnd(of: "root", Menu("x"))])
  }

  @Test func `M4: commands that clients declared survive, with edits that show them`() throws {
    var present = try catalog()
    _ = try present.declare(command(share))
    try present.make([more("one", ["share:"])])
    let succession = try catalog().succeeding(present)
    #expect(succession.leftOut == [])
    #expect(succession.commands.map(\.id) == ["copy:", "share:"])
    #expect(succession.menus.commands == ["copy:", "share:"])
  }

  @Test func `M4: a command that contradicts the new declarations is left out`() throws {
    var present = try catalog()
    _ = try present.declare(command(share))
    try present.make([more("one", ["share:"])])
    let read = try catalog([
      ["action": "copy:", "title": "Copy"], ["id": "send", "action": "share:", "title": "Send"],
    ])
    let succession = read.succeeding(present)
    #expect(
      succession.leftOut == [
        .init(
          change: .declare(try command(share)),
          fault: .command(.duplicateIdentity("share:", "share:", other: "send"))),
        .init(change: .edit(more("one", ["share:"])), fault: .menu(.undeclaredCommand("share:"))),
      ])
    #expect(succession.changes == [])
  }

  @Test func `M4: what is declared just so now is no client's any more`() throws {
    var present = try catalog()
    _ = try present.declare(command(share))
    let read = try catalog([["action": "copy:", "title": "Copy"], share])
    #expect(read.succeeding(present).leftOut == [])
    #expect(read.succeeding(present).changes == [])
  }

  @Test func `M4: a command that a client removed stays away, unless a menu shows it again`() throws
  {
    var present = try catalog(
      [["action": "copy:", "title": "Copy"], ["action": "cut:", "title": "Cut"]])
    try present.remove("cut:")
    let both: JSON = [["action": "copy:", "title": "Copy"], ["action": "cut:", "title": "Cut"]]
    #expect(try catalog(both).succeeding(present).commands.map(\.id) == ["copy:"])
    #expect(try catalog().succeeding(present).leftOut == [])
    let shown = try catalog(both, [["identifier": "edit", "children": ["cut:"]]])
    #expect(
      shown.succeeding(present).leftOut == [
        .init(change: .remove("cut:"), fault: .command(.standsInMenus("cut:", ["edit"])))
      ])
  }

  @Test func `M4: commands that come and go leave nothing behind`() throws {
    var present = try catalog()
    for _ in 0..<3 {
      _ = try present.declare(command(share))
      try present.remove("share:")
    }
    #expect(present.changes == [])
  }

  @Test func `M4: a command that an edit showed for a while is remembered for that edit`() throws {
    var present = try catalog()
    _ = try present.declare(command(share))
    try present.make([more("one", ["share:"]), .remove(menu: "one")])
    try present.remove("share:")
    let succession = try catalog().succeeding(present)
    #expect(succession.leftOut == [])
    #expect(succession.commands.map(\.id) == ["copy:"])
    #expect(succession.menus == present.menus)
  }
}

extension Menu {
  fileprivate init(_ identifier: MenuID) {
    self.init(identifier: identifier, title: "", image: nil, options: [], children: [])
  }
}
