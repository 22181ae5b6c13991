import JSONText
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MenuEngine
@testable import MenuStore

/// Tokens that make tokens (T2), and what they allow (T1).
struct TokenRoutesTests {
  let tokens: TokenSample

  init() throws { tokens = try TokenSample() }

  private var sample: SampleService { tokens.sample }

  @Test func `T2 a token is answered once, and menud keeps its digest only`() throws {
    let response = try tokens.ask(
      [.items, .perform], kind: "agent", label: "Assistant",
      more: #","commands":["copy:"],"expires":"\#(tokens.moment(60))""#)
    #expect(response.status == .created)
    #expect(response.headers["location"] == "/sessions/own/tokens/1")
    #expect(response.headers["cache-control"] == "no-store")
    let made = try TokenSample.made(response)
    #expect(made.text.hasPrefix("own~"))
    let listed = try sample.send(.get, "/sessions/own/tokens", headers: tokens.own)
    #expect(
      try listed.value("/tokens") == [
        [
          "number": 1, "kind": "agent", "label": "Assistant", "rights": ["items", "perform"],
          "commands": ["copy:"], "expires": .string(tokens.moment(60)),
        ]
      ])
    let session = try #require(sample.service.store.session("own"))
    #expect(session.tokens[TokenDigest(of: made.text)]?.id == 1)
    #expect(try !StoredFormat.bytes(of: session).containsText(made.text))
    // The document does not tell of it, so that the mirror of a subscriber stays right (E1).
    let document = try sample.send(.get, "/sessions/own", headers: tokens.own)
    #expect(!document.text.contains("Assistant"))
    #expect(try document.value("/revision") == 1)
  }

  @Test func `T1 a session's first token has all rights, and an agent's by default two`() throws {
    let made = try tokens.make(kind: "agent")
    #expect(
      try tokens.sample.send(.get, "/sessions/own/tokens", headers: made.fields)
        .value("/tokens/0/rights") == ["items", "perform"])
    #expect(try sample.send(.delete, "/sessions/own", headers: made.fields).status == .forbidden)
    #expect(try sample.send(.delete, "/sessions/own", headers: tokens.own).status == .noContent)
  }

  @Test(arguments: [true, false])
  func `T2 who waits for a delivery gets no result once the token is gone`(isRevoked: Bool) throws {
    let handler = #"{"perform":[{"op":"deliver"}]}"#
    let put = "/sessions/own/responders/photoGrid/handlers/copy:"
    #expect(try sample.send(.put, put, handler, headers: tokens.own).status == .ok)
    let made = try tokens.make(
      [.items, .perform], more: #","expires":"\#(tokens.moment(5))""#)
    let answer = try sample.ask(
      .post, "/commands/perform", #"{"session":"own","command":"copy:"}"#,
      headers: made.fields + [("Prefer", "wait=20")])
    #expect(answer.response == nil)
    if isRevoked {
      let token = "/sessions/own/tokens/\(made.number)"
      #expect(try sample.send(.delete, token, headers: tokens.own).status == .ok)
    } else {
      tokens.pass(6)
      let delivery = "/sessions/own/deliveries/1"
      for (word, body) in [("claim", "{}"), ("reply", #"{"claim":1,"result":"secret"}"#)] {
        let response = try sample.send(.post, "\(delivery)/\(word)", body, headers: tokens.own)
        #expect(response.status == .ok)
      }
    }
    sample.replicas.each { $0.waitingRequests.tick() }
    let response = try #require(answer.response)
    #expect(response.status == .unauthorized)
    #expect(!response.text.contains("secret"))
  }

  @Test func `T2 a token gives at most what it has`() throws {
    let maker = try tokens.make(
      [.items, .perform, .patch], kind: "person",
      more:
        #","pointers":["/a","/b/c"],"commands":["copy:","apply*"],"expires":"\#(tokens.moment(60))""#
    )
    func refusal(_ rights: [Right], kind: String = "person", _ more: String) throws -> String {
      let response = try tokens.ask(rights, kind: kind, more: more, by: maker.fields)
      #expect(response.status == .forbidden)
      #expect(try response.value("/type") == "/problems/more-than-own")
      return try response.value("/pointer").map { "\($0)" } ?? "none"
    }
    #expect(try refusal([.items, .focus], "").contains("/rights/1"))
    #expect(try refusal([.patch], #","pointers":["/a/x","/b"]"#).contains("/pointers/1"))
    #expect(try refusal([.items], #","commands":["applyF*","*"]"#).contains("/commands/1"))
    #expect(try refusal([.items], #","expires":"\#(tokens.moment(61))""#).contains("/expires"))
    #expect(try refusal([.items], kind: "service", "").contains("/kind"))
    let made = try tokens.ask(
      [.patch], kind: "agent", more: #","pointers":["/b/c/d"],"commands":["applyF*"]"#,
      by: maker.fields)
    #expect(made.status == .created)
    #expect(try made.value("/maker") == 1)
    // Without limits of its own, a token has those of its maker.
    let same = try tokens.ask([.patch], kind: "person", by: maker.fields)
    #expect(try same.value("/pointers") == ["/a", "/b/c"])
    #expect(try same.value("/commands") == ["copy:", "apply*"])
    #expect(try same.value("/expires") == .string(tokens.moment(60)))
  }

  @Test func `T2 no agent makes itself a person`() throws {
    let agent = try tokens.make([.items], kind: "agent")
    for kind in ["person", "service", "worker", "panel"] {
      #expect(try tokens.ask([.items], kind: kind, by: agent.fields).status == .forbidden)
    }
    #expect(try tokens.ask([.items], kind: "agent", by: agent.fields).status == .created)
  }

  @Test(arguments: [
    (#"{"kind":"agent","label":"x","rights":["items","fly"]}"#, "/rights/1"),
    (#"{"kind":"robot","label":"x","rights":[]}"#, "/kind"),
    (#"{"kind":"agent","label":"","rights":[]}"#, "/label"),
    (#"{"kind":"agent","label":"a\u0007","rights":[]}"#, "/label"),
    (#"{"kind":"person","label":"x"}"#, ""),
    (#"{"kind":"agent","label":"x","rights":["patch"],"pointers":["zoom"]}"#, "/pointers/0"),
    (#"{"kind":"agent","label":"x","rights":["items"],"pointers":["/zoom"]}"#, "/pointers"),
    (#"{"kind":"agent","label":"x","commands":["a b"]}"#, "/commands/0"),
    (#"{"kind":"agent","label":"x","expires":"yesterday"}"#, "/expires"),
    (#"{"kind":"agent","label":"x","expires":"2026-11-21T08:33:20.123Z"}"#, "/expires"),
    (#"{"kind":"agent","label":"x","token":"mine"}"#, "/token"),
  ])
  func `T2 bad input is refused with its place, and nothing happens`(
    body: String, pointer: String
  ) throws {
    let response = try sample.send(.post, "/sessions/own/tokens", body, headers: tokens.own)
    #expect(response.status == .unprocessableContent, "\(response.text)")
    #expect(try response.value("/pointer") == .string(pointer))
    let listed = try sample.send(.get, "/sessions/own/tokens", headers: tokens.own)
    #expect(try listed.value("/tokens") == [])
    #expect(try listed.value("/revision") == 0)
  }

  @Test func `T2 a chain of tokens sees and revokes what it made, and nothing else`() throws {
    let first = try tokens.make([.items, .read], kind: "person")
    let second = try tokens.make([.items], by: first.fields)
    let third = try tokens.make([.items], by: second.fields)
    let other = try tokens.make([.items])
    func numbers(_ fields: TokenSample.Fields) throws -> JSON? {
      let listed = try sample.send(.get, "/sessions/own/tokens", headers: fields)
      return .array(
        try listed.value("/tokens")?.items.compactMap { $0[JSONPointer(["number"])] } ?? [])
    }
    #expect(try numbers(tokens.own) == [1, 2, 3, 4])
    #expect(try numbers(first.fields) == [1, 2, 3])
    #expect(try numbers(third.fields) == [3])
    for (number, fields) in [(1, second.fields), (4, first.fields), (9, tokens.own)] {
      let refused = try sample.send(.delete, "/sessions/own/tokens/\(number)", headers: fields)
      #expect(refused.status == .notFound)
      #expect(try refused.value("/type") == "/problems/unknown-token")
    }
    let dry = try sample.send(.delete, "/sessions/own/tokens/1?dryRun", headers: tokens.own)
    #expect(try dry.value("/revoked") == [1, 2, 3])
    #expect(try numbers(first.fields) == [1, 2, 3])
    let revoked = try sample.send(.delete, "/sessions/own/tokens/1", headers: tokens.own)
    #expect(try revoked.value("/revoked") == [1, 2, 3])
    for token in [first, second, third] {
      let refused = try sample.send(.get, "/sessions/own/menu", headers: token.fields)
      #expect(refused.status == .unauthorized)
      #expect(
        try refused.value("/detail")
          == "The token is not known, has expired or was revoked, or its session is closed.")
    }
    #expect(try sample.send(.get, "/sessions/own/menu", headers: other.fields).status == .ok)
    // Numbers are not given again.
    #expect(try tokens.make([.items]).number == 5)
  }

  @Test func `T1 a token is valid until it expires`() throws {
    let token = try tokens.make([.items], more: #","expires":"\#(tokens.moment(60))""#)
    tokens.pass(59)
    #expect(try sample.send(.get, "/sessions/own/menu", headers: token.fields).status == .ok)
    tokens.pass(1)
    #expect(
      try sample.send(.get, "/sessions/own/menu", headers: token.fields).status == .unauthorized)
    // The next one that is made takes its place.
    _ = try tokens.make([.items])
    let listed = try sample.send(.get, "/sessions/own/tokens", headers: tokens.own)
    #expect(try listed.value("/tokens")?.items.count == 1)
  }

  @Test func `T2 a token of another session, or one that nobody made, opens nothing`() throws {
    let token = try tokens.make(Right.allCases, kind: "person")
    #expect(try sample.send(.get, "/sessions/demo", headers: token.fields).status == .notFound)
    let cut = [
      token.text.dropLast().description, token.text + "0",
      token.text.replacing("own~", with: "demo~"), "own~token~seal", "own~~", "~~",
    ]
    for text in cut {
      let response = try sample.send(.get, "/sessions/own", headers: SampleService.bearer(text))
      #expect(response.status == .unauthorized, "\(text)")
    }
    #expect(try sample.send(.delete, "/sessions/own", headers: tokens.own).status == .noContent)
    #expect(try sample.send(.get, "/sessions/own", headers: token.fields).status == .unauthorized)
  }

  @Test func `T2 a dry run makes no token`() throws {
    let dry = try tokens.ask([.items], query: "?dryRun")
    #expect(dry.status == .forbidden)
    let person = try tokens.ask([.items], kind: "person", query: "?dryRun")
    #expect(person.status == .ok)
    #expect(try person.value("/token") == nil)
    let listed = try sample.send(.get, "/sessions/own/tokens", headers: tokens.own)
    #expect(try listed.value("/tokens") == [])
  }

  @Test func `T2 a repeated request gets the same token`() throws {
    let body = #"{"kind":"agent","label":"x"}"#
    let fields = tokens.own + [("Idempotency-Key", "once")]
    let first = try sample.send(.post, "/sessions/own/tokens", body, headers: fields)
    let again = try sample.send(.post, "/sessions/own/tokens", body, headers: fields)
    #expect(again.headers["idempotent-replayed"] == "true")
    #expect(try first.value("/token") == again.value("/token"))
    let token = try TokenSample.made(again)
    #expect(try sample.send(.get, "/sessions/own/menu", headers: token.fields).status == .ok)
    // A revoked token gets no answer again, not even its own.
    let mine = token.fields + [("Idempotency-Key", "mine")]
    #expect(
      try sample.send(.post, "/sessions/own/tokens", body, headers: mine).status == .created)
    _ = try sample.send(.delete, "/sessions/own/tokens/\(token.number)", headers: tokens.own)
    #expect(
      try sample.send(.post, "/sessions/own/tokens", body, headers: mine).status == .unauthorized)
  }

  @Test func `T2 where no tokens are required, the journal has no token either`() throws {
    let open = try SampleService()
    let fields = [("Idempotency-Key", "once")]
    let body = #"{"kind":"agent","label":"x"}"#
    let first = try open.send(.post, "/sessions/demo/tokens", body, headers: fields)
    let again = try open.send(.post, "/sessions/demo/tokens", body, headers: fields)
    #expect(again.headers["idempotent-replayed"] == "true")
    #expect(first.text == again.text)
    let secret = try TokenSample.made(first).text.split(separator: "~")[1]
    #expect(
      open.service.store.answers.allSatisfy { !$0.body.containsText(String(secret)) })
  }

  @Test func `T2 there are so many tokens of a session and no more`() throws {
    for _ in 0..<GrantedTokens.most { _ = try tokens.make([.items]) }
    let refused = try tokens.ask([.items], kind: "agent")
    #expect(
      try refused.problem == """
        /problems/limit-reached
        There are 256 tokens, and no more may be; revoke some.
        """)
  }

  @Test func `T1 a patch stays below the pointers of its token`() throws {
    let token = try tokens.make([.read, .patch], more: #","pointers":["/a/b","/list"]"#)
    func patch(_ body: String, isMerge: Bool = true) throws -> Int {
      try sample.send(
        .patch, "/sessions/own/state", body,
        type: isMerge ? "application/merge-patch+json" : "application/json-patch+json",
        headers: token.fields
      ).status.rawValue
    }
    // There is no object `a` yet, so that a merge would make one.
    #expect(try patch(#"{"a":{"b":1}}"#) == 403)
    _ = try sample.send(
      .patch, "/sessions/own/state", #"{"a":{"b":0,"c":0},"secret":1}"#,
      type: "application/merge-patch+json", headers: tokens.own)
    #expect(try patch(#"{"a":{"b":{"deep":1}},"list":[1]}"#) == 200)
    #expect(try patch(#"{"a":{"c":1}}"#) == 403)
    #expect(try patch(#"{"a":1}"#) == 403)
    #expect(try patch(#"{"a":{}}"#) == 403)
    #expect(try patch(#"{}"#) == 403)
    #expect(try patch(#"[{"op":"add","path":"/list/-","value":2}]"#, isMerge: false) == 200)
    for operation in [
      #"{"op":"test","path":"/secret","value":1}"#,
      #"{"op":"copy","from":"/secret","path":"/list/0"}"#,
      #"{"op":"move","from":"/secret","path":"/list/0"}"#, #"{"op":"remove","path":"/a"}"#,
      #"{"op":"replace","path":"","value":{}}"#,
    ] {
      #expect(try patch("[\(operation)]", isMerge: false) == 403, "\(operation)")
    }
    try checkShifts()
    let refused = try sample.send(
      .post, "/sessions/own/mutations", #"{"mutations":[{"op":"mergeState","patch":{"x":1}}]}"#,
      headers: token.fields)
    #expect(
      try refused.problem == """
        /problems/forbidden
        /mutations/0
        The token may patch the state at '/a/b' and '/list', and not at '/x'.
        """)
  }
}

extension TokenRoutesTests {
  /// An element that is inserted or removed moves others, which the token may not patch.
  private func checkShifts() throws {
    _ = try sample.send(
      .patch, "/sessions/own/state", #"{"row":[1,2,3],"cell":{"0":"a"}}"#,
      type: "application/merge-patch+json", headers: tokens.own)
    let token = try tokens.make([.read, .patch], more: #","pointers":["/row/1","/cell/0"]"#)
    for (operation, status) in [
      (#"{"op":"replace","path":"/row/1","value":9}"#, 200),
      (#"{"op":"add","path":"/row/1","value":9}"#, 403),
      (#"{"op":"remove","path":"/row/1"}"#, 403),
      (#"{"op":"move","from":"/row/1","path":"/cell/0"}"#, 403),
      (#"{"op":"copy","from":"/cell/0","path":"/row/1"}"#, 403),
      (#"{"op":"copy","from":"/row/1","path":"/cell/0"}"#, 200),
      (#"{"op":"remove","path":"/cell/0"}"#, 200),
      (#"{"op":"add","path":"/cell/0","value":9}"#, 200),
    ] {
      let answer = try sample.send(
        .patch, "/sessions/own/state", "[\(operation)]", type: "application/json-patch+json",
        headers: token.fields)
      #expect(answer.status.rawValue == status, "\(operation): \(answer.text)")
    }
    #expect(
      try sample.send(.get, "/sessions/own", headers: tokens.own).value("/state/row") == [1, 9, 3])
  }
}

extension [UInt8] {
  fileprivate func containsText(_ text: String) -> Bool {
    String(decoding: self, as: UTF8.self).contains(text)
  }
}
