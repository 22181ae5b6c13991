import JSONText
import MicroHTTP
import Testing

/// Menus limited to main or context menus (M3), and what commands say of themselves (M1, M2), over HTTP.
struct MenuSystemRouteTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    let edit = #"""
      {"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"identifier":"more",
       "title":"More","systems":["context"],
       "children":["copy:",{"command":"copy:","systems":["main"]}]}}]}
      """#
    let response = try sample.send(.post, "/menus/edits", edit)
    #expect(
      try response.value("/edits/0/menu") == [
        "identifier": "more", "title": "More", "options": [], "systems": ["context"],
        "children": ["copy:", ["command": "copy:", "systems": ["main"]]],
      ])
  }

  @Test func `M3: the menu of a session has what its kind shows`() throws {
    let context = try sample.send(.get, "/sessions/demo/menu?menu=edit&kind=context")
    #expect(try context.value("/menu/children/1/identifier") == "more")
    #expect(try context.value("/menu/children/1/children/0/command") == "copy:")
    #expect(try context.value("/menu/children/1/children/1") == nil)
    let main = try sample.send(.get, "/sessions/demo/menu?menu=edit")
    #expect(!main.text.contains(#""more""#))
    let inner = try sample.send(.get, "/sessions/demo/menu?menu=more")
    #expect(try inner.value("/menu/children") == [])
  }

  @Test func `M3: validating a menu has a kind too`() throws {
    func commands(_ kind: String) throws -> JSON? {
      try sample.send(
        .post, "/commands/validate", #"{"session":"demo","menu":"more"\#(kind)}"#
      ).value("/items/0/command")
    }
    #expect(try commands(#","kind":"context""#) == "copy:")
    #expect(try commands(#","kind":"main""#) == nil)
    #expect(try commands("") == nil)
    try sample.refuses(
      .post, "/commands/validate", #"{"session":"demo","kind":"context"}"#,
      with: #"""
        422 /problems/invalid-body

        The member 'menu' is missing.
        """#)
  }

  @Test func `M3: a menu that no system shows is refused`() throws {
    try sample.refuses(
      .post, "/menus/edits",
      #"{"edits":[{"op":"insertChild","atEndOfMenu":"edit","menu":{"systems":[]}}]}"#,
      with: #"""
        422 /problems/invalid-body
        /edits/0/menu/systems
        Expected one or more of 'main' and 'context', found an empty array.
        """#)
  }

  @Test func `M2: the description of a command is kept and answered`() throws {
    let body = #"""
      {"title":"Look","action":"look:","description":"Shows the photo.","propertyList":null}
      """#
    #expect(try sample.send(.put, "/commands/look:", body).status == .created)
    let command = try sample.send(.get, "/commands/look:")
    #expect(try command.value("/description") == "Shows the photo.")
    #expect(try command.value("/propertyList") == nil)
  }
}
