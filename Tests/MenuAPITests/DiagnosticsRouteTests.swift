import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import Testing

@testable import MenuAPI

/// The diagnostics of a session and its catalogue, over HTTP.
struct DiagnosticsRouteTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private func diagnostics(_ member: String) throws -> JSON? {
    try sample.send(.get, "/sessions/demo/diagnostics").value("/\(member)")
  }

  @Test func `keys claimed twice are listed, as by their own route`() throws {
    try sample.listen(#"{"input":"c","modifiers":["command"],"action":"copy:"}"#)
    let conflicts = try diagnostics("keyConflicts")
    #expect(conflicts?[JSONPointer(["0", "winner", "responder"])] == "photoGrid")
    let own = try sample.send(.get, "/keys/conflicts?session=demo").value("/conflicts")
    #expect(conflicts == own)
  }

  @Test func `alternates and key commands that nobody handles are listed`() throws {
    let command = #"""
      {"title":"Print","action":"copy:","propertyList":1,
       "alternates":[{"modifiers":["shift"],"title":"Scan","action":"scan:"}]}
      """#
    #expect(try sample.send(.put, "/commands/print", command).status == .created)
    try sample.listen(#"{"input":"x","action":"fly:"}"#)
    #expect(
      try diagnostics("unhandledAlternates") == [
        ["command": "print", "modifiers": ["shift"], "action": "scan:"]
      ])
    #expect(
      try diagnostics("unhandledKeyCommands") == [
        [
          "responder": "photoGrid", "key": ["input": "x", "modifiers": []], "action": "fly:",
        ]
      ])
  }

  @Test func `L10: proxies of nobody are listed`() throws {
    #expect(try diagnostics("deadProxies") == [])
    _ = try sample.send(.delete, "/sessions/demo/responders/photoGrid")
    #expect(try diagnostics("deadProxies") == ["gridProxy"])
  }

  @Test func `L2: registries that no chain passes are listed`() throws {
    _ = try sample.send(
      .put, "/sessions/demo/responders/loose", #"{"kind":"responder","lateResponders":{}}"#)
    #expect(try diagnostics("unreachableRegistries") == ["loose"])
  }

  @Test func `a rule of an effect that fails always is listed as such`() throws {
    let handler = #"{"perform":[{"op":"replace","path":"/rating","value":"1 / 0"}]}"#
    _ = try sample.send(.put, "/sessions/demo/responders/root/handlers/divide", handler)
    let failing = try diagnostics("failing")
    #expect(failing?[JSONPointer(["0", "receiver"])] == "root")
    #expect(failing?[JSONPointer(["0", "always"])] == true)
    #expect(failing?[JSONPointer(["0", "error", "place"])] == "perform/0/value")
    #expect(failing?[JSONPointer(["1", "always"])] == false)
  }

  @Test func `R9: a link that would close a cycle is refused with its path`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/photoGrid", #"{"kind":"view","proxied":"gridProxy"}"#,
      with: #"""
        409 /problems/link-conflict

        The link 'proxied' would close a cycle: 'photoGrid' → 'gridProxy' → 'photoGrid'.
        """#)
  }

  @Test func `M4: what a reload left out is told by the commands and the menus`() throws {
    let share = #"{"title":"Share","action":"share:"}"#
    #expect(try sample.send(.put, "/commands/share:", share).status == .created)
    let edit = #"""
      {"edits":[{"op":"insertChild","atEndOfMenu":"rating","menu":{"identifier":"late"}}]}
      """#
    #expect(try sample.send(.post, "/menus/edits", edit).status == .ok)
    #expect(try sample.send(.get, "/commands").value("/leftOut") == nil)
    let read = try CatalogDocument([
      .commands: [["title": "Send", "action": "send:", "id": "share:"]]
    ]).catalog()
    try sample.replicas.commit { try $0.changeCatalog(by: .replace(read)) }
    let leftOut: JSON = try #require(try sample.send(.get, "/commands").value("/leftOut"))
    #expect(leftOut[JSONPointer(["0", "declare", "title"])] == "Share")
    #expect(
      leftOut[JSONPointer(["0", "why"])]?.text().contains("'share:'") == true)
    #expect(leftOut[JSONPointer(["1", "edit", "op"])] == "insertChild")
    #expect(
      leftOut[JSONPointer(["1", "why"])]
        == "There is no menu 'rating'; GET /menus shows those that are there.")
    #expect(try sample.send(.get, "/menus").value("/leftOut") == leftOut)
  }
}
