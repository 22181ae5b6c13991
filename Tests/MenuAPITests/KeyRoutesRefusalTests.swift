import JSONText
import MicroHTTP
import Testing

struct KeyRoutesRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `K3: a key that nothing matches is a conflict`() throws {
    try sample.refuses(
      .post, "/keys/press", #"{"session":"demo","key":{"input":"j","modifiers":["control"]}}"#,
      with: #"""
        409 /problems/not-performed
        /key
        The key 'ctrl+j' does nothing here: no command or key command matches it.
        """#)
    let response = try sample.key("press", #"{"input":"j","modifiers":["control"]}"#)
    #expect(try response.value("/reason") == "noMatch")
  }

  @Test(arguments: ["resolve", "press"])
  func `a member that is not read is refused, and each known one is named once`(path: String)
    throws
  {
    let response = try sample.key(path, #"{"input":"j"}"#, #","wholly":true"#)
    guard case .string(let detail)? = try response.value("/detail") else {
      Issue.record("no detail")
      return
    }
    #expect(detail.split(separator: "explain").count == 2, "\(detail)")
  }

  @Test func `M2: a platform that there is not is refused at its place`() throws {
    try sample.refuses(
      .post, "/keys/resolve", #"{"session":"demo","key":{"input":"j"},"platform":"linux"}"#,
      with: #"""
        422 /problems/invalid-body
        /platform
        Expected 'apple' or 'other', found the string 'linux'.
        """#)
  }

  @Test func `K3: a key all of whose matches are passed over says why`() throws {
    _ = try sample.send(
      .put, "/commands/paste2:",
      #"{"title":"Paste","action":"paste:","propertyList":2,"key":{"input":"v"}}"#)
    try sample.refuses(
      .post, "/keys/press", #"{"session":"demo","key":{"input":"v"}}"#,
      with: #"""
        409 /problems/not-performed
        /key
        The key 'v' does nothing here: passed over is the command 'paste2:' (ruleError, no such key "clipboard"; the keys are "rating", "selection", "photos", "zoom", "sortedBy").
        """#)
    let single = try sample.key("press", #"{"input":"v"}"#)
    #expect(try single.value("/reason") == "ruleError")
    try sample.listen(#"{"input":"v","action":"nobody:"}"#)
    try sample.refuses(
      .post, "/keys/press", #"{"session":"demo","key":{"input":"v"}}"#,
      with: #"""
        409 /problems/not-performed
        /key
        The key 'v' does nothing here: passed over are 'nobody:' of the responder 'photoGrid' (noTarget) and the command 'paste2:' (ruleError, no such key "clipboard"; the keys are "rating", "selection", "photos", "zoom", "sortedBy").
        """#)
    let response = try sample.key("press", #"{"input":"v"}"#, #","explain":true"#)
    #expect(try response.value("/reason") == "noTarget")
    #expect(try response.value("/matches/0/reason") == "noTarget")
    #expect(try response.value("/matches/1/error/place") == "validate/enabled")
    #expect(try response.value("/trace/0/question") == "keyCommands")
  }

  @Test func `a key that is none is refused`() throws {
    try sample.refuses(
      .post, "/keys/resolve", #"{"session":"demo","key":{"input":"ab","modifiers":["meta"]}}"#,
      with: #"""
        422 /problems/invalid-body
        /key/modifiers/0
        Expected 'command', 'shift', 'alternate', 'control', 'alphaShift' or 'numericPad', found the string 'meta'. And 1 more, see 'errors'.
        """#)
  }

  @Test(arguments: ["resolve", "press"])
  func `a session or responder that is not there is named`(path: String) throws {
    try sample.refuses(
      .post, "/keys/\(path)", #"{"session":"nobody","key":{"input":"a"}}"#,
      with: #"""
        404 /problems/unknown-session
        /session
        No session 'nobody' is open; POST /sessions opens one.
        """#)
    try sample.refuses(
      .post, "/keys/\(path)", #"{"session":"demo","key":{"input":"a"},"from":"ghost"}"#,
      with: #"""
        422 /problems/unresolved-reference
        /from
        The session has no responder 'ghost'.
        """#)
  }

  @Test func `a press heeds If-Match`() throws {
    let response = try sample.send(
      .post, "/keys/press", #"{"session":"demo","key":{"input":"5","modifiers":["command"]}}"#,
      headers: [("If-Match", "\"run1.1.9\"")])
    #expect(response.status == .preconditionFailed)
  }

  @Test func `conflicts of what is not there are refused`() throws {
    try sample.refuses(
      .get, "/keys/conflicts?session=nobody",
      with: #"""
        404 /problems/unknown-session
        No session 'nobody' is open; POST /sessions opens one.
        """#)
    try sample.refuses(
      .get, "/keys/conflicts?session=demo&from=ghost",
      with: #"""
        400 /problems/invalid-query
        The session has no responder 'ghost'.
        """#)
    try sample.refuses(
      .get, "/keys/conflicts?from=root",
      with: #"""
        400 /problems/invalid-query
        'from' in the query needs 'session' beside it.
        """#)
  }

  @Test func `key commands of a responder that is not there are refused`() throws {
    let path = "/sessions/demo/responders/ghost/key-commands"
    for (method, body) in [(Method.get, nil), (.put, #"{"keyCommands":[]}"#)] {
      try sample.refuses(
        method, path, body,
        with: method == .get
          ? #"""
          404 /problems/unknown-responder
          The session 'demo' has no responder 'ghost'.
          """#
          : #"""
          404 /problems/unknown-responder
          The session has no responder 'ghost'.
          """#)
    }
  }

  @Test func `key commands with faults are refused with all of them`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/photoGrid/key-commands",
      #"{"keyCommands":[{"input":"a"},{"input":"long","action":"a"}]}"#,
      with: #"""
        422 /problems/invalid-body
        /keyCommands/0
        The member 'action' is missing. And 1 more, see 'errors'.
        """#)
  }

  @Test(
    arguments: [
      (
        #"{"input":"n","action":"a:"}"#,
        "The key command 'a:' with the key 'n' is declared twice, and both declarations are "
          + "identical; leave one of them out."
      ),
      (
        #"{"input":"n","action":"a:","title":"A"}"#,
        "The key command 'a:' with the key 'n' is declared twice, and differently; leave one of "
          + "them out, or give each a 'when' of its own."
      ),
      (
        #"{"input":"n","action":"b:"}"#,
        "The key commands 'a:' and 'b:' have the same key 'n'; give one of them another, or each "
          + "a 'when' of its own."
      ),
      (
        #"{"input":"m","action":"a:"}"#,
        "The key commands with the keys 'n' and 'm' have the same action 'a:' and property list; "
          + "give one of them another property list, or each a 'when' of its own."
      ),
    ])
  func `M1: a key command that repeats another one is refused, and both are named`(
    repeated: String, sentence: String
  ) throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/photoGrid/key-commands",
      #"{"keyCommands":[{"input":"n","action":"a:"},\#(repeated)]}"#,
      with: """
        422 /problems/invalid-body
        /keyCommands/1
        \(sentence) The other one stands at /keyCommands/0.
        """)
  }
}
