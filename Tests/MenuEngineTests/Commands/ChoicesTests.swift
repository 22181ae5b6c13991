import CEL
import JSONSchema
import JSONText
import Testing

@testable import MenuEngine

/// The choices for parameters, and the values that forms begin with (P4).
@Suite struct ChoicesTests {
  private static let command: JSON = [
    "title": "Add to Album…", "action": "add:", "key": ["input": "a"],
    "parameters": [
      "type": "object",
      "properties": [
        "album": ["type": "string"], "tags": ["type": "array"], "note": ["type": "string"],
      ],
      "required": ["album"], "additionalProperties": false,
    ],
    "choices": ["album": "state.albums", "tags": "responder.properties.tags"],
    "defaults": ["album": "state.last", "note": "command.title + sender.kind"],
    "alternates": [["title": "Move", "action": "move:", "modifiers": ["alternate"]]],
  ]

  private static let held = KeyModifiers([.alternate])

  private static let noting: JSON = [
    "perform": [["op": "add", "path": "/log/-", "value": "parameters"]]
  ]

  private func stage(
    _ state: JSONObject = ["albums": ["alps", "coast"], "last": "coast"],
    handlers: JSONObject = ["add:": Self.noting], command: JSON = Self.command
  ) throws -> Stage {
    var state = state
    state["log"] = []
    return try Stage(
      commands: [command, ["title": "Go", "action": "go:"]],
      responders: [
        "v": [
          "kind": "view", "handlers": .object(handlers), "properties": ["tags": ["a", "b"]],
        ],
        "w": [
          "kind": "view", "handlers": ["move:": Self.noting], "properties": ["tags": ["w"]],
          "superview": "v",
        ],
      ], focus: "w", state: .object(state))
  }

  private func perform(_ parameters: JSONObject?, modifiers: KeyModifiers = []) -> Mutation {
    .perform(ActionRequest(.command("add:"), parameters: parameters, modifiers: modifiers))
  }

  private func form(
    of stage: Stage, _ request: ValidationRequest = ValidationRequest()
  ) throws -> CommandForm {
    try stage.session.form(of: "add:", request, in: stage.catalog)
  }

  private func faults(_ mutation: Mutation, _ stage: Stage) -> [ValueFault.Reason]? {
    guard case .command(.invalidParameters(_, let faults))? = stage.refusal(of: mutation) else {
      return nil
    }
    return faults.values.faults.map(\.reason)
  }

  // The declaration.

  @Test func `P4: a command declares rules for choices and for first values`() throws {
    let command = try Command(Self.command)
    let names = ["choices", "defaults"]
    #expect(
      names.map { command.json[JSONPointer([$0])] }
        == names.map { Self.command[JSONPointer([$0])] })
    #expect(try reread(command) == command)
    #expect(command.hasPresentChoices)
    let other = try Command(["title": "A", "action": "a:", "parameters": ["type": "object"]])
    #expect(!other.hasPresentChoices)
    #expect(other.json[JSONPointer(["choices"])] == nil)
    let stored = String(decoding: try StoredFormat.bytes(of: other), as: UTF8.self)
    #expect(!stored.contains("rules"))
  }

  @Test(
    arguments: [
      (
        [
          "choices": ["albun": "[1]"],
          "parameters": ["type": "object", "properties": ["album": [:]]],
        ],
        "/choices/albun", .unknownMember("albun", known: ["album"])
      ),
      (
        ["defaults": ["a": "1"], "parameters": ["type": "object"]],
        "/defaults/a", .unknownMember("a", known: [])
      ),
      (["choices": ["a": "[1]"]], "", .missingMember("parameters")),
      (["defaults": [:]], "", .missingMember("parameters")),
      (
        ["choices": [], "parameters": ["type": "object"]], "/choices",
        .expected(.object, found: [])
      ),
      (
        ["choices": ["a": ["x"]], "parameters": ["type": "object", "properties": ["a": [:]]]],
        "/choices/a", .expected(.rule, found: ["x"])
      ),
    ] as [(JSONObject, String, DocumentFault.Reason)])
  func `P4: a mistake of the rules is told at its place`(
    members: JSONObject, place: String, reason: DocumentFault.Reason
  ) {
    var document: JSONObject = ["title": "A", "action": "a:"]
    for member in members.members { document[member.name] = member.value }
    let faults = #expect(throws: DocumentFaults.self) { try Command(.object(document)) }
    #expect(faults?.faults.map(\.pointer.description) == [place])
    #expect(faults?.faults.map(\.reason) == [reason])
  }

  @Test func `P4: a rule that never answers a list is refused when it is declared`() {
    for (part, rule) in [("choices", "'a'"), ("choices", "size("), ("defaults", "type(1)")] {
      let document: JSON = [
        "title": "A", "action": "a:", "parameters": ["type": "object", "properties": ["a": [:]]],
        .init(part): ["a": .string(rule)],
      ]
      let faults = #expect(throws: DocumentFaults.self) { try Command(document) }
      #expect(faults?.faults.map(\.pointer.description) == ["/\(part)/a"])
      guard case .rule? = faults?.faults.first?.reason else {
        Issue.record("\(rule) compiles")
        return
      }
    }
  }

  // The form.

  @Test func `P4: the form has the present choices, and values to begin with`() throws {
    var stage = try stage()
    let form = try form(of: stage)
    #expect(form.item.isEnabled)
    #expect(form.item.title == "Add to Album…")
    #expect(form.faults == [])
    #expect(
      form.schema[JSONPointer(["properties"])] == [
        "album": ["type": "string", "enum": ["alps", "coast"], "default": "coast"],
        "tags": ["type": "array", "items": ["enum": ["a", "b"]]],
        "note": ["type": "string", "default": "Add to Album…menu"],
      ])
    #expect(form.schema[JSONPointer(["required"])] == ["album"])
    try stage.apply(.mergeState(["albums": ["owls"]]))
    #expect(
      try self.form(of: stage).schema[JSONPointer(["properties", "album"])]
        == ["type": "string", "enum": ["owls"]])
  }

  @Test func `P4: choices may have titles`() throws {
    let titled: JSON = [["const": "alps", "title": "Alps"], ["const": "coast"], "owls"]
    let stage = try stage(["albums": titled, "last": .null])
    #expect(
      try form(of: stage).schema[JSONPointer(["properties", "album"])] == [
        "type": "string",
        "oneOf": [["const": "alps", "title": "Alps"], ["const": "coast"], ["const": "owls"]],
      ])
    #expect(
      faults(perform(["album": "Alps"]), stage)
        == [.notListed(["alps", "coast", "owls"], found: "Alps")])
  }

  @Test func `P4: the rules have the context of the target, as those of its item have`() throws {
    let stage = try stage()
    var request = ValidationRequest()
    request.modifiers = Self.held
    let tags = JSONPointer(["properties", "tags", "items"])
    #expect(try form(of: stage).schema[tags] == ["enum": ["a", "b"]])
    let moved = try form(of: stage, request)
    #expect(moved.item.title == "Move")
    #expect(moved.schema[tags] == ["enum": ["w"]])
    #expect(
      faults(perform(["album": "alps", "tags": ["a"]], modifiers: Self.held), stage)
        == [.notListed(["w"], found: "a")])
    request.modifiers = []
    request.from = "w"
    #expect(try form(of: stage, request).schema[tags] == ["enum": ["a", "b"]])
    #expect(throws: MutationFault.unknownResponder("x")) {
      request.from = "x"
      _ = try form(of: stage, request)
    }
    #expect(throws: MutationFault.unknownCommand("x:")) {
      _ = try stage.session.form(of: "x:", ValidationRequest(), in: stage.catalog)
    }
  }

  @Test func `P4: without a target there is no responder, and parameters are checked first`() throws
  {
    let stage = try stage(handlers: [:])
    let form = try form(of: stage)
    #expect(form.item.reason == .noTarget)
    #expect(form.faults.map(\.place) == ["choices/tags"])
    #expect(faults(perform(["album": "x"]), stage) == [.notListed(["alps", "coast"], found: "x")])
    #expect(stage.reason(for: perform(["album": "alps"])) == .noTarget)
  }

  @Test func `P4: a command without rules has its schema, or one that takes nothing`() throws {
    let stage = try stage()
    let form = try stage.session.form(of: "go:", ValidationRequest(), in: stage.catalog)
    #expect(form.schema == ["type": "object", "additionalProperties": false])
    let command: JSON = [
      "title": "A", "action": "add:", "parameters": ["type": "object", "title": "A"],
    ]
    let plain = try self.stage(command: command)
    #expect(try self.form(of: plain).schema == ["type": "object", "title": "A"])
  }

  // A rule that fails.

  @Test(
    arguments: [
      .null, "alps", ["a": 1], [["const": 1, "title": 2]], [["const": 1, "name": "x"]],
      .array(Array(repeating: 1, count: Limits.choices + 1)),
      [.string(String(repeating: "x", count: Limits.work))],
    ] as [JSON])
  func `P4: a rule that answers no choices accepts nothing, and says so`(albums: JSON) throws {
    let stage = try stage(["albums": albums, "last": "x"])
    let form = try form(of: stage)
    #expect(form.faults.map(\.place) == ["choices/album"])
    #expect(
      form.schema[JSONPointer(["properties", "album"])] == ["type": "string", "not": [:]])
    #expect(faults(perform(["album": "alps"]), stage) == [.unknownChoices("choices/album")])
    #expect(faults(perform(nil), stage) == [.missingMember("album")])
  }

  @Test(
    arguments: [
      ([3, ["const": 5, "titel": "x"]], 1, .misnamed("titel", expected: .choiceMember)),
      ([3, 4, ["const": 5, "title": 6]], 2, .answered(.int, expected: .string)),
    ] as [(JSON, Int, RuleFault.Reason)])
  func `P4: the fault of a choice says which one it is`(
    albums: JSON, index: Int, reason: RuleFault.Reason
  ) throws {
    let fault = try #require(try form(of: stage(["albums": albums, "last": "x"])).faults.first)
    #expect(fault.index == index)
    #expect(fault.reason == reason)
  }

  @Test func `P4: a rule that fails leaves other parameters as they are`() throws {
    var stage = try stage(["albums": ["alps"]])
    #expect(try form(of: stage).faults.map(\.place) == ["defaults/album"])
    try stage.apply(perform(["album": "alps", "tags": ["b", "a"]]))
    #expect(stage.log == [["album": "alps", "tags": ["b", "a"]]])
    #expect(
      try form(of: self.stage([:])).faults.map(\.place) == ["choices/album", "defaults/album"])
  }

  @Test func `P4: a first value of any size is bounded, and must be possible`() throws {
    let long = JSON.string(String(repeating: "x", count: Limits.work))
    let stage = try stage(["albums": ["alps"], "last": long])
    let form = try form(of: stage)
    #expect(form.faults.map(\.reason) == [.answered(.string, expected: .boundedValue)])
    #expect(form.schema[JSONPointer(["properties", "album", "default"])] == nil)
  }

  @Test func `P4: diagnostics list rules that fail for the target`() throws {
    func failing(_ stage: Stage) -> [String] {
      stage.session.diagnostics(in: stage.catalog).failing.rules.map {
        "\($0.receiver) \($0.command?.rawValue ?? "-") \($0.fault.place)"
      }
    }
    #expect(try failing(stage()) == [])
    #expect(
      try failing(stage([:])) == ["v add: choices/album", "v add: defaults/album"])
    #expect(try failing(stage([:], handlers: [:])) == [])
  }

  // Performing.

  @Test func `P4: performing accepts the present choices alone, and fills nothing in`() throws {
    var stage = try stage()
    #expect(
      faults(perform(["album": "ows", "tags": ["a", "c"]]), stage) == [
        .notListed(["alps", "coast"], found: "ows"), .notListed(["a", "b"], found: "c"),
      ])
    #expect(faults(perform(nil), stage) == [.missingMember("album")])
    try stage.apply(perform(["album": "alps"]))
    #expect(stage.log == [["album": "alps"]])
  }

  @Test func `P4: choices that change between the form and the request are those of now`() throws {
    var stage = try stage()
    #expect(
      try form(of: stage).schema[JSONPointer(["properties", "album", "enum", "0"])] == "alps")
    try stage.apply(.mergeState(["albums": ["coast"]]))
    #expect(faults(perform(["album": "alps"]), stage) == [.notListed(["coast"], found: "alps")])
    try stage.apply(perform(["album": "coast"]))
    #expect(stage.log == [["album": "coast"]])
  }

  @Test func `P4: effects and keys are checked, too`() throws {
    let effect: JSON = [
      "perform": [["op": "perform", "command": "'add:'", "parameters": "{'album': state.wanted}"]]
    ]
    var stage = try stage(
      ["albums": ["alps"], "last": "", "wanted": "owls"],
      handlers: ["add:": Self.noting, "go:": effect])
    let go = Mutation.perform(ActionRequest(.command("go:")))
    guard
      case .effect(.mutation(_, _, index: 0, .command(.invalidParameters("add:", let faults))))? =
        stage.refusal(of: go)
    else {
      Issue.record("performed with another choice")
      return
    }
    #expect(faults.values.faults.map(\.reason) == [.notListed(["alps"], found: "owls")])
    try stage.apply(.mergeState(["wanted": "alps"]))
    try stage.apply(go)
    #expect(stage.log == [["album": "alps"]])
    let press = try Mutation.pressKey(KeyPress(["key": ["input": "a"]]))
    guard case .command(.keyLacksParameters("add:", _))? = stage.refusal(of: press) else {
      Issue.record("a key gives parameters")
      return
    }
  }

  @Test func `P4: the sender has no rules of the form`() throws {
    let handler: JSON = ["perform": [["op": "add", "path": "/log/-", "value": "command"]]]
    var stage = try stage(handlers: ["add:": handler])
    let outcome = try stage.apply(perform(["album": "alps"]))
    #expect(outcome.performance?.invocation.sender?.command?.parameters == nil)
    #expect(stage.log?[JSONPointer(["0", "choices"])] == nil)
    #expect(stage.log?[JSONPointer(["0", "id"])] == "add:")
  }

  @Test func `P4: choices are part of the effort of a request`() throws {
    let albums = JSON.array((0..<Limits.choices).map { .string("album \($0)") })
    let stage = try stage(["albums": albums, "last": ""])
    let effort = Effort()
    _ = try stage.session.form(
      of: "add:", ValidationRequest(), in: stage.catalog, spending: effort)
    #expect(effort.spent > Effort.member * Limits.choices)
    #expect(throws: MutationFault.tooMuchEffort) {
      _ = try stage.session.form(
        of: "add:", ValidationRequest(), in: stage.catalog, spending: Effort(limit: 1000))
    }
  }
}
