import JSONText
import MicroHTTP
import Testing

/// Windows and AppKit's search over HTTP (R10).
struct WindowRouteTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private static let session = #"""
    {"id":"mac","template":false,"search":"appkit","firstResponder":"field","keyWindow":"panel",
     "mainWindow":"document","responders":{
      "application":{"kind":"application"},
      "panel":{"kind":"window"},"field":{"kind":"view","superview":"panel"},
      "document":{"kind":"window","delegate":"owner"},
      "owner":{"kind":"responder","handlers":{"copy:":{}}},
      "sheet":{"kind":"window"}}}
    """#

  @Test func `R10: a session opened for AppKit searches the main window too`() throws {
    let opened = try sample.send(.post, "/sessions", Self.session)
    #expect(opened.status == .created)
    #expect(try opened.value("/search") == "appkit")
    #expect(try opened.value("/mainWindow") == "document")
    #expect(try opened.value("/modalWindow") == .null)
    #expect(try target() == "owner")
  }

  @Test func `R10: a modal window takes the main window's place`() throws {
    _ = try sample.send(.post, "/sessions", Self.session)
    let response = try sample.send(.put, "/sessions/mac/modal-window", #"{"window":"sheet"}"#)
    #expect(
      response.text == #"""
        {"session":"mac","revision":1,"window":"sheet","changes":[\#
        {"change":"modalWindow","window":"sheet"}]}
        """#)
    #expect(try target() == .null)
    _ = try sample.send(.put, "/sessions/mac/modal-window", #"{"window":null}"#)
    #expect(try target() == "owner")
    let main = try sample.send(.put, "/sessions/mac/main-window", #"{"window":null}"#)
    #expect(try main.value("/changes/0/change") == "mainWindow")
    #expect(try target() == .null)
  }

  @Test func `R10: the default search is UIKit's`() throws {
    #expect(try sample.send(.get, "/sessions/demo").value("/search") == "uikit")
  }

  @Test(arguments: ["key", "main", "modal"])
  func `R10: only windows have parts`(role: String) throws {
    try sample.refuses(
      .put, "/sessions/demo/\(role)-window", #"{"window":"root"}"#,
      with: """
        422 /problems/invalid-body
        /window
        The responder 'root' is of kind 'viewController'; only a window can be the \(role) window.
        """)
    try sample.refuses(
      .put, "/sessions/demo/\(role)-window", #"{"window":"ghost"}"#,
      with: """
        422 /problems/unresolved-reference
        /window
        The session has no responder 'ghost'.
        """)
    try sample.refuses(
      .post, "/sessions", #"{"id":"x","\#(role)Window":"root"}"#,
      with: """
        422 /problems/invalid-body
        /\(role)Window
        The responder 'root' is of kind 'viewController'; only a window can be the \(role) window.
        """)
    try sample.refuses(
      .post, "/sessions", #"{"id":"x","\#(role)Window":"ghost"}"#,
      with: """
        422 /problems/unresolved-reference
        /\(role)Window
        The session has no responder 'ghost'.
        """)
  }

  @Test func `R10: a search that nobody knows is refused`() throws {
    try sample.refuses(
      .post, "/sessions", #"{"search":"cocoa"}"#,
      with: """
        422 /problems/invalid-body
        /search
        Expected 'uikit' or 'appkit', found the string 'cocoa'.
        """)
  }

  @Test func `R10: mutations give windows their parts`() throws {
    let response = try sample.send(
      .post, "/sessions/demo/mutations",
      #"""
      {"mutations":[{"op":"makeMainWindow","window":"window"},
       {"op":"makeModalWindow","window":"window"}]}
      """#)
    #expect(try response.value("/outcomes/0/changes/0/change") == "mainWindow")
    #expect(try response.value("/outcomes/1/changes/0/change") == "modalWindow")
    #expect(try sample.send(.get, "/sessions/demo").value("/modalWindow") == "window")
  }

  private func target() throws -> JSON? {
    try sample.send(.post, "/targets/resolve", #"{"session":"mac","action":"copy:"}"#)
      .value("/target")
  }

  @Test func `K1: in AppKit's search the main window's keys come after the key window's`() throws {
    _ = try sample.send(.post, "/sessions", Self.session)
    let keyCommands = #"{"keyCommands":[{"input":"k","action":"copy:"}]}"#
    for responder in ["owner", "application"] {
      _ = try sample.send(
        .put, "/sessions/mac/responders/\(responder)/key-commands", keyCommands)
    }
    let response = try sample.send(
      .post, "/keys/resolve", #"{"session":"mac","key":{"input":"k"}}"#)
    #expect(try response.value("/matches/0/responder") == "owner")
    #expect(try response.value("/matches/0/target") == "owner")
    #expect(try response.value("/matches/1/responder") == "application")
  }

  @Test(arguments: ["uikit", "appkit"])
  func `R7: a search begins at focus, the sender, the key window, the application`(
    search: String
  ) throws {
    _ = try sample.send(
      .post, "/sessions",
      #"""
      {"id":"order","template":false,"search":"\#(search)","firstResponder":"field",
       "keyWindow":"panel","responders":{
        "application":{"kind":"application","handlers":{"copy:":{}}},
        "panel":{"kind":"window","handlers":{"copy:":{}}},
        "field":{"kind":"view","superview":"panel","handlers":{"copy:":{}}},
        "other":{"kind":"window"},
        "button":{"kind":"view","superview":"other","handlers":{"copy:":{}}}}}
      """#)
    func target(_ more: String = "") throws -> JSON? {
      try sample.send(.post, "/targets/resolve", #"{"session":"order","action":"copy:"\#(more)}"#)
        .value("/target")
    }
    let sender = #","sender":{"responder":"button"}"#
    #expect(try target(sender) == "field")
    _ = try sample.send(.put, "/sessions/order/first-responder", #"{"responder":null}"#)
    #expect(try target(sender) == "button")
    #expect(try target() == "panel")
    _ = try sample.send(.put, "/sessions/order/key-window", #"{"window":null}"#)
    #expect(try target(sender) == "button")
    #expect(try target() == "application")
  }
}
