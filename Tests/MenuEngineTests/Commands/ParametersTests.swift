import JSONSchema
import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// The parameters of commands (P1 to P3).
@Suite struct ParametersTests {
  private static let schema: JSON = [
    "type": "object",
    "properties": ["quality": ["type": "integer", "maximum": 100], "name": ["type": "string"]],
    "required": ["quality"], "additionalProperties": false,
  ]

  /// The photo application's export, with a key, and a command that takes no parameters.
  private static let commands: JSON = [
    [
      "title": "Export", "action": "export:", "parameters": schema,
      "key": ["input": "e"],
      "alternates": [
        ["title": "Export All", "action": "exportAll:", "modifiers": ["alternate"]]
      ],
    ],
    [
      "title": "Save", "action": "save:", "key": ["input": "s"],
      "parameters": ["type": "object", "properties": ["as": ["type": "string"]]],
    ],
    ["title": "Copy", "action": "copy:"],
  ]

  /// Notes the parameters in the log.
  private static let noting: JSON = [
    "perform": [["op": "add", "path": "/log/-", "value": "parameters"]]
  ]

  private func stage(_ handlers: JSONObject = [:], others: JSONObject = [:]) throws -> Stage {
    var all: JSONObject = [
      "export:": Self.noting, "save:": Self.noting, "copy:": Self.noting,
      "exportAll:": Self.noting,
    ]
    for member in handlers.members { all[member.name] = member.value }
    var responders: JSONObject = ["v": ["kind": "view", "handlers": .object(all)]]
    for member in others.members { responders[member.name] = member.value }
    return try Stage(commands: Self.commands, responders: .object(responders), focus: "v")
  }

  private func perform(
    _ command: CommandID, _ parameters: JSONObject? = nil, modifiers: KeyModifiers = []
  ) -> Mutation {
    .perform(ActionRequest(.command(command), parameters: parameters, modifiers: modifiers))
  }

  // P1: the declaration.

  private func faults(_ parameters: JSON) -> [DocumentFault] {
    do throws(DocumentFaults) {
      _ = try Command(["title": "A", "action": "a:", "parameters": parameters])
      return []
    } catch {
      return error.faults
    }
  }

  @Test func `P1: a command declares its parameters by a schema, and by default none`() throws {
    let command = try Command(["title": "A", "action": "a:", "parameters": Self.schema])
    #expect(command.parameters?.document == Self.schema)
    #expect(command.json[JSONPointer(["parameters"])] == Self.schema)
    #expect(try reread(command) == command)
    let other = try Command(["title": "A", "action": "a:"])
    #expect(other.parameters == nil)
    #expect(other.json[JSONPointer(["parameters"])] == nil)
  }

  @Test(
    arguments: [true, nil, [], "object", [:], ["type": "string"], ["type": ["object"]]] as [JSON])
  func `P1: the schema is of type object`(schema: JSON) {
    #expect(
      faults(schema) == [
        DocumentFault(
          .expected(.parameterSchema, found: schema), at: JSONPointer(["parameters"]))
      ])
  }

  @Test func `P1: a keyword that is not known is refused by name`() {
    let schema: JSON = [
      "type": "object", "properties": ["a": ["minimun": 1]], "unevaluatedProperties": false,
    ]
    let faults = faults(schema)
    #expect(
      faults.map(\.pointer.description) == [
        "/parameters/unevaluatedProperties", "/parameters/properties/a/minimun",
      ])
    guard case .schema(.unknownKeyword("minimun", _))? = faults.last?.reason else {
      Issue.record("\(faults)")
      return
    }
  }

  @Test func `P1: declared once more with another schema, a command is another one`() throws {
    var stage = try stage()
    let other = try Command(
      ["title": "Copy", "action": "copy:", "parameters": ["type": "object", "title": "A"]])
    #expect(throws: DeclarationFault.command(.duplicateCommand("copy:"))) {
      try stage.catalog.declare(other)
    }
  }

  // P2: performing.

  @Test func `P2: rules and effects read the parameters, and the invocation keeps them`() throws {
    var stage = try stage()
    let outcome = try stage.apply(perform("export:", ["quality": 80, "name": "a"]))
    #expect(stage.log == [["quality": 80, "name": "a"]])
    let invocation = try #require(outcome.performance?.invocation)
    #expect(invocation.parameters == ["quality": 80, "name": "a"])
    #expect(invocation.json[JSONPointer(["parameters", "quality"])] == 80)
    #expect(invocation.arguments.count == 1)
  }

  @Test func `P2: each fault of the parameters is told, with its place`() throws {
    let refusal = try stage().refusal(of: perform("export:", ["quality": 101, "size": 1]))
    guard case .command(.invalidParameters("export:", let faults))? = refusal else {
      Issue.record("\(String(describing: refusal))")
      return
    }
    #expect(faults.values.faults.map(\.pointer.description) == ["/quality", "/size"])
    #expect(
      faults.values.faults.map(\.reason) == [
        .number(.maximum, 100, found: 101), .unknownMember("size", known: ["quality", "name"]),
      ])
  }

  @Test func `P2: parameters are checked before anything else`() throws {
    let stage = try stage(["export:": ["validate": ["enabled": "false"]]])
    guard case .command(.invalidParameters)? = stage.refusal(of: perform("export:")) else {
      Issue.record("performed without parameters")
      return
    }
    #expect(stage.reason(for: perform("export:", ["quality": 1])) == .ruleFalse)
  }

  @Test func `P2: absent parameters are an empty object`() throws {
    var stage = try stage()
    for parameters in [nil, [:]] as [JSONObject?] {
      guard
        case .command(.invalidParameters(_, let faults))? = stage.refusal(
          of: perform("export:", parameters))
      else {
        Issue.record("performed without parameters")
        return
      }
      #expect(faults.values.faults.map(\.reason) == [.missingMember("quality")])
    }
    let outcome = try stage.apply(perform("save:"))
    #expect(stage.log == [[:]])
    #expect(outcome.performance?.invocation.parameters.isEmpty == true)
    #expect(outcome.performance?.invocation.json[JSONPointer(["parameters"])] == nil)
  }

  @Test func `P2: a default is an annotation and is not filled in`() throws {
    var stage = try Stage(
      commands: [
        [
          "title": "A", "action": "a:",
          "parameters": ["type": "object", "properties": ["n": ["default": 1]]],
        ]
      ], responders: ["v": ["kind": "view", "handlers": ["a:": Self.noting]]], focus: "v")
    try stage.apply(perform("a:"))
    #expect(stage.log == [[:]])
  }

  @Test func `P2: a command without a schema takes none, and neither does an action`() throws {
    var stage = try stage()
    #expect(stage.refusal(of: perform("copy:", ["a": 1])) == .command(.noParameters("copy:")))
    try stage.apply(perform("copy:", [:]))
    let action = ActionRequest(.action("copy:"), parameters: ["a": 1])
    #expect(stage.refusal(of: .perform(action)) == .command(.noParameters(nil)))
    let document: JSON = ["op": "perform", "action": "copy:", "parameters": [:]]
    let faults = #expect(throws: DocumentFaults.self) {
      try FaultLog.collecting {
        Mutation(reading: document, at: .root, log: $0, in: stage.catalog)
      }
    }
    #expect(faults?.faults.map(\.reason) == [.conflictingMembers("action", "parameters")])
  }

  @Test func `P2: an alternate takes the parameters of its command`() throws {
    var stage = try stage()
    try stage.apply(perform("export:", ["quality": 3], modifiers: KeyModifiers([.alternate])))
    #expect(stage.log == [["quality": 3]])
  }

  @Test func `P2: an effect performs with parameters of its own`() throws {
    var stage = try stage([
      "copy:": [
        "perform": [["op": "perform", "command": "'export:'", "parameters": "{'quality': 7}"]]
      ]
    ])
    try stage.apply(perform("copy:"))
    #expect(stage.log == [["quality": 7]])
  }

  @Test func `P2: an effect that performs with other parameters fails as a whole`() throws {
    let stage = try stage([
      "copy:": [
        "perform": [
          ["op": "add", "path": "/log/-", "value": "1"],
          ["op": "perform", "command": "'export:'", "parameters": "{'quality': 'low'}"],
        ]
      ]
    ])
    let fault = ValueFault.Reason.type([.integer], found: "low")
    guard
      case .effect(
        .mutation(_, "copy:", index: 1, .command(.invalidParameters("export:", let faults))))? =
        stage.refusal(of: perform("copy:"))
    else {
      Issue.record("performed with wrong parameters")
      return
    }
    #expect(faults.values.faults.map(\.reason) == [fault])
  }

  @Test func `P2: a message that is passed on keeps the parameters, and a new one has none`() throws
  {
    var stage = try Stage(
      commands: Self.commands,
      classes: ["Sheet": ["superclass": "UIView", "handlers": ["export:": Self.noting]]],
      responders: [
        "v": [
          "kind": "view", "class": "Sheet",
          "handlers": [
            "export:": [
              "perform": [
                ["op": "super"], ["op": "send", "action": "'copy:'"],
              ]
            ], "copy:": Self.noting,
          ],
        ]
      ], focus: "v")
    try stage.apply(perform("export:", ["quality": 3]))
    #expect(stage.log == [["quality": 3], [:]])
  }

  @Test(arguments: [["continues": true], ["perform": [["op": "continue"]]]] as [JSONObject])
  func `P2: what goes on upward keeps the parameters`(handler: JSONObject) throws {
    var stage = try Stage(
      commands: Self.commands,
      responders: [
        "a": [
          "kind": "responder", "coordinating": [:], "parentCoordinator": "b",
          "handlers": ["export:": .object(handler)],
        ],
        "b": ["kind": "responder", "coordinating": [:], "handlers": ["export:": Self.noting]],
      ])
    let request = ActionRequest(
      .command("export:"), to: .responder("a"), parameters: ["quality": 2])
    try stage.apply(.perform(request))
    #expect(stage.log == [["quality": 2]])
  }

  @Test func `F9: a message that is sent again has its parameters`() throws {
    var stage = try stage()
    let first = try stage.apply(perform("export:", ["quality": 5]))
    let invocation = try #require(first.performance?.invocation)
    try stage.apply(.invoke(invocation))
    let log = FaultLog()
    let read = Invocation(reading: invocation.json, at: .root, log: log, in: stage.catalog)
    #expect(read == invocation)
    #expect(log.faults.isEmpty)
    try stage.apply(.invoke(try reread(invocation)))
    #expect(stage.log == [["quality": 5], ["quality": 5], ["quality": 5]])
  }

  @Test func `U3: a message that is recorded to be undone has its parameters`() throws {
    var stage = try Stage(undoing: ["export:": Self.noting], commands: Self.commands)
    try stage.apply(.prepareWithInvocationTarget("view", of: "view"))
    let request = ActionRequest(
      .command("export:"), to: .undoManager(of: "view"), parameters: ["quality": 6])
    try stage.apply(.perform(request))
    #expect(stage.log == [])
    try stage.apply(.undo())
    #expect(stage.log == [["quality": 6]])
  }

  @Test func `the sender has no schema`() throws {
    var stage = try stage([
      "export:": ["perform": [["op": "add", "path": "/log/-", "value": "[command, sender]"]]]
    ])
    let outcome = try stage.apply(perform("export:", ["quality": 5]))
    #expect(outcome.performance?.invocation.sender?.command?.parameters == nil)
    for value in stage.log?[JSONPointer(["0"])]?.elements ?? [] {
      #expect(value[JSONPointer(["id"])] == "export:")
      #expect(value[JSONPointer(["parameters"])] == nil)
    }
    #expect(outcome.performance?.invocation.arguments.first?[JSONPointer(["parameters"])] == nil)
  }

  @Test func `P2: closures are given the parameters`() throws {
    var stage = try stage()
    let handler = Handler(
      validate: { call, item in item.isEnabled = call.parameters != ["quality": 8] },
      perform: { call in
        #expect(call.parameters == ["quality": 9])
        return []
      })
    try stage.apply(.putHandler(handler, for: "export:", of: "v"))
    #expect(try stage.item("export:").isEnabled)
    #expect(try stage.apply(perform("export:", ["quality": 9])).performance?.isPerformed == true)
    #expect(stage.refusal(of: perform("export:", ["quality": 8])) != nil)
  }

  // P3: asking.

  @Test func `P3: an item is validated without parameters, which are empty to its rules`() throws {
    let stage = try stage([
      "export:": ["validate": ["enabled": "parameters == {}", "title": "string(size(parameters))"]]
    ])
    let item = try stage.item("export:")
    #expect(item.isEnabled)
    #expect(item.title == "0")
  }

  @Test func `P2: when a command is performed its rules read the parameters that are given`() throws
  {
    var stage = try stage([
      "export:": [
        "validate": [
          "title": "has(parameters.quality) ? 'Export at ' + string(parameters.quality) : 'Export'",
          "requires": [
            [
              "if": "!has(parameters.quality) || parameters.quality < 9",
              "else": ["rule": "'Not at ' + string(parameters.quality)"],
            ]
          ],
        ],
        "perform": [["op": "add", "path": "/log/-", "value": "parameters.quality"]],
      ]
    ])
    #expect(try stage.item("export:").isEnabled)
    try stage.apply(perform("export:", ["quality": 4]))
    #expect(stage.log == [4])
    guard
      case .command(.notPerformed(let refusal))? = stage.refusal(
        of: perform("export:", ["quality": 9]))
    else {
      Issue.record("It is not refused.")
      return
    }
    #expect(refusal.item?.explanation == "Not at 9")
    #expect(refusal.item?.title == "Export at 9")
    #expect(stage.log == [4])
    #expect(try stage.item("export:").title == "Export")
  }

  @Test func `P3: a key performs a command that needs none, and no other`() throws {
    var stage = try stage()
    try stage.press("s")
    #expect(stage.log == [[:]])
    let press = KeyPress(try #require(KeySequence(input: "e", modifiers: [])))
    var steps = 0
    let faults = try Schema(Self.schema).faults(of: [:], addingStepsTo: &steps)
    #expect(
      stage.refusal(of: .pressKey(press))
        == .command(.keyLacksParameters("export:", ParameterFaults(faults))))
    #expect(try stage.session.resolve(press, in: stage.catalog).chosen != nil)
  }

  @Test func `P3: effects that read parameters which nobody gives are no failing rules`() throws {
    let reading: JSON = [
      "perform": [["op": "add", "path": "/log/-", "value": "parameters.quality"]]
    ]
    let stage = try stage(["export:": reading, "save:": reading])
    let diagnostics = stage.session.diagnostics(in: stage.catalog)
    #expect(diagnostics.failing.rules.map(\.command) == ["save:"])
  }

  // Journals.

  @Test func `a request with parameters comes back from a journal`() throws {
    let mutation = perform("export:", ["quality": 5])
    #expect(try reread(mutation).json == mutation.json)
    #expect(mutation.json[JSONPointer(["parameters", "quality"])] == 5)
  }
}

extension JSON {
  fileprivate var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}
