import JSONText
import MicroHTTP
import Testing

struct PerformRouteRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `a command that is disabled by a rule is not performed`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","command":"delete:"}"#,
      with: #"""
        409 /problems/not-performed
        /command
        The command 'delete:' is disabled: the rule of 'photoGrid' says so.
        """#)
  }

  @Test func `a command that nobody receives is not performed`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","command":"copy:","from":"photoHost"}"#,
      with: #"""
        409 /problems/not-performed
        /command
        The command 'copy:' is disabled: nobody on the chain can perform 'copy:'.
        """#)
  }

  @Test func `a command whose rule fails is not performed`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","command":"paste:"}"#,
      with: #"""
        409 /problems/not-performed
        /command
        The command 'paste:' is disabled. The rule at 'validate/enabled' failed: no such key "clipboard"; the keys are "rating", "selection", "photos", "zoom", "sortedBy"; has() and .? are for what may be missing; a merge patch with null removes a member (RFC 7396).
        """#)
  }

  @Test func `a command without action is not performed`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","command":"separate"}"#,
      with: #"""
        409 /problems/not-performed
        /command
        The command 'separate' is disabled: it has no action.
        """#)
  }

  @Test func `an action that nobody receives is not sent`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","action":"print:"}"#,
      with: #"""
        409 /problems/not-performed
        /action
        The action 'print:' is not sent: nobody on the chain can perform 'print:'.
        """#)
  }

  @Test func `an effect that fails undoes those before it`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","command":"sortByDate"}"#,
      with: #"""
        409 /problems/effect-failed
        Nothing was changed, since effect 1 of 'sort:' at 'photoGrid' does not fit the state: there is no value at "/sortedBy/key".
        """#)
  }

  @Test func `an unknown command is named with its place`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","command":"cpy:"}"#,
      with: #"""
        404 /problems/unknown-command
        /command
        There is no command 'cpy:'; GET /commands lists those that are declared.
        """#)
  }

  @Test func `a command and an action exclude each other`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","command":"copy:","action":"copy:"}"#,
      with: #"""
        422 /problems/invalid-body

        'command' and 'action' exclude each other; give one of them.
        """#)
  }

  @Test func `a receiver that does not recognize the selector is named`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","action":"print:","to":"photoGrid"}"#,
      with: #"""
        409 /problems/does-not-recognize-selector
        'photoGrid' has no handler for 'print:' and does not forward it.
        """#)
  }

  @Test func `a receiver that is not there is refused`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","action":"print:","to":"ghost"}"#,
      with: #"""
        422 /problems/unresolved-reference
        /to
        The session has no responder 'ghost'.
        """#)
  }

  @Test func `a forwarder without a coordinator is refused`() throws {
    try sample.refuses(
      .post,
      "/commands/perform",
      #"{"session":"demo","action":"print:","to":"photoGrid/forwarder"}"#,
      with: #"""
        422 /problems/unresolved-reference
        /to
        The responder 'photoGrid' hosts no coordinator; PUT it with a member 'coordinator'.
        """#)
  }

  @Test func `a sender without an action cannot be handled`() throws {
    let body = #"""
      {"session":"demo","action":"handleAction:","to":"photoHost/forwarder","sender":{"kind":"button"}}
      """#
    try sample.refuses(
      .post, "/commands/perform", body,
      with: #"""
        409 /problems/sender-carries-no-action
        'photoHost/forwarder' got 'handleAction:' from a sender without an action, and so cannot tell which handler to run; give the sender an 'action'.
        """#)
  }

  @Test func `there are as many arguments as colons`() throws {
    try sample.refuses(
      .post,
      "/commands/perform",
      #"{"session":"demo","action":"applyFiveStarRating:","arguments":[]}"#,
      with: #"""
        422 /problems/invalid-body
        /arguments
        'applyFiveStarRating:' takes 1 argument, not 0.
        """#)
  }

  @Test func `R7: a host whose coordinator has the handler says where to send`() throws {
    try sample.refuses(
      .post, "/commands/perform",
      #"{"session":"demo","action":"applyFiveStarRating:","to":"photoHost"}"#,
      with: #"""
        409 /problems/does-not-recognize-selector
        'photoHost' has no handler for 'applyFiveStarRating:' and does not forward it; its coordinator has one: send to 'photoHost/forwarder'.
        """#)
  }

  @Test func `a message that leads to itself is named with its receiver, and traced`() throws {
    let loop = #"{"perform":[{"op":"send","action":"'loop:'"}]}"#
    _ = try sample.send(.put, "/sessions/demo/responders/photoGrid/handlers/loop:", loop)
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","action":"loop:"}"#,
      with: #"""
        409 /problems/effect-failed
        Nothing was changed, since sends stand more than 16 deep in one another (limits.sends), the last one 'loop:' to 'photoGrid'.
        """#)
    let explained = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","action":"loop:","explain":true}"#)
    #expect(try explained.value("/limit") == "limits.sends")
    #expect(try explained.value("/maximum") == 16)
    guard case .array(let steps)? = try explained.value("/trace") else {
      Issue.record("no trace")
      return
    }
    #expect(steps.count { $0[JSONPointer(["question"])] == "invoke" } == 17)
    #expect(steps.last?[JSONPointer(["asked"])] == "photoGrid")
    let quiet = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","action":"loop:"}"#)
    #expect(try quiet.value("/trace") == nil)
    #expect(
      try quiet.value("/effect")
        == ["receiver": "photoGrid", "selector": "loop:", "place": "perform"])
  }

  @Test func `without a command it says what would do as well`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo"}"#,
      with: #"""
        422 /problems/invalid-body

        The member 'command' is missing; 'action' or 'invocation' would do as well.
        """#)
    try sample.refuses(
      .post, "/sessions/demo/mutations", #"{"mutations":[{"op":"perform"}]}"#,
      with: #"""
        422 /problems/invalid-body
        /mutations/0
        The member 'command' is missing; 'action' would do as well.
        """#)
  }

  @Test func `an unknown session is named with its place`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"nobody","command":"copy:"}"#,
      with: #"""
        404 /problems/unknown-session
        /session
        No session 'nobody' is open; POST /sessions opens one.
        """#)
  }

  @Test func `the time is the server’s`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","command":"copy:","when":0}"#,
      with: #"""
        422 /problems/invalid-body
        /when
        There is no member 'when' here; known are session, plan, invocation, command, action, sender, from, window, to, arguments, itemKey, parameters, modifiers, confirmed, item, explain and dryRun.
        """#)
  }
}
