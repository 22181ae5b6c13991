import JSONText
import MicroHTTP
import Testing

/// A window that a request names is as if it were key (R11).
struct WindowFocusRouteTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    _ = try sample.send(.post, "/sessions", Self.session)
    _ = try sample.send(.put, "/sessions/two/first-responder", #"{"responder":"b"}"#)
  }

  private static let session = #"""
    {"id":"two","template":false,"state":{"log":[]},"firstResponder":"a","keyWindow":"left","responders":{
      "application":{"kind":"application"},
      "left":{"kind":"window"},"right":{"kind":"window"},"plain":{"kind":"responder"},
      "a":{"kind":"view","superview":"left"},
      "b":{"kind":"view","superview":"right","keyCommands":[{"input":"k","action":"copy:"}],
        "handlers":{"copy:":{"perform":[{"op":"add","path":"/log/-","value":"responder.id"}]}}}}}
    """#

  private func ask(_ path: String, _ members: String) throws -> Response {
    try sample.send(.post, path, #"{"session":"two",\#(members)}"#)
  }

  @Test func `R11: focus in a window that is not key is that window's alone`() throws {
    let other = try sample.send(.get, "/sessions/two/first-responder?window=right")
    #expect(try other.value("/responder") == "b")
    #expect(try sample.send(.get, "/sessions/two/first-responder").value("/responder") == "a")
    let resigned = try sample.send(
      .put, "/sessions/two/first-responder", #"{"responder":null,"window":"right"}"#)
    #expect(try resigned.value("/changes/0/change") == "link")
    #expect(try sample.send(.get, "/sessions/two/first-responder").value("/responder") == "a")
  }

  @Test(arguments: [
    ("/commands/validate", #""commands":["copy:"]"#, "/items/0/target"),
    ("/keys/resolve", #""key":{"input":"k"}"#, "/target"),
    ("/targets/resolve", #""action":"copy:""#, "/target"),
    ("/commands/search", #""query":"copy","disabled":true"#, "/items/0/target"),
  ])
  func `R11: a question is answered as if the window were key`(
    path: String, members: String, place: String
  ) throws {
    #expect(try ask(path, members).value(place) == .null)
    #expect(try ask(path, members + #","window":"right""#).value(place) == "b")
    #expect(try ask(path, members + #","window":"left""#).value(place) == .null)
    for (window, detail) in [("plain", "only a window"), ("ghost", "has no responder 'ghost'")] {
      let refused = try ask(path, members + #","window":"\#(window)""#)
      #expect(refused.status == .unprocessableContent)
      #expect(try refused.value("/pointer") == "/window")
      #expect(refused.text.contains(detail))
    }
  }

  @Test(arguments: [
    ("menu", ""), ("chain", ""), ("user-activity", ""), ("touch-bar", ""), ("first-responder", ""),
  ])
  func `R11: so is one whose query names the window, and its tag tells it apart`(
    path: String, query: String
  ) throws {
    let right = try sample.send(.get, "/sessions/two/\(path)?window=right")
    let left = try sample.send(.get, "/sessions/two/\(path)?window=left")
    #expect(right.status == .ok && left.status == .ok)
    if path == "menu" || path == "chain" || path == "first-responder" {
      #expect(right.text != left.text)
    }
    if path == "menu" || path == "chain" {
      #expect(right.headers["etag"] != left.headers["etag"])
    }
    let refused = try sample.send(.get, "/sessions/two/\(path)?window=ghost")
    #expect(refused.status == .badRequest)
  }

  @Test func `R11: a command and a key are performed in the window`() throws {
    #expect(try ask("/commands/perform", #""command":"copy:""#).status == .conflict)
    let performed = try ask("/commands/perform", #""command":"copy:","window":"right""#)
    #expect(try performed.value("/target") == "b")
    let pressed = try ask("/keys/press", #""key":{"input":"k"},"window":"right""#)
    #expect(try pressed.value("/target") == "b")
    #expect(try sample.send(.get, "/sessions/two").value("/state/log") == ["b", "b"])
    #expect(try sample.send(.get, "/sessions/two/first-responder").value("/responder") == "a")
  }

  @Test func `R11: key and window are told where they are refused`() throws {
    try sample.refuses(
      .put, "/sessions/two/first-responder", #"{"responder":"b","window":"left"}"#,
      with: """
        409 /problems/link-conflict
        /window
        The responder 'b' is not in the window 'left', whose focus it is to take; leave 'window' out, \
        or name the window that it is in.
        """)
    try sample.refuses(
      .post, "/targets/resolve",
      #"{"session":"two","action":"copy:","chain":"coordinating","from":"b","window":"left"}"#,
      with: """
        422 /problems/invalid-body
        /window
        There is no member 'window' here; known are session, action, chain, from, explain and assuming.
        """)
  }

  @Test func `R11: events tell the items of the window that they are asked for`() throws {
    let right = try sample.send(.get, "/sessions/two/changes?commands=copy:&window=right")
    #expect(try right.value("/0/data/items/0/target") == "b")
    let left = try sample.send(.get, "/sessions/two/changes?commands=copy:&window=left")
    #expect(try left.value("/0/data/items/0/target") == .null)
    let refused = try sample.send(.get, "/sessions/two/changes?commands=copy:&window=plain")
    #expect(refused.status == .badRequest)
  }
}
