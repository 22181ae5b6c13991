import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

/// Messages over HTTP: up the coordinating chain (C2), queued (C6), without coordinators (C7).
struct MessageRoutesTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    try put(
      "flow",
      #"{"kind":"responder","coordinating":{"identifier":"Photos","rootViewController":"photoHost"},"handlers":{"pick:sender:":{"perform":[{"op":"replace","path":"/rating","value":"arguments[0]"},{"op":"answer","value":"'rated'"}]},"fail":{"perform":[{"op":"replace","path":"/no","value":"1"}]}}}"#
    )
    try put("page", #"{"kind":"viewController","parentCoordinator":"flow"}"#)
  }

  private func put(_ id: String, _ json: String) throws {
    let response = try sample.send(.put, "/sessions/demo/responders/\(id)", json)
    try #require(response.status == .created, "\(response.text)")
  }

  private func post(_ path: String, _ body: String) throws -> Response {
    let response = try sample.send(.post, "/sessions/demo/messages\(path)", body)
    #expect(response.status == .ok, "\(response.text)")
    return response
  }

  private func rating() throws -> JSON? {
    try sample.send(.get, "/sessions/demo").value("/state/rating")
  }

  @Test func `C2: a message goes up the coordinating chain by default, and is answered`() throws {
    let response = try post("", #"{"message":"pick:sender:","from":"page","arguments":[4,null]}"#)
    #expect(
      response.text == #"""
        {"session":"demo","revision":3,"delivered":true,"reason":"delivered","receiver":"flow",\#
        "answer":"rated","changes":[{"change":"state","op":"replace","path":"/rating",\#
        "value":4},{"change":"document","op":"replace","path":"/undo/session/canUndo",\#
        "value":true},{"change":"document","op":"add","path":"/undo/session/undo/0",\#
        "value":{"actions":1}}],"events":[]}
        """#)
    #expect(
      try post("", #"{"message":"pick:sender:","from":"page","to":"chain","arguments":[3,null]}"#)
        .value("/receiver") == "flow")
  }

  @Test func `C2: what nobody handles is no error, and the trace says why of everybody`() throws {
    let response = try post("", #"{"message":"done","from":"page","explain":true}"#)
    #expect(try response.value("/delivered") == false)
    #expect(try response.value("/reason") == "notHandled")
    #expect(try response.value("/receiver") == .null)
    #expect(try response.value("/answer") == .null)
    #expect(
      try response.value("/trace/1") == [
        "asked": "page", "question": "coordinatingNext",
        "answer": ["responder": "flow", "link": "parentCoordinator"], "rule": "C1",
        "says": "C1: after 'page' the message goes to 'flow', its 'parentCoordinator'.",
      ])
    #expect(
      try response.value("/trace/4/says")
        == "C2: nobody from 'page' on handles 'done', which is no error.")
  }

  @Test func `C7: a child's message reaches its container without a coordinator`() throws {
    _ = try sample.send(
      .put, "/sessions/demo/responders/root/handlers/pick:",
      #"{"perform":[{"op":"answer","value":"arguments[0]"}]}"#)
    let response = try post("", #"{"message":"pick:","from":"hostedView"}"#)
    #expect(try response.value("/receiver") == "root")
    #expect(try response.value("/answer") == "hostedView", "the sender is the last argument")
  }

  @Test func `C2: a handler with continues lets the message go on, and reads back`() throws {
    let path = "/sessions/demo/responders/page/handlers/pick:sender:"
    let handler = #"{"perform":[],"continues":true}"#
    _ = try sample.send(.put, path, handler)
    #expect(try sample.send(.get, path).value("/handler")?.text() == handler)
    let response = try post("", #"{"message":"pick:sender:","from":"page","arguments":[2,null]}"#)
    #expect(try response.value("/receiver") == "page")
    #expect(try response.value("/answer") == "rated")
    #expect(try rating() == 2)
  }

  @Test func `C2: a dry run keeps nothing`() throws {
    let response = try post(
      "", #"{"message":"pick:sender:","from":"page","arguments":[4,null],"dryRun":true}"#)
    #expect(
      response.text == #"""
        {"session":"demo","revision":2,"dryRun":true,"delivered":true,"reason":"delivered",\#
        "receiver":"flow","answer":"rated","changes":[{"change":"state","op":"replace",\#
        "path":"/rating","value":4},{"change":"document","op":"replace",\#
        "path":"/undo/session/canUndo","value":true},{"change":"document","op":"add",\#
        "path":"/undo/session/undo/0","value":{"actions":1}}],"events":[]}
        """#)
    #expect(try rating() == 0)
    _ = try post("", #"{"message":"done","from":"page","queue":true,"dryRun":true}"#)
    #expect(try sample.send(.get, "/sessions/demo/messages").value("/messages") == [])
  }

  @Test func `C6: messages are queued, read, and processed in order`() throws {
    let queued = try post(
      "", #"{"message":"pick:sender:","from":"page","arguments":[1,null],"queue":true}"#)
    #expect(
      queued.text == #"""
        {"session":"demo","revision":3,"delivered":false,"reason":"queued","receiver":null,\#
        "answer":null,"changes":[{"change":"messageQueue","count":1,\#
        "added":[{"message":"pick:sender:","from":"page","to":"chain","arguments":[1,null],\#
        "when":"2026-11-21T08:33:20.123Z"}]}],"events":[]}
        """#)
    _ = try post("", #"{"message":"done","from":"page","queue":true}"#)
    let waiting = try sample.send(.get, "/sessions/demo/messages")
    #expect(
      waiting.text == #"""
        {"session":"demo","revision":4,"messages":[{"message":"pick:sender:","from":"page",\#
        "to":"chain","arguments":[1,null],"when":"2026-11-21T08:33:20.123Z"},\#
        {"message":"done","from":"page","to":"chain","when":"2026-11-21T08:33:20.123Z"}]}
        """#)
    let tag = try #require(waiting.headers["etag"])
    let again = try sample.send(
      .get, "/sessions/demo/messages", headers: [("If-None-Match", tag)])
    #expect(again.status == .notModified)
    #expect(try rating() == 0)
    let processed = try post("/process", "{}")
    #expect(
      processed.text == #"""
        {"session":"demo","revision":5,"processed":[{"message":"pick:sender:","from":"page",\#
        "to":"chain","arguments":[1,null],"when":"2026-11-21T08:33:20.123Z","delivered":true,\#
        "reason":"delivered","receiver":"flow","answer":"rated"},{"message":"done",\#
        "from":"page","to":"chain","when":"2026-11-21T08:33:20.123Z","delivered":false,\#
        "reason":"notHandled","receiver":null,"answer":null}],\#
        "changes":[{"change":"messageQueue","count":0,"removed":2},{"change":"state",\#
        "op":"replace","path":"/rating","value":1},{"change":"document","op":"replace",\#
        "path":"/undo/session/canUndo","value":true},{"change":"document","op":"add",\#
        "path":"/undo/session/undo/0","value":{"actions":1}}],"events":[]}
        """#)
    #expect(try rating() == 1)
  }

  @Test func `C6: processing has a limit, a dry run and traces, and needs no body`() throws {
    for _ in 0..<3 { _ = try post("", #"{"message":"done","from":"page","queue":true}"#) }
    let dry = try post("/process", #"{"dryRun":true,"explain":true}"#)
    #expect(try dry.value("/dryRun") == true)
    #expect(try dry.value("/processed/2/trace/0/question") == "implements")
    #expect(try post("/process", #"{"limit":1}"#).value("/processed/0/trace") == nil)
    #expect(try sample.send(.get, "/sessions/demo/messages").value("/messages/2") == nil)
    let response = try sample.send(.post, "/sessions/demo/messages/process", type: nil)
    #expect(try response.value("/processed/1/reason") == "notHandled")
  }

  @Test func `C6: messages that wait can be taken out, and a limit must be a number`() throws {
    for _ in 0..<3 { _ = try post("", #"{"message":"done","from":"page","queue":true}"#) }
    let one = try sample.send(.delete, "/sessions/demo/messages?limit=1")
    #expect(
      try one.value("/changes")?.text() == #"[{"change":"messageQueue","count":2,"removed":1}]"#)
    try sample.refuses(
      .delete, "/sessions/demo/messages?limit=-1",
      with: #"""
        400 /problems/invalid-query
        'limit' in the query is an integer from 0, not '-1'.
        """#)
    let all = try sample.send(.delete, "/sessions/demo/messages")
    #expect(
      try all.value("/changes")?.text() == #"[{"change":"messageQueue","count":0,"removed":2}]"#)
    #expect(
      try sample.send(.delete, "/sessions/demo/messages").value("/changes") == [])
  }

  @Test func `A9: processing messages has one trace of all that was asked`() throws {
    for _ in 0..<2 { _ = try post("", #"{"message":"done","from":"page","queue":true}"#) }
    let response = try sample.send(
      .post, "/sessions/demo/messages/process?explain=true", #"{"limit":2}"#)
    guard case .array(let processed)? = try response.value("/processed"),
      case .array(let trace)? = try response.value("/trace")
    else {
      Issue.record("\(response.text)")
      return
    }
    let parts = processed.flatMap { message -> [JSON] in
      if case .array(let part)? = message[JSONPointer(["trace"])] { part } else { [] }
    }
    #expect(!parts.isEmpty)
    #expect(trace == parts)
  }

  @Test func `C6: a message that fails is named, and nothing is changed`() throws {
    _ = try post("", #"{"message":"done","from":"page","queue":true}"#)
    _ = try post("", #"{"message":"fail","from":"page","queue":true}"#)
    try sample.refuses(
      .post, "/sessions/demo/messages/process",
      with: #"""
        409 /problems/effect-failed
        Message 1 of those that wait, 'fail' from 'page', cannot be sent, and so all of them wait still; remove it, or process those before it with a 'limit'. Nothing was changed, since effect 0 of 'fail' at 'flow' does not fit the state: there is no value at "/no".
        """#)
    #expect(try sample.send(.get, "/sessions/demo/messages").value("/messages/1/message") == "fail")
  }

  @Test func `C6: there is no room for endless messages`() throws {
    let message = #"{"op":"message","message":"done","from":"page","queue":true}"#
    let many = Array(repeating: message, count: 512).joined(separator: ",")
    for _ in 1...2 {
      let filled = try sample.send(
        .post, "/sessions/demo/mutations", #"{"mutations":[\#(many)]}"#)
      #expect(filled.status == .ok)
    }
    try sample.refuses(
      .post, "/sessions/demo/messages", #"{"message":"done","from":"page","queue":true}"#,
      with: #"""
        409 /problems/message-queue-full
        1024 messages wait already, and there is no room for another one; process them, or remove some.
        """#)
  }

  @Test func `C2, C6: a list of mutations sends, queues and processes messages`() throws {
    let response = try sample.send(
      .post, "/sessions/demo/mutations",
      #"{"mutations":[{"op":"message","message":"pick:sender:","from":"page","arguments":[5,null]},{"op":"message","message":"done","from":"page","queue":true},{"op":"processMessages"},{"op":"removeQueuedMessages"}]}"#
    )
    #expect(try response.value("/outcomes/0/answer") == "rated")
    #expect(try response.value("/outcomes/1/reason") == "queued")
    #expect(try response.value("/outcomes/2/processed/0/reason") == "notHandled")
    #expect(try response.value("/outcomes/3/changes") == [])
  }

  @Test func `C2: who would consume a message is answered with what was asked`() throws {
    let response = try sample.send(
      .post, "/targets/resolve",
      #"{"session":"demo","action":"pick:sender:","chain":"coordinating","from":"page"}"#)
    #expect(
      response.text == #"""
        {"session":"demo","revision":2,"target":"flow","reason":"enabled","trace":[\#
        {"asked":"page","question":"implements","selector":"pick:sender:","answer":false,\#
        "rule":"C2","says":"C2: 'page' is passed over for 'pick:sender:': neither it nor its \#
        class implements it."},{"asked":"page","question":"coordinatingNext",\#
        "answer":{"responder":"flow","link":"parentCoordinator"},"rule":"C1",\#
        "says":"C1: after 'page' the message goes to 'flow', its 'parentCoordinator'."},\#
        {"asked":"flow","question":"implements","selector":"pick:sender:","answer":true,\#
        "rule":"C2","says":"C2: 'flow' implements 'pick:sender:' and consumes it."}]}
        """#)
  }
}

/// Mistakes in coordinators and messages are told with their places.
struct MessageRouteRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test(arguments: [
    (#"{"message":"pick:"}"#, "422 /problems/invalid-body\n\nThe member 'from' is missing."),
    (
      #"{"message":"pick:","from":"ghost"}"#,
      "422 /problems/unresolved-reference\n/from\nThe session has no responder 'ghost'."
    ),
    (
      #"{"message":"pick:","from":"root","to":"all"}"#,
      "422 /problems/invalid-body\n/to\nExpected 'chain' or 'delegate', found the string 'all'."
    ),
    (
      #"{"message":"pick:","from":"root","arguments":[]}"#,
      "422 /problems/invalid-body\n/arguments\nExpected as many arguments as 'pick:' has colons, 1, found none."
    ),
  ])
  func `C2: a message that is not one is refused`(body: String, problem: String) throws {
    try sample.refuses(.post, "/sessions/demo/messages", body, with: problem)
  }

  @Test func `C1: a parent that coordinates nothing is refused, and what to do is said`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/page",
      #"{"kind":"viewController","parentCoordinator":"gridProxy"}"#,
      with: #"""
        422 /problems/invalid-body
        /parentCoordinator
        'gridProxy' cannot be the parent coordinator of 'page', since it coordinates nothing; put it with a member 'coordinating' first.
        """#)
  }

  @Test func `R9: a cycle of coordinators is refused with its path`() throws {
    let top = #"{"kind":"responder","coordinating":{}}"#
    let child = #"{"kind":"responder","coordinating":{},"parentCoordinator":"top"}"#
    _ = try sample.send(.put, "/sessions/demo/responders/top", top)
    _ = try sample.send(.put, "/sessions/demo/responders/child", child)
    try sample.refuses(
      .put, "/sessions/demo/responders/top",
      #"{"kind":"responder","coordinating":{},"continuation":"child"}"#,
      with: #"""
        409 /problems/link-conflict

        The coordinating chain would lead back into itself: 'top' → 'child' → 'top'.
        """#)
    try sample.refuses(
      .put, "/sessions/demo/responders/top",
      #"{"kind":"responder","coordinating":{},"parentCoordinator":"child"}"#,
      with: #"""
        409 /problems/link-conflict

        The link 'parentCoordinator' would close a cycle: 'top' → 'child' → 'top'.
        """#)
  }

  @Test func `C4: a root that is not there is refused`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/top",
      #"{"kind":"responder","coordinating":{"rootViewController":"ghost"}}"#,
      with: #"""
        422 /problems/unresolved-reference
        /coordinating/rootViewController
        The link 'coordinating/rootViewController' of 'top' leads to 'ghost', which the session does not have; put that responder first.
        """#)
  }

  @Test func `C4: only plain responders coordinate`() throws {
    try sample.refuses(
      .put, "/sessions/demo/responders/page", #"{"kind":"view","coordinating":{}}"#,
      with: #"""
        422 /problems/invalid-body
        /coordinating
        A responder of kind 'view' has no 'coordinating'; only those of kind 'responder' have one.
        """#)
  }
}
