import CEL
import JSONText
import Randomness
import Testing

@testable import MenuEngine

/// A view in a view in a controller, each with the handlers given.
private func column(
  inner: JSON = [:], outer: JSON = [:], controller: JSON = [:], classes: JSON = [:],
  focus: String? = "inner", state: JSON = ["log": []]
) throws -> Stage {
  try Stage(
    commands: [["action": "rate:", "title": "Rate"]], classes: classes,
    responders: [
      "inner": ["kind": "view", "superview": "outer", "handlers": inner],
      "outer": ["kind": "view", "handlers": outer],
      "controller": ["kind": "viewController", "view": "outer", "handlers": controller],
    ], focus: focus, state: state)
}

@Suite struct RespondsTests {
  @Test func `R3: a handler of one's own counts`() throws {
    let stage = try column(inner: ["rate:": logging("inner")])
    #expect(try stage.target("rate:") == "inner")
  }

  @Test func `R3: a handler of the class or of a superclass counts`() throws {
    let classes: JSON = [
      "Stars": ["superclass": "UIView", "handlers": ["rate:": logging("class")]],
      "BigStars": ["superclass": "Stars"],
    ]
    for name in ["Stars", "BigStars"] as [JSON] {
      var stage = try Stage(
        classes: classes, responders: ["v": ["kind": "view", "class": name]], focus: "v")
      #expect(try stage.target("rate:") == "v")
      try stage.apply(.perform(ActionRequest(.action("rate:"))))
      #expect(stage.log == ["class"])
    }
  }

  @Test func `R3: the nearest class's handler is the one, one's own before it`() throws {
    let classes: JSON = [
      "Stars": ["superclass": "UIView", "handlers": ["rate:": logging("far"), "a": [:]]],
      "BigStars": ["superclass": "Stars", "handlers": ["rate:": logging("near")]],
    ]
    var stage = try Stage(
      classes: classes, responders: ["v": ["kind": "view", "class": "BigStars"]], focus: "v")
    try stage.apply(.perform(ActionRequest(.action("rate:"))))
    try stage.apply(.putHandler(try handler(logging("own")), for: "rate:", of: "v"))
    try stage.apply(.perform(ActionRequest(.action("rate:"))))
    try stage.apply(.removeHandler(for: "rate:", of: "v"))
    try stage.apply(.perform(ActionRequest(.action("rate:"))))
    #expect(stage.log == ["near", "own", "near"])
  }

  @Test func `R3: forwarding does not count, nor a subclass's handler`() throws {
    let stage = try Stage(
      classes: ["Sub": ["superclass": "UIView", "handlers": ["rate:": [:]]]],
      responders: [
        "v": [
          "kind": "view",
          "coordinator": ["forwarding": "explicit", "handlers": ["rate:": logging("c")]],
        ]
      ], focus: "v")
    #expect(try stage.target("rate:") == "noTarget")
    #expect(try stage.trace("rate:") == ["v respondsToSelector false", "v next null"])
  }

  @Test func `R3: selectors are told apart by every colon and by case`() throws {
    let stage = try column(inner: ["rate:": [:]])
    #expect(try stage.target("rate") == "noTarget")
    #expect(try stage.target("rate::") == "noTarget")
    #expect(try stage.target("Rate:") == "noTarget")
  }
}

@Suite struct CanPerformTests {
  @Test func `R4: without a rule whoever responds can`() throws {
    let stage = try column(inner: ["rate:": [:]])
    #expect(
      try stage.trace("rate:") == ["inner respondsToSelector true", "inner canPerformAction true"])
  }

  @Test func `R4: a no lets the search climb`() throws {
    let stage = try column(inner: ["rate:": ["canPerform": false]], controller: ["rate:": [:]])
    #expect(try stage.target("rate:") == "controller")
    #expect(
      try stage.trace("rate:") == [
        "inner respondsToSelector true", "inner canPerformAction false", "inner next \"outer\"",
        "outer respondsToSelector false", "outer next \"controller\"",
        "controller respondsToSelector true", "controller canPerformAction true",
      ])
  }

  @Test func `R4: the rule sees the sender, the receiver and the state`() throws {
    let rule: JSON = [
      "canPerform":
        "sender.kind == 'toolbar' && responder.id == 'inner' && state.on && command == null"
    ]
    let stage = try column(inner: ["rate:": rule], state: ["on": true])
    #expect(
      try stage.target("rate:", sender: SenderDescription(members: ["kind": "toolbar"]))
        == "inner")
    #expect(
      try stage.target("rate:", sender: SenderDescription(members: ["kind": "menu"]))
        == "noTarget")
  }

  @Test func `R4: a rule that fails says no, and somebody else may answer`() throws {
    let stage = try column(
      inner: ["rate:": ["canPerform": "state.missing"]], controller: ["rate:": [:]])
    #expect(try stage.target("rate:") == "controller")
    #expect(try stage.item("rate:").reason == .enabled)
  }

  @Test func `R4: when a rule failed and nobody else answers, the first failure is the reason`()
    throws
  {
    let stage = try column(
      inner: ["rate:": ["canPerform": "state.missing"]],
      outer: ["rate:": ["canPerform": "state.alsoMissing"]],
      controller: ["rate:": ["canPerform": false]])
    let item = try stage.item("rate:")
    #expect(item.reason == .ruleError)
    #expect(!item.isEnabled)
    #expect(item.target == nil)
    #expect(item.fault?.place == "canPerform")
    #expect(item.fault?.source == "state.missing")
    #expect(
      item.trace.steps.compactMap(\.fault).map(\.source) == [
        "state.missing", "state.alsoMissing",
      ])
    #expect(stage.reason(for: .perform(ActionRequest(.command("rate:")))) == .ruleError)
    #expect(stage.reason(for: .perform(ActionRequest(.action("rate:")))) == .ruleError)
    #expect(try stage.target("rate:") == "ruleError")
  }

  @Test func `R4: a rule that answers with another type than bool says no`() throws {
    let stage = try column(inner: ["rate:": ["canPerform": "dyn(1)"]])
    let item = try stage.item("rate:")
    #expect(
      item.fault
        == RuleFault(
          place: "canPerform", source: "dyn(1)", reason: .answered(.int, expected: .bool)))
  }
}

@Suite struct TargetTests {
  private static func host(_ mark: String, _ more: JSON = [:]) -> JSON {
    var object: JSONObject = ["coordinator": ["handlers": ["rate:": logging(mark)]]]
    for member in more.object?.members ?? [] { object[member.name] = member.value }
    return .object(object)
  }

  private func stage(inner: JSON, outer: JSON, controller: JSON = [:]) throws -> Stage {
    func document(_ kind: JSON, _ link: String?, _ to: JSON, _ more: JSON) -> JSON {
      var object: JSONObject = ["kind": kind]
      if let link { object[link] = to }
      for member in more.object?.members ?? [] { object[member.name] = member.value }
      return .object(object)
    }
    return try Stage(
      commands: [["action": "rate:", "title": "Rate"]],
      responders: [
        "inner": document("view", "superview", "outer", inner),
        "outer": document("view", nil, nil, outer),
        "controller": document("viewController", "view", "outer", controller),
      ], focus: "inner")
  }

  @Test func `R5: the nearest who can is the target`() throws {
    let stage = try column(inner: ["rate:": [:]], outer: ["rate:": [:]])
    #expect(try stage.target("rate:") == "inner")
    #expect(try stage.target("rate:", from: "outer") == "outer")
  }

  @Test func `R5: nobody is no target`() throws {
    let stage = try column(inner: ["other:": [:]])
    #expect(try stage.target("rate:") == "noTarget")
    #expect(try stage.target("rate:", from: "controller") == "noTarget")
  }

  @Test func `R5: a redirect nearer to the first responder wins`() throws {
    let stage = try stage(
      inner: Self.host("inner"), outer: ["handlers": ["rate:": logging("outer")]],
      controller: Self.host("controller"))
    #expect(try stage.target("rate:") == "inner/forwarder")
  }

  @Test func `R5: a redirect on the way is honoured, and the target need not be on the chain`()
    throws
  {
    let stage = try stage(inner: [:], outer: Self.host("outer"))
    #expect(try stage.target("rate:") == "outer/forwarder")
    #expect(
      try stage.trace("rate:") == [
        "inner respondsToSelector false", "inner next \"outer\"",
        "outer redirect \"outer/forwarder\"", "outer/forwarder canPerformAction true",
      ])
  }

  @Test func `R5: the redirect comes before the host's own method`() throws {
    var stage = try stage(
      inner: Self.host("redirect", ["handlers": ["rate:": logging("own")]]), outer: [:])
    #expect(try stage.target("rate:") == "inner/forwarder")
    try stage.apply(.removeRegistration(1, with: "inner"))
    #expect(try stage.target("rate:") == "inner")
    #expect(
      try stage.trace("rate:") == [
        "inner redirect null", "inner respondsToSelector true", "inner canPerformAction true",
      ])
  }

  @Test(arguments: Seeds.first(10))
  func `R6: who is looked up is who is reached, in a random graph`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var random = RandomGraph(&generator)
    let actions: [Selector] = ["a:", "b:", "c:"]
    for action in actions {
      for focus in random.stage.session.graph.ids.shuffled(using: &generator).prefix(4) {
        try random.stage.apply(.becomeFirstResponder(focus))
        try random.expectSame(action)
      }
    }
  }

  @Test(arguments: Seeds.first(10))
  func `R6: in AppKit's search, too, who is looked up is who is reached`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var random = RandomGraph(&generator, search: "appkit")
    let windows = random.stage.session.graph.responders.filter { $0.kind == .window }.map(\.id)
    for role in WindowRole.allCases {
      try random.stage.apply(.makeWindow(windows.randomElement(using: &generator), role))
    }
    for action in ["a:", "b:", "c:"] as [Selector] {
      for focus in random.stage.session.graph.ids.shuffled(using: &generator).prefix(4) {
        try random.stage.apply(.becomeFirstResponder(focus))
        try random.expectSame(action, as: try random.windowTarget(action))
      }
    }
  }
}

/// A session with random links and handlers, and what each responder was given.
private struct RandomGraph {
  var stage: Stage
  private var expected: [ResponderID: [Selector: Ability]] = [:]

  private enum Ability: CaseIterable {
    case none, can, cannot, fails, forwards, forwardsAndCannot
  }

  init(_ generator: inout SeededGenerator, search: String? = nil) {
    let commands: JSON = .array(
      ["a:", "b:", "c:"].map { ["action": .string($0), "title": .string($0)] })
    do { stage = try Stage(commands: commands, search: search) } catch {
      preconditionFailure("\(error)")
    }
    for index in 0..<14 {
      let id: ResponderID = "r\(index)"
      let earlier = stage.session.graph.responders.filter { !$0.id.isRegistryEnd }
      var kind = ResponderKind.allCases.randomElement(using: &generator) ?? .view
      if kind == .application, stage.session.graph.application != nil { kind = .view }
      var object: JSONObject = ["kind": .string(kind.rawValue)]
      for link in ResponderLink.allCases where link.holders.contains(kind) && link != .next {
        let fitting = earlier.filter { link.destinations.contains($0.kind) }
        if let other = fitting.randomElement(using: &generator), Bool.random(using: &generator) {
          object.set(link, to: other.id)
        }
      }
      if kind == .responder, object["coordinating"] == nil { object["coordinating"] = [:] }
      if Bool.random(using: &generator) {
        object["lateResponders"] = ["hooksLast": .bool(index % 5 != 0)]
      }
      give(id, kind, &object, &generator)
      if let start = earlier.randomElement(using: &generator) {
        _ = try? stage.apply(.registerLate(id, from: start.id))
      }
    }
  }

  private mutating func give(
    _ id: ResponderID, _ kind: ResponderKind, _ object: inout JSONObject,
    _ generator: inout SeededGenerator
  ) {
    var handlers = JSONObject()
    var registrations = JSONObject()
    var abilities: [Selector: Ability] = [:]
    for action in ["a:", "b:", "c:"] as [Selector] {
      let ability = Ability.allCases.randomElement(using: &generator) ?? .none
      let own = logging(id.rawValue)
      func rule(_ source: String) -> JSON {
        var object = own.object ?? JSONObject()
        object["canPerform"] = .string(source)
        return .object(object)
      }
      switch ability {
      case .none: break
      case .can: handlers[action.rawValue] = own
      case .cannot: handlers[action.rawValue] = rule("sender.kind != 'menu'")
      case .fails: handlers[action.rawValue] = rule("state.missing")
      case .forwards: registrations[action.rawValue] = logging("\(id)/forwarder")
      case .forwardsAndCannot:
        registrations[action.rawValue] = logging("\(id)/forwarder")
        handlers[action.rawValue] = rule("false")
      }
      abilities[action] = ability
    }
    object["handlers"] = .object(handlers)
    object["coordinator"] = ["handlers": .object(registrations)]
    // A link that would close a cycle or is taken is refused; then the graph stays smaller.
    if (try? stage.put(id, .object(object))) != nil { expected[id] = abilities }
  }

  /// R5 once more, as it is written.
  private func target(_ action: Selector, _ id: ResponderID?, _ failed: Bool) -> String {
    guard let id else { return failed ? "ruleError" : "noTarget" }
    let next = stage.session.graph.next(of: id)
    switch expected[id]?[action] {
    case .forwards, .forwardsAndCannot: return "\(id)/forwarder"
    case .can: return id.rawValue
    case .fails: return target(action, next, true)
    case .cannot: return target(action, next, failed)
    case .some(.none), nil:
      let (can, fails) = proxied(by: id, action)
      return can ? id.rawValue : target(action, next, failed || fails)
    }
  }

  /// L8 once more: whether a proxy without filter can perform an action, and whether a rule fails.
  private func proxied(by id: ResponderID, _ action: Selector) -> (Bool, Bool) {
    guard let proxied = stage.session.graph[id]?.links[.proxied] else { return (false, false) }
    switch expected[proxied]?[action] {
    case .can: return (true, false)
    case .fails: return (false, true)
    case .cannot, .forwardsAndCannot: return (false, false)
    case .some(.none), .forwards, nil: return self.proxied(by: proxied, action)
    }
  }

  /// R10 once more: of those on the way from window to window the first that responds, or whose
  /// supplemental target does, itself or as a proxy (L8). Nobody's forwarder responds (F3), and no `canPerform` is asked.
  func windowTarget(_ action: Selector) throws -> String {
    for id in stage.session.inquiry(in: SessionContext(stage.catalog)).order(from: nil) {
      let supplement = stage.session.graph[id]?.links[.supplementalTarget]
      for asked in [id, supplement].compactMap(\.self)
      where responds(asked, to: action) || proxiedResponds(by: asked, action) {
        return asked.rawValue
      }
    }
    return "noTarget"
  }

  private func proxiedResponds(by id: ResponderID, _ action: Selector) -> Bool {
    guard let proxied = stage.session.graph[id]?.links[.proxied] else { return false }
    return responds(proxied, to: action) || proxiedResponds(by: proxied, action)
  }

  private func responds(_ id: ResponderID, to action: Selector) -> Bool {
    switch expected[id]?[action] {
    case .can, .cannot, .fails, .forwardsAndCannot: true
    case .some(.none), .forwards, nil: false
    }
  }

  mutating func expectSame(_ action: Selector) throws {
    try expectSame(action, as: target(action, stage.session.firstResponder, false))
  }

  mutating func expectSame(_ action: Selector, as wanted: String) throws {
    let item = try stage.item(CommandID(stringLiteral: action.rawValue))
    #expect((item.target?.description ?? item.reason.rawValue) == wanted)
    let request = Mutation.perform(
      ActionRequest(.command(CommandID(stringLiteral: action.rawValue))))
    guard item.isEnabled else {
      #expect(stage.reason(for: request) == item.reason)
      return
    }
    let outcome = try stage.apply(request)
    #expect(outcome.performance?.target.description == wanted)
    guard case .array(let log)? = stage.log else {
      Issue.record("'log' is not an array")
      return
    }
    #expect(log.last == .string(item.proxied?.rawValue ?? wanted))
  }
}

@Suite struct SendActionTests {
  private func stage(focus: String? = nil, key: String? = nil) throws -> Stage {
    func responder(_ kind: JSON) -> JSON {
      ["kind": kind, "handlers": ["rate:": [:]]]
    }
    return try Stage(
      responders: [
        "app": responder("application"), "window": responder("window"),
        "focused": responder("view"), "button": responder("view"),
      ], focus: focus, key: key)
  }

  @Test func `R7: the search begins at the first responder`() throws {
    let stage = try stage(focus: "focused", key: "window")
    #expect(try stage.target("rate:", sender: SenderDescription(responder: "button")) == "focused")
  }

  @Test func `R7: without a first responder it begins at the sender when that is a responder`()
    throws
  {
    let stage = try stage(key: "window")
    #expect(try stage.target("rate:", sender: SenderDescription(responder: "button")) == "button")
    #expect(
      try stage.target("rate:", sender: SenderDescription(members: ["kind": "key"])) == "window")
  }

  @Test func `R7: else it begins at the key window, else at the application`() throws {
    #expect(try stage(key: "window").target("rate:") == "window")
    #expect(try stage().target("rate:") == "app")
    #expect(try Stage().target("rate:") == "noTarget")
  }

  @Test func `R7: a named start comes before all of them`() throws {
    let stage = try stage(focus: "focused")
    #expect(try stage.target("rate:", from: "button") == "button")
    #expect(throws: MutationFault.unknownResponder("ghost")) {
      _ = try stage.target("rate:", from: "ghost")
    }
  }

  @Test func `R7: an explicit target gets it without a search, whatever its canPerform says`()
    throws
  {
    var stage = try Stage(
      responders: [
        "near": ["kind": "view", "handlers": ["rate:": logging("near")]],
        "far": [
          "kind": "view",
          "handlers": [
            "rate:": [
              "canPerform": false, "perform": [["op": "add", "path": "/log/-", "value": "'far'"]],
            ]
          ],
        ],
      ], focus: "near")
    let outcome = try stage.apply(
      .perform(ActionRequest(.action("rate:"), to: .responder("far"))))
    #expect(stage.log == ["far"])
    #expect(outcome.performance?.isPerformed == true)
    #expect(outcome.performance?.trace.lines == ["far invoke \"rate:\""])
  }

  @Test func `R7: an explicit target that neither responds nor forwards is an error`() throws {
    let stage = try stage(focus: "focused")
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("other:"), to: .responder("button"))))
        == .message(.doesNotRecognizeSelector(.responder("button"), "other:")))
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("rate:"), to: .responder("ghost"))))
        == .unknownResponder("ghost"))
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("rate:"), to: .forwarder(host: "button"))))
        == .handler(.noCoordinator("button")))
  }

  @Test func `R7: an action nobody receives is refused with the reason`() throws {
    let stage = try stage(focus: "focused")
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("other:"))))
        == .command(
          .notPerformed(
            Refusal(
              item: nil, action: "other:", reason: .noTarget, fault: nil,
              trace: Trace(isRecording: false)))))
  }

  @Test func `R7: the arguments default to the sender, then nulls`() throws {
    var stage = try Stage(
      responders: ["v": ["kind": "view", "handlers": ["a": [:], "a:b:": [:]]]], focus: "v")
    func arguments(_ request: ActionRequest) throws -> [JSON]? {
      try stage.apply(.perform(request)).performance?.invocation.arguments
    }
    let sender = SenderDescription(members: ["kind": "key"])
    #expect(try arguments(ActionRequest(.action("a"), sender: sender)) == [])
    #expect(
      try arguments(ActionRequest(.action("a:b:"), sender: sender)) == [["kind": "key"], nil])
    #expect(
      try arguments(ActionRequest(.action("a:b:"))) == [
        ["kind": "request", "action": "a:b:"], nil,
      ])
    #expect(try arguments(ActionRequest(.action("a:b:"), arguments: [1, 2])) == [1, 2])
    #expect(
      stage.refusal(of: .perform(ActionRequest(.action("a:b:"), arguments: [1])))
        == .message(.argumentCount("a:b:", given: 1)))
  }
}
