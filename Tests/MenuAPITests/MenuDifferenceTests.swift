import JSONText
import Testing

@testable import MenuAPI

/// E1 and M2: events tell what differs in a menu by the names of menus and commands.
@Suite struct MenuDifferenceTests {
  private func menu(_ name: String, _ children: [JSON], title: String = "") -> JSON {
    ["identifier": .string(name), "title": .string(title), "children": .array(children)]
  }

  private func item(_ command: String, _ state: String = "off") -> JSON {
    ["command": .string(command), "state": .string(state)]
  }

  private func edits(_ old: JSON, _ new: JSON) throws -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member(menuEdits: try #require(MenuDifference(from: old, to: new)).edits)
    writer.endObject()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `an item that differs is told whole, with the menu that it stands in`() throws {
    let old = menu("root", [item("a"), menu("b", [item("c"), item("d")])])
    let new = menu("root", [item("a"), menu("b", [item("c"), item("d", "on")])])
    #expect(
      try edits(old, new)
        == #"{"menuEdits":[{"menu":"b","items":[{"command":"d","state":"on"}]}]}"#)
    #expect(try edits(old, old) == #"{"menuEdits":[]}"#)
  }

  @Test func `a menu with other elements, or a title of its own, is told whole`() throws {
    let old = menu("root", [item("a"), menu("b", [item("c"), item("d")])])
    let fewer = menu("root", [item("a", "on"), menu("b", [item("d")])])
    #expect(
      try edits(old, fewer)
        == #"{"menuEdits":[{"menu":"root","items":[{"command":"a","state":"on"}]},"#
        + #"{"menu":"b","value":{"identifier":"b","title":"","children":[{"command":"d","state":"off"}]}}]}"#
    )
    let titled = menu("root", [item("a"), menu("b", [item("c"), item("d")], title: "B")])
    #expect(try edits(old, titled).contains(#"{"menu":"b","value":{"identifier":"b","title":"B""#))
  }

  @Test func `of a command that stands in a menu twice the menu is told`() throws {
    let old = menu("root", [item("a", "on"), item("a", "on")])
    let new = menu("root", [item("a", "on"), item("a")])
    #expect(try edits(old, new).hasPrefix(#"{"menuEdits":[{"menu":"root","value""#))
    #expect(MenuDifference(from: menu("x", []), to: menu("y", [])) == nil)
  }
}
