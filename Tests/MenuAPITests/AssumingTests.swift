import JSONText
import MenuStore
import MicroHTTP
import Randomness
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MenuEngine
@testable import RandomSessions

/// Questions that assume changes (M13).
@Suite struct AssumingTests {
  private static let focusing = #"{"op":"becomeFirstResponder","responder":"photoHost"}"#

  @Test func `M13: a question is answered as if each list of mutations had been applied`() throws {
    let sample = try SampleService()
    let question = #""session":"demo","commands":["copy:","applyFiveStarRating:"]"#
    let before = try sample.send(.get, "/sessions/demo").body
    let answer = try sample.send(
      .post, "/commands/validate",
      #"{\#(question),"assuming":[[\#(Self.focusing)],[],[{"op":"mergeState","patch":{"rating":5}}]]}"#
    )
    #expect(answer.status == .ok, "\(answer.text)")
    let plain = try sample.send(.post, "/commands/validate", "{\(question)}").json
    #expect(try answer.value("/items") == plain[JSONPointer(["items"])])
    #expect(try answer.value("/assumed/1") == plain)
    #expect(try answer.value("/assumed/0/items/0/target") == .null)
    #expect(try answer.value("/assumed/0/revision") != plain[JSONPointer(["revision"])])
    #expect(try answer.value("/assumed/2/items/1/enabled") == true)
    #expect(try answer.value("/assumed/3") == nil)
    #expect(try sample.send(.get, "/sessions/demo").body == before)
  }

  @Test func `M13: menus, keys and targets are asked so, too`() throws {
    let sample = try SampleService()
    let assuming = #""assuming":[[\#(Self.focusing)]]"#
    let questions = [
      ("/sessions/demo/menu", #"{"menu":"edit","modifiers":["shift"]"#),
      ("/sessions/demo/keys", #"{"platform":"other""#),
      ("/keys/resolve", #"{"session":"demo","key":{"input":"c","modifiers":["command"]}"#),
      ("/targets/resolve", #"{"session":"demo","action":"copy:""#),
    ]
    let answers = try questions.map { target, question in
      try sample.send(.post, target, "\(question),\(assuming)}")
    }
    _ = try sample.send(
      .put, "/sessions/demo/first-responder", #"{"responder":"photoHost"}"#)
    for ((target, question), answer) in zip(questions, answers) {
      let then = try sample.send(.post, target, question + "}")
      #expect(try answer.value("/assumed/0") == then.json, "\(target)")
      #expect(try then.value("/assumed") == nil)
    }
    #expect(
      try sample.send(.post, "/sessions/demo/menu", #"{"menu":"edit"}"#).body
        == sample.send(.get, "/sessions/demo/menu?menu=edit").body)
    #expect(
      try sample.send(.post, "/sessions/demo/keys", "{}").body
        == sample.send(.get, "/sessions/demo/keys").body)
  }

  @Test func `M13: a list that would be refused has its problem`() throws {
    let sample = try SampleService()
    let answer = try sample.send(
      .post, "/commands/validate",
      #"{"session":"demo","commands":["copy:"],"assuming":[[\#(Self.focusing),{"op":"removeResponder","responder":"ghost"}],[]]}"#
    )
    #expect(
      try answer.value("/assumed/0/problem/type") == "/problems/unresolved-reference",
      "\(answer.text)")
    #expect(try answer.value("/assumed/0/problem/pointer") == "/assuming/0/1/responder")
    #expect(try answer.value("/assumed/1/items/0/command") == "copy:")
  }

  @Test func `M13, P2: the problem of a list names each fault of its parameters`() throws {
    let sample = try SampleService()
    _ = try sample.send(
      .put, "/commands/rate:",
      #"{"title":"Rate","action":"rate:","parameters":{"type":"object","properties":{"stars":{"maximum":5},"note":{"type":"string"}}}}"#
    )
    let answer = try sample.send(
      .post, "/commands/validate",
      #"{"session":"demo","commands":["rate:"],"assuming":[[],[{"op":"perform","command":"rate:","parameters":{"stars":9,"note":1}}]]}"#
    )
    let place = "/assuming/1/0/parameters"
    #expect(
      try answer.value("/assumed/1/problem/pointer") == .string(place + "/stars"),
      "\(answer.text)")
    #expect(
      try answer.value("/assumed/1/problem/errors/0/pointer") == .string(place + "/stars"))
    #expect(try answer.value("/assumed/1/problem/errors/1/pointer") == .string(place + "/note"))
  }

  @Test func `M13: a command with a confirmation is assumed to be confirmed`() throws {
    let sample = try SampleService()
    _ = try sample.send(
      .put, "/commands/purge:",
      #"{"title":"P","action":"purge:","confirmation":{"title":"Purge?"}}"#)
    _ = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/purge:",
      #"{"validate":{"enabled":"!has(state.purged)"},"perform":[{"op":"add","path":"/purged","value":"true"}]}"#
    )
    let answer = try sample.send(
      .post, "/commands/validate",
      #"{"session":"demo","commands":["purge:"],"assuming":[[{"op":"perform","command":"purge:"}]]}"#
    )
    #expect(try answer.value("/items/0/enabled") == true, "\(answer.text)")
    #expect(try answer.value("/assumed/0/items/0/enabled") == false)
  }

  @Test(arguments: [
    (#""assuming":5"#, "/assuming"), (#""assuming":[5]"#, "/assuming/0"),
    (#""assuming":[[{"op":"fly"}]]"#, "/assuming/0/0/op"),
    (#""assuming":[],"explain":true"#, "/explain"),
  ])
  func `M13: what is no list of lists of mutations is refused`(
    members: String, pointer: String
  ) throws {
    let answer = try SampleService().send(
      .post, "/commands/validate", #"{"session":"demo",\#(members)}"#)
    #expect(answer.status.rawValue == 422, "\(answer.text)")
    #expect(try answer.value("/pointer") == .string(pointer))
  }

  @Test func `M13: there are so many lists, and mutations in each, and no more`() throws {
    var limits = ServiceLimits()
    limits.mutations = 2
    let sample = try SampleService(limits: limits)
    func status(_ lists: Int, of count: Int) throws -> Int {
      let list = "[\(Array(repeating: Self.focusing, count: count).joined(separator: ","))]"
      let all = Array(repeating: list, count: lists).joined(separator: ",")
      return try sample.send(
        .post, "/commands/validate",
        #"{"session":"demo","commands":["copy:"],"assuming":[\#(all)]}"#
      ).status.rawValue
    }
    #expect(try status(Mutation.mostAssumptions, of: 1) == 200)
    #expect(try status(Mutation.mostAssumptions + 1, of: 1) == 422)
    #expect(try status(1, of: 2) == 200)
    #expect(try status(1, of: 3) == 422)
  }

  @Test func `M13, T3: who may not do it may not assume it`() throws {
    let tokens = try TokenSample()
    func ask(_ rights: [Right], _ mutation: String) throws -> Response {
      try tokens.sample.send(
        .post, "/commands/validate",
        #"{"session":"own","commands":["copy:"],"assuming":[[\#(mutation)]]}"#,
        headers: tokens.make(rights).fields)
    }
    for (mutation, right) in [
      (Self.focusing, Right.focus), (#"{"op":"mergeState","patch":{"a":1}}"#, .patch),
      (#"{"op":"removeResponder","responder":"photoGrid"}"#, .declare),
    ] {
      let refused = try ask([.items], mutation)
      #expect(refused.status == .forbidden, "\(refused.text)")
      #expect(try refused.value("/right") == .string(right.rawValue))
      #expect(try ask([.items, right], mutation).status == .ok)
    }
  }

  @Test func `M13, T3: an answer that is assumed shows what the token may see, as any other`()
    throws
  {
    let tokens = try TokenSample()
    let fields = try tokens.make([.items, .focus]).fields
    let key = #"{"session":"own","explain":true,"key":{"input":"c"},"assuming":[[]]}"#
    let whole = try tokens.sample.send(.post, "/keys/resolve", key, headers: tokens.own)
    #expect(try whole.value("/assumed/0/trace") != nil)
    let part = try tokens.sample.send(.post, "/keys/resolve", key, headers: fields)
    #expect(part.status == .ok && !part.text.contains("trace"), "\(part.text)")
    #expect(try part.value("/assumed/0/matches") != nil)
    let put = try tokens.sample.send(
      .put, "/sessions/own/responders/mule",
      #"{"kind":"view","superview":"photoGrid","canBecomeFirstResponder":false}"#,
      headers: tokens.own)
    try #require(put.status == .created, "\(put.text)")
    let refused = #"{"op":"becomeFirstResponder","responder":"mule"}"#
    let question = #"{"session":"own","commands":[],"assuming":[[\#(refused)]]}"#
    for (fields, isShown) in [(tokens.own, true), (fields, false)] {
      let answer = try tokens.sample.send(.post, "/commands/validate", question, headers: fields)
      #expect(try answer.value("/assumed/0/problem/type") != nil, "\(answer.text)")
      #expect((try answer.value("/assumed/0/problem/because") != nil) == isShown, "\(answer.text)")
    }
  }

  @Test func `M13, T7: an agent assumes no command that is hidden from it`() throws {
    let tokens = try TokenSample()
    _ = try tokens.sample.send(
      .put, "/commands/secret:", #"{"title":"S","action":"secret:","agents":"hidden"}"#,
      headers: SampleService.administrator)
    let agent = try tokens.make([.items, .perform], kind: "agent")
    let question =
      #"{"session":"own","commands":["copy:"],"assuming":[[{"op":"perform","command":"secret:"}]]}"#
    let answer = try tokens.sample.send(
      .post, "/commands/validate", question, headers: agent.fields)
    #expect(try answer.value("/assumed/0/problem/type") == "/problems/unknown-command")
  }

  @Test func `M13: the effort of all lists is that of one request, and so is the size`() throws {
    let sample = try SampleService()
    let names = Array(repeating: #""nobody""#, count: 5000).joined(separator: ",")
    let answer = try sample.send(
      .post, "/commands/validate",
      #"{"session":"demo","commands":[\#(names)],"assuming":[\#(Array(repeating: "[]", count: 256).joined(separator: ","))]}"#
    )
    #expect(try answer.value("/type") == "/problems/too-much-effort", "\(answer.body.count)")
  }

  /// Law: what is assumed is answered as a copy would, to which it was done.
  @Test func `M13: an answer is that of a copy, to the byte`() throws {
    var compared = 0
    for seed in Seeds.first(3) {
      var mutations = RandomMutations(seed: seed, isExact: false)
      let systems = try SystemsSession.open(hasManagers: seed.isMultiple(of: 2))
      compared += try Self.play(systems.session, systems.catalog, seed) {
        mutations.next(for: $0)
      }
      var plans = RandomPlans(seed: seed)
      let ruled = try plans.open()
      compared += try Self.play(ruled.session, ruled.catalog, seed) { try plans.mutation(of: $0) }
      var talks = RandomTalks(seed: seed)
      let talking = try talks.open()
      compared += try Self.play(talking.session, talking.catalog, seed) {
        try talks.mutation(of: $0, in: talking.catalog)
      }
    }
    print("assuming: \(compared) answers were compared")
    #expect(compared > 300)
  }

  private static func play(
    _ first: Session, _ catalog: Catalog, _ seed: UInt64, _ next: (Session) throws -> Mutation
  ) throws -> Int {
    var (session, compared) = (first, 0)
    var generator = SeededGenerator(seed: seed)
    for turn in 0..<12 {
      let lists = try (0..<4).map { _ in
        try (0..<Int.random(in: 0..<3, using: &generator)).map { _ in try next(session) }
      }.filter { list in
        // A list that cannot be read is refused with the question.
        let answer = try respond(
          Service.ofOne(session, in: catalog), "/sessions/s/mutations",
          SessionRequest(list).body ?? "")
        return answer[JSONPointer(["type"])] != "/problems/invalid-body"
      }
      let asked = try Service.ofOne(session, in: catalog)
      for (target, question) in questions {
        let assuming = JSON.array(lists.map { .array($0.map(\.json)) })
        let answer = try respond(
          asked, target, #"{\#(question)"assuming":\#(assuming.text())}"#)
        for (index, list) in lists.enumerated() {
          let copy = try Service.ofOne(session, in: catalog)
          let done = try respond(copy, "/sessions/s/mutations", SessionRequest(list).body ?? "")
          let place = JSONPointer(["assumed", "\(index)"])
          let comment = "seed \(seed), turn \(turn), \(target) after \(list.map(\.json))"
          if done[JSONPointer(["outcomes"])] == nil {
            let problem = answer[place]?[JSONPointer(["problem", "type"])]
            // Nobody is asked whether to confirm what is only assumed.
            guard done[JSONPointer(["type"])] != "/problems/needs-confirmation" else { continue }
            #expect(problem == done[JSONPointer(["type"])], "\(comment)")
            if problem != done[JSONPointer(["type"])] { return compared }
          } else {
            let then = try respond(copy, target, "{\(question.dropLast())}")
            let problem = then[JSONPointer(["status"])] == nil ? nil : then
            let expected: JSON = problem == nil ? then : ["problem": then]
            guard answer[place]?.bytes == expected.bytes else {
              Issue.record("\(comment): \(answer[place]?.text() ?? "") is not \(expected.text())")
              return compared
            }
            compared += 1
          }
        }
      }
      let mutation = try next(session)
      _ = try? session.apply(mutation, in: catalog)
    }
    return compared
  }

  private static let questions = [
    ("/commands/validate", #""session":"s","#), ("/sessions/s/menu", #""kind":"main","#),
    ("/sessions/s/keys", #""platform":"other","#),
    ("/keys/resolve", #""session":"s","key":{"input":"c"},"#),
    ("/targets/resolve", #""session":"s","action":"note:","#),
  ]

  private static func respond(_ service: Service, _ target: String, _ body: String) throws -> JSON {
    let response = service.respond(
      to: try Request(
        .post, target, headers: ["Content-Type": "application/json"], body: Array(body.utf8)))
    return try JSON(parsing: response.body)
  }
}
