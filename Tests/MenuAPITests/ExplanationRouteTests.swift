import JSONText
import MicroHTTP
import Testing

/// Explanations of every question over HTTP: the responders, questions and answers in order, with
/// their rules (M10).
struct ExplanationRouteTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  /// The sentences of the trace at a place of an answer.
  private func says(_ response: Response, at place: String = "/trace") throws -> [String] {
    guard case .array(let steps)? = try response.value(place) else { return ["no trace"] }
    return steps.map { step in
      guard case .string(let sentence)? = step[JSONPointer(["says"])] else { return "?" }
      return sentence
    }
  }

  private func put(_ id: String, _ document: String) throws {
    #expect(
      try sample.send(.put, "/sessions/demo/responders/\(id)", document).status.rawValue < 300)
  }

  private func register(_ id: String) throws {
    let path = "/sessions/demo/responders/hostedView/late-responders/\(id)"
    #expect(try sample.send(.put, path).status == .created)
  }

  @Test func `L6: a registration that is refused says who was asked for a registry`() throws {
    let path = "/sessions/demo/responders/photoGrid/late-responders/gridProxy"
    let expected = ["photoGrid", "rootView", "root", "window", "application"].map {
      "L6: '\($0)' has no registry of late responders."
    }
    for method in [MicroHTTP.Method.put, .get] {
      let target = method == .put ? path : "/sessions/demo/responders/photoGrid/late-responders"
      let refused = try sample.send(method, "\(target)?explain")
      #expect(refused.status == .notFound)
      #expect(try refused.value("/type") == "/problems/no-registry")
      #expect(try says(refused) == expected)
      #expect(try sample.send(method, target).value("/trace") == nil)
    }
  }

  @Test func `L6: a registration says where its registry was found`() throws {
    let path = "/sessions/demo/responders/hostedView/late-responders/gridProxy"
    let registered = try sample.send(.put, "\(path)?explain")
    #expect(registered.status == .created)
    #expect(
      try says(registered) == [
        "L6: 'hostedView' has no registry of late responders.",
        "L6: 'photoHost' hosts the registry, which has no late responders yet.",
      ])
    let removed = try sample.send(.delete, "\(path)?explain")
    #expect(
      try says(removed).last
        == "L6: 'photoHost' hosts the registry, whose late responders are 'gridProxy'.")
    let listed = try sample.send(
      .get, "/sessions/demo/responders/photoHost/late-responders?explain=true")
    #expect(listed.headers["etag"] == nil)
    #expect(
      try says(listed) == ["L6: 'photoHost' hosts the registry, which has no late responders yet."]
    )
    #expect(try sample.send(.put, "\(path)?explain=maybe").status == .badRequest)
  }

  @Test func `L9: a message to a proxy says how it goes on from there`() throws {
    try put("helper", #"{"kind":"responder","handlers":{"print:":{}}}"#)
    try put("list", #"{"kind":"view","forwardingTarget":"helper"}"#)
    try put("proxy", #"{"kind":"responder","proxied":"list","proxiedSelectors":[]}"#)
    let body = #"{"session":"demo","action":"print:","to":"proxy","explain":true}"#
    let response = try sample.send(.post, "/commands/perform", body)
    #expect(try response.value("/target") == "proxy")
    #expect(try response.value("/proxied") == "list")
    #expect(try response.value("/invocation/target") == "helper")
    #expect(
      try says(response) == [
        "L9: 'proxy' forwards 'print:' to 'list', whom it stands for, whatever its filter says.",
        "F4: 'list' has no method 'print:' and adds none.",
        "F10: 'list' forwards 'print:' to 'helper', where it is tried again.",
        "F4: 'helper' runs its method 'print:'.",
      ])
  }

  @Test func `L10: a message to a proxy of nobody says so`() throws {
    try put("proxy", #"{"kind":"responder","proxied":null}"#)
    let body = #"{"session":"demo","action":"print:","to":"proxy","explain":true}"#
    let response = try sample.send(.post, "/commands/perform", body)
    #expect(try response.value("/performed") == false)
    #expect(try response.value("/reason") == "proxiedGone")
    #expect(try says(response) == ["L10: the responder that 'proxy' stands for is gone."])
  }

  @Test func `L8: the items, keys and performances of a proxy show the filter and the rule`() throws
  {
    try register("gridProxy")
    let found = [
      "L8: 'gridProxy' stands for 'photoGrid'.", "L8: 'gridProxy' lets 'copy:' through.",
      "R3: 'photoGrid' responds to 'copy:': it or its class has a handler.",
      "R4: 'photoGrid' can perform 'copy:'.", "R4: 'gridProxy' can perform 'copy:'.",
      #"M5: 'gridProxy' validates the item: title "Copy Photo"."#,
    ]
    let item = try sample.send(
      .post, "/commands/validate",
      #"{"session":"demo","commands":["copy:"],"from":"photoHost","explain":true}"#)
    #expect(try says(item, at: "/items/0/trace").suffix(6) == found[...])
    let performed = try sample.send(
      .post, "/commands/perform",
      #"{"session":"demo","command":"copy:","from":"photoHost","explain":true}"#)
    #expect(
      try says(performed).suffix(8)
        == (found + [
          "L9: 'gridProxy' forwards 'copy:' to 'photoGrid', whom it stands for, whatever its filter "
            + "says.", "F4: 'photoGrid' runs its method 'copy:'.",
        ])[...])
    let key = #"{"input":"c","modifiers":["command"]}"#
    let resolved = try sample.key("resolve", key, #","from":"photoHost","explain":true"#)
    #expect(try resolved.value("/proxied") == "photoGrid")
    #expect(try says(resolved).suffix(6) == found[...])
    let pressed = try sample.key("press", key, #","from":"photoHost","explain":true"#)
    #expect(try pressed.value("/target") == "gridProxy")
    #expect(try pressed.value("/proxied") == "photoGrid")
    #expect(try says(pressed).contains(found[1]))
  }

  @Test func `L13: the items of a touch bar are explained, each by its own trace`() throws {
    let response = try sample.send(.get, "/sessions/demo/touch-bar?explain")
    #expect(
      try says(response).prefix(3) == [
        "L13: 'photoGrid' adds nothing to the touch bar.",
        "L13: 'rootView' adds nothing to the touch bar.",
        "L13: 'root' adds its items to the touch bar.",
      ])
    #expect(
      try says(response, at: "/items/0/item/trace") == [
        "R3: 'photoGrid' responds to 'copy:': it or its class has a handler.",
        "R4: 'photoGrid' can perform 'copy:'.",
        #"M5: 'photoGrid' validates the item: title "Copy Photo"."#,
      ])
    let plain = try sample.send(.get, "/sessions/demo/touch-bar")
    #expect(try plain.value("/items/0/item/trace") == nil)
  }

  @Test func `L13: the user activity says who has none, up to the one that has`() throws {
    let response = try sample.send(.get, "/sessions/demo/user-activity?explain")
    #expect(
      try says(response) == [
        "L13: 'photoGrid' has no user activity.", "L13: 'rootView' has no user activity.",
        "L13: 'root' has a user activity.",
      ])
  }

  @Test func `F4: a message that nobody takes says why, over a proxy too`() throws {
    let body = #"{"session":"demo","action":"fly:","to":"gridProxy","explain":true}"#
    let response = try sample.send(.post, "/commands/perform", body)
    #expect(response.status == .conflict)
    #expect(
      try says(response) == [
        "L9: 'gridProxy' forwards 'fly:' to 'photoGrid', whom it stands for, whatever its filter "
          + "says.", "F4: 'photoGrid' has no method 'fly:' and adds none.",
        "F4: 'photoGrid' names nobody else for 'fly:'.",
        "F4: 'photoGrid' has no signature for 'fly:'.",
        "F4: 'photoGrid' does not recognize 'fly:', which is an error.",
      ])
  }

  @Test func `M10: a step has the rules that were asked, and what their parts were worth`() throws {
    let handler =
      #"{"validate":{"enabled":"size(command.deliveries) == 0","title":"string(state.none)"}}"#
    _ = try sample.send(.put, "/sessions/demo/responders/photoGrid/handlers/paste:", handler)
    let body = #"{"session":"demo","commands":["paste:"],"explain":true}"#
    let response = try sample.send(.post, "/commands/validate", body)
    guard case .array(let steps)? = try response.value("/items/0/trace"), let last = steps.last
    else {
      Issue.record("\(response.text)")
      return
    }
    #expect(last[JSONPointer(["rules", "0", "place"])] == "validate/enabled")
    #expect(last[JSONPointer(["rules", "0", "rule"])] == "size(command.deliveries) == 0")
    #expect(last[JSONPointer(["rules", "0", "value"])] == "true")
    #expect(
      last[JSONPointer(["rules", "0", "explanation", "parts", "2", "text"])]
        == "size(command.deliveries)")
    #expect(last[JSONPointer(["rules", "0", "explanation", "parts", "2", "value"])] == "0")
    #expect(last[JSONPointer(["rules", "1", "place"])] == "validate/title")
    #expect(last[JSONPointer(["rules", "1", "fault"])] != nil)
    #expect(last[JSONPointer(["rules", "2"])] == nil)
    let plain = try sample.send(
      .post, "/commands/validate", #"{"session":"demo","commands":["paste:"]}"#)
    #expect(try plain.value("/items/0/trace") == nil)
  }

  @Test func `M10: every step has its rule, and no sentence comes without it`() throws {
    try register("gridProxy")
    let body = #"{"session":"demo","from":"hostedView","explain":true}"#
    let items = try sample.send(.post, "/commands/validate", body)
    for index in 0..<8 {
      guard case .array(let steps)? = try items.value("/items/\(index)/trace") else { continue }
      for step in steps {
        let texts = ["rule", "says"].map { name -> String in
          if case .string(let text)? = step[JSONPointer([name])] { text } else { "" }
        }
        #expect(texts[1].hasPrefix(texts[0] + ": ") && texts[1].hasSuffix("."))
      }
    }
  }

  @Test(arguments: [
    ("/commands/validate", #""session":"demo","commands":["copy:"]"#),
    ("/keys/resolve", #""session":"demo","key":{"input":"5","modifiers":["command"]}"#),
    ("/sessions/demo/menu", #""menu":"edit""#),
    ("/targets/resolve", #""session":"demo","action":"copy:""#),
  ])
  func `A9: a question is explained if its body or its query asks for it`(
    path: String, members: String
  ) throws {
    let inBody = try sample.send(.post, path, #"{\#(members),"explain":true}"#)
    #expect(inBody.status == .ok && inBody.text.contains(#""trace":["#), "\(inBody.text)")
    let inQuery = try sample.send(.post, "\(path)?explain=true", "{\(members)}")
    #expect(inQuery.text == inBody.text)
    #expect(try sample.send(.post, "\(path)?explain=maybe", "{\(members)}").status == .badRequest)
    // A search for a target always has its trace.
    let plain = try sample.send(.post, path, "{\(members)}")
    #expect(plain.text.contains(#""trace":["#) == (path == "/targets/resolve"))
  }

  @Test func `M13: a menu that assumes something has no traces`() throws {
    for (query, member) in [("", #","explain":true"#), ("?explain", "")] {
      let refused = try sample.send(
        .post, "/sessions/demo/menu\(query)", #"{"assuming":[]\#(member)}"#)
      #expect(refused.status.rawValue == 422)
      #expect(try refused.value("/pointer") == "/explain")
    }
  }
}
