import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

/// Storyboards, protocols, launching, segues and messages over HTTP (V1–V7, V10).
struct StoryboardRoutesTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    try sample.openPhone()
  }

  private func launch() throws {
    let launched = try sample.send(.post, "/sessions/phone/launch", #"{"storyboard":"Main"}"#)
    #expect(launched.status == .ok, "\(launched.text)")
  }

  @Test func `a storyboard is declared, declared again and removed`() throws {
    let body = #"{"initialViewController":"a","scenes":{"a":{}}}"#
    let added = try sample.send(.put, "/storyboards/Help", body)
    #expect(added.status == .created && added.headers["location"] == "/storyboards/Help")
    #expect(try sample.send(.put, "/storyboards/Help", body).status == .ok)
    #expect(
      try sample.send(.get, "/storyboards").value("/storyboards/Help/initialViewController") == "a")
    #expect(try sample.send(.get, "/storyboards").value("/catalogRevision") == 1)
    #expect(try sample.send(.delete, "/storyboards/Help").status == .noContent)
    #expect(try sample.send(.get, "/storyboards/Help").status == .notFound)
  }

  @Test func `V3: every fault of a storyboard is in the answer`() throws {
    try sample.refuses(
      .put, "/storyboards/Help",
      #"{"initialViewController":"b","scenes":{"a":{"class":"Nobody","segues":[{"identifier":"Go","kind":"show","destination":"a"},{"identifier":"Go","kind":"show","destination":"c"}]}}}"#,
      with: #"""
        422 /problems/unresolved-reference
        /initialViewController
        The storyboard 'Help' has no scene 'b'. And 3 more, see 'errors'.
        """#)
  }

  @Test func `a different declaration under a name that is taken is refused`() throws {
    try sample.refuses(
      .put, "/storyboards/Main", #"{"initialViewController":"a","scenes":{"a":{}}}"#,
      with: #"""
        409 /problems/duplicate-declaration

        The storyboard 'Main' is declared already, and differently; delete it first, or choose another name.
        """#)
    try sample.refuses(
      .put, "/protocols/ZoomDelegate", "{}",
      with: #"""
        409 /problems/duplicate-declaration

        The protocol 'ZoomDelegate' is declared already, and differently; delete it first, or choose another name.
        """#)
  }

  @Test func `V7: a protocol that a class names is not removed`() throws {
    try sample.refuses(
      .delete, "/protocols/ZoomDelegate",
      with: #"""
        409 /problems/protocol-in-use
        The protocol 'ZoomDelegate' is that of the delegates of the class 'ZoomViewController'.
        """#)
  }

  @Test func `what is not declared is not found`() throws {
    try sample.refuses(
      .get, "/storyboards/Nothing",
      with: #"""
        404 /problems/unknown-storyboard
        There is no storyboard 'Nothing'; GET /storyboards lists those that are declared.
        """#)
    try sample.refuses(
      .delete, "/protocols/N%C3%B6",
      with: #"""
        404 /problems/unknown-protocol
        There is no protocol 'Nö'; GET /protocols lists those that are declared.
        """#)
  }

  @Test func `V1: what cannot be launched is refused`() throws {
    try sample.refuses(
      .post, "/sessions/demo/launch", #"{"storyboard":"Main"}"#,
      with: #"""
        409 /problems/launched-already
        The session has the application 'application' already; open another session to launch in.
        """#)
    try sample.refuses(
      .post, "/sessions/phone/launch", #"{"storyboard":"Other"}"#,
      with: #"""
        422 /problems/unresolved-reference
        /storyboard
        There is no storyboard 'Other'; GET /storyboards lists those that are declared.
        """#)
    try sample.refuses(
      .post, "/sessions/phone/launch", #"{"delegate":{"class":"Nobody"}}"#,
      with: #"""
        422 /problems/unresolved-reference
        /delegate/class
        The class 'Nobody' of the responder 'appDelegate' is not declared.
        """#)
  }

  @Test func `V1: a session can be opened with a launch`() throws {
    let opened = try sample.send(
      .post, "/sessions", #"{"id":"new","template":false,"launch":{"storyboard":"Main"}}"#)
    #expect(
      try opened.value("/steps/7/says") == "V1.8: the window 'window' becomes key and visible.")
    #expect(try opened.value("/keyWindow") == "window")
    let refused = try sample.send(
      .post, "/sessions", #"{"id":"other","template":false,"launch":{"storyboard":"Nothing"}}"#)
    #expect(
      try refused.problem == """
        /problems/unresolved-reference
        /launch/storyboard
        There is no storyboard 'Nothing'; GET /storyboards lists those that are declared.
        """)
  }

  @Test func `V3: a segue that is not there, or has no storyboard, is refused`() throws {
    try launch()
    try sample.refuses(
      .post, "/sessions/phone/segues/Nothing", #"{"source":"photos"}"#,
      with: #"""
        404 /problems/unknown-segue
        The scene 'photos' of 'photos' has no segue 'Nothing'; it has 'ShowZoom'.
        """#)
    try sample.refuses(
      .post, "/sessions/demo/segues/ShowZoom", #"{"source":"root"}"#,
      with: #"""
        409 /problems/no-storyboard
        /source
        'root' comes from no storyboard; instantiate it from one, or PUT it with members 'storyboard' and 'scene'.
        """#)
    try sample.refuses(
      .post, "/sessions/phone/segues/ShowZoom", #"{"source":"nobody"}"#,
      with: #"""
        422 /problems/unresolved-reference
        /source
        The session has no responder 'nobody'.
        """#)
    try sample.refuses(
      .post, "/sessions/phone/segues/a%20b", #"{"source":"photos"}"#,
      with: #"""
        404 /problems/unknown-segue
        'a b' cannot be the identifier of a segue.
        """#)
  }

  @Test func `V7: a delegate that lacks a message is refused, naming both and the message`() throws
  {
    try launch()
    _ = try sample.send(.post, "/sessions/phone/segues/ShowZoom", #"{"source":"photos"}"#)
    try sample.refuses(
      .post, "/sessions/phone/mutations",
      #"{"mutations":[{"op":"setDelegate","responder":"zoom","delegate":"appDelegate"}]}"#,
      with: #"""
        409 /problems/delegate-refused
        /mutations/0/delegate
        Mutation 0 is refused, and with it all of them. 'appDelegate' cannot be the delegate of 'zoom': it has no handler for 'zoomDidChange:', which the protocol 'ZoomDelegate' requires.
        """#)
    try sample.refuses(
      .post, "/sessions/phone/messages",
      #"{"message":"explode:","from":"zoom","to":"delegate"}"#,
      with: #"""
        422 /problems/invalid-body
        /message
        'zoom' cannot send 'explode:' to its delegate: the protocol 'ZoomDelegate' does not have it.
        """#)
  }

  @Test func `V7: a required handler is not taken away from a delegate, and the link is named`()
    throws
  {
    let owner = #"{"kind":"viewController","handlers":{"zoomDidChange:":{}}}"#
    _ = try sample.send(.put, "/sessions/phone/responders/owner", owner)
    let zoom = #"{"kind":"viewController","class":"ZoomViewController","delegate":"owner"}"#
    _ = try sample.send(.put, "/sessions/phone/responders/own", zoom)
    try sample.refuses(
      .delete, "/sessions/phone/responders/owner/handlers/zoomDidChange:",
      with: """
        409 /problems/delegate-refused
        'owner' keeps its handler for 'zoomDidChange:': it is the delegate of 'own', and the protocol 'ZoomDelegate' requires it; give 'own' another delegate first.
        """)
  }

  @Test func `V9: a handler that answers neither yes nor no is named`() throws {
    try launch()
    _ = try sample.send(
      .put, "/sessions/phone/responders/photos/handlers/shouldPerformSegueWithIdentifier:sender:",
      #"{"perform":[{"op":"answer","value":"'no'"}]}"#)
    try sample.refuses(
      .post, "/sessions/phone/segues/ShowZoom", #"{"source":"photos"}"#,
      with: """
        409 /problems/effect-failed
        Nothing was changed, since the handler of 'photos' for 'shouldPerformSegueWithIdentifier:sender:' answers the string 'no' instead of true or false.
        """)
    let refused = try sample.send(
      .post, "/sessions/phone/segues/ShowZoom", #"{"source":"photos"}"#)
    #expect(
      try refused.value("/handler") == [
        "responder": "photos", "selector": "shouldPerformSegueWithIdentifier:sender:",
      ])
  }

  /// Makes an instance of a navigation controller whose child `a` has a segue `Go` to `b`.
  private func instantiate(_ kind: String, a: String = "{}", b: String) throws {
    let segue = #"{"identifier":"Go","kind":"\#(kind)","destination":"b"}"#
    let declared = try sample.send(
      .put, "/storyboards/Going",
      #"{"initialViewController":"nav","scenes":{"nav":{"class":"UINavigationController","viewControllers":["a"],"handlers":{"home:":{}}},"a":{"handlers":\#(a),"segues":[\#(segue)]},"b":{"handlers":\#(b)}}}"#
    )
    #expect(declared.status == .created, "\(declared.text)")
    let made = try sample.send(
      .post, "/sessions/phone/mutations",
      #"{"mutations":[{"op":"instantiate","storyboard":"Going","scene":"nav"}]}"#)
    #expect(made.status == .ok, "\(made.text)")
  }

  @Test(arguments: ["push", "present", "popover"])
  func `V3: a segue whose destination removes itself says so, and not that the body is wrong`(
    kind: String
  ) throws {
    try instantiate(kind, b: #"{"awakeFromNib":{"perform":[{"op":"removeResponder"}]}}"#)
    let problem = #"""
      409 /problems/effect-failed
      Nothing was changed, since the segue from 'a' leads to 'b', which a handler has removed.
      """#
    try sample.refuses(
      .post, "/sessions/phone/segues/Go", #"{"source":"a","by":"code"}"#, with: problem)
    try sample.refuses(
      .post, "/sessions/phone/segues/Go", #"{"source":"a","sender":{"responder":"a"}}"#,
      with: problem)
    try sample.refuses(
      .post, "/sessions/phone/segues/Go", #"{"source":"a","sender":{"responder":"ghost"}}"#,
      with: #"""
        422 /problems/unresolved-reference
        /sender/responder
        The session has no responder 'ghost'.
        """#)
  }

  @Test func `V6: unwinding to one that the source removes says so`() throws {
    try instantiate(
      "push",
      a: #"{"prepareForSegue:sender:":{"perform":[{"op":"removeResponder","responder":"'nav'"}]}}"#,
      b: "{}")
    try sample.refuses(
      .post, "/sessions/phone/unwind", #"{"source":"a","action":"home:"}"#,
      with: #"""
        409 /problems/effect-failed
        Nothing was changed, since the segue from 'a' leads to 'nav', which a handler has removed.
        """#)
  }

  @Test func `V6: without a destination nothing is performed, and the trace says who was asked`()
    throws
  {
    try launch()
    let answer = try sample.send(
      .post, "/sessions/phone/unwind", #"{"action":"home:","source":"photos","explain":true}"#)
    #expect(answer.status == .ok)
    #expect(try answer.value("/performed") == false)
    #expect(try answer.value("/reason") == "noDestination")
    #expect(try answer.value("/changes") == [])
  }

  @Test func `V9: a deletion answers what became of view controllers, and who was told`() throws {
    try launch()
    _ = try sample.send(.post, "/sessions/phone/segues/ShowZoom", #"{"source":"photos"}"#)
    let observer =
      #"{"kind":"responder","observes":[{"event":"dealloc","action":"gone:"}],"handlers":{"gone:":{}}}"#
    _ = try sample.send(.put, "/sessions/phone/responders/observer", observer)
    let deleted = try sample.send(.delete, "/sessions/phone/responders/photos")
    #expect(
      try deleted.value("/events/2")
        == ["event": "dealloc", "viewController": "photos", "told": ["observer"]])
    #expect(
      try deleted.value("/events/5")
        == ["event": "dealloc", "viewController": "zoom", "told": ["observer"]])
    #expect(try sample.send(.get, "/sessions/phone/responders/zoom").status == .notFound)
  }

  @Test func `V9: a method that fails when its view controller is deleted stops that`() throws {
    let failing =
      #"{"kind":"viewController","handlers":{"dealloc":{"perform":[{"op":"firstResponder","responder":"'ghost'"}]}}}"#
    _ = try sample.send(.put, "/sessions/phone/responders/own", failing)
    try sample.refuses(
      .delete, "/sessions/phone/responders/own",
      with: """
        409 /problems/effect-failed
        Nothing was changed, since effect 0 of 'dealloc' at 'own' failed. The session has no responder 'ghost'.
        """)
    #expect(try sample.send(.get, "/sessions/phone/responders/own").status == .ok)
  }

  @Test func `V10: warnings can be read`() throws {
    _ = try sample.send(
      .put, "/storyboards/Odd",
      #"{"initialViewController":"a","scenes":{"a":{"segues":[{"identifier":"Go","kind":"show","destination":"b"}]},"b":{"handlers":{"done:":{"perform":[{"op":"send","action":"'x:'","to":"'a'"}]}}}}}"#
    )
    let warnings = try sample.send(.get, "/storyboards/warnings")
    #expect(
      try warnings.value("/warnings") == [
        [
          "rule": "talksThroughDelegate", "part": "storyboards",
          "pointer": "/Odd/scenes/b/handlers/done:/perform/0/to",
          "says":
            "V10 talksThroughDelegate: 'b' sends a message to its source 'a' itself; let it have a delegate, and send it there.",
        ]
      ])
  }

  @Test func `what becomes of segues and messages in a list of mutations is in its answer`() throws
  {
    try launch()
    let answer = try sample.send(
      .post, "/sessions/phone/mutations",
      #"{"mutations":[{"op":"performSegue","identifier":"ShowZoom","source":"photos"},{"op":"message","message":"zoomDidChange:","from":"zoom","to":"delegate"},{"op":"instantiate","storyboard":"Main","scene":"zoom"}]}"#
    )
    #expect(try answer.value("/outcomes/0/destination") == "zoom")
    #expect(try answer.value("/outcomes/1/delivered") == true)
    #expect(try answer.value("/outcomes/2/instance") == "zoom-2")
  }
}
