import JSONText
import Testing

@testable import MenuEngine

/// Items from data (M12).
@Suite struct ItemsFromDataTests {
  private static let recent: JSON = [
    "forEach": "state.recent", "key": "item.path", "command": "openRecent:", "title": "item.name",
    "parameters": "{'path': item.path}",
  ]

  private static func stage(
    _ lists: [JSON] = [recent], state: JSON = ["recent": files("a", "b"), "current": "a"],
    handler: JSON = [
      "validate": [
        "checked": "command.key == state.current", "enabled": "parameters.path != 'locked'",
      ],
      "perform": [["op": "add", "path": "/current", "value": "command.key"]],
    ], limit: Int? = nil, options: JSON = [], choices: JSON = [:]
  ) throws -> PlanStage {
    let log = FaultLog(itemsFromData: limit ?? ItemsFromData.usualLimit)
    var names = MenuNames(taken: [])
    let menus: JSON = [
      ["identifier": "recent", "title": "Recent", "options": options, "children": .array(lists)],
      ["identifier": "file", "title": "File", "children": ["new:"]],
    ]
    let read = MenuElement.list(reading: menus, at: .root, log, &names)
    try #require(log.faults == [])
    var stage = try Stage(
      commands: [
        [
          "action": "openRecent:", "title": "Open Recent", "key": ["input": "o"],
          "parameters": ["type": "object", "properties": ["path": ["type": "string"]]],
          "choices": choices,
        ],
        ["action": "new:", "title": "New"],
      ],
      responders: ["app": ["kind": "application", "handlers": ["openRecent:": handler]]],
      state: state)
    try stage.catalog.make([.replaceChildren(ofMenu: "root", with: read)])
    return PlanStage(stage)
  }

  private static func files(_ names: String...) -> JSON {
    .array(names.map { ["path": .string($0), "name": .string("File \($0)")] })
  }

  /// The items of the menu, asked with a plan and without.
  private static func items(
    _ stage: inout PlanStage, _ kind: MenuKind = .main
  ) throws -> [ValidatedItem] {
    var request = ValidationRequest()
    (request.menu, request.kind) = ("recent", kind)
    try stage.ask(request)
    let menu = try #require(stage.stage.catalog.menu("recent"))
    return try stage.plan.validate(menu, request, at: stage.stage.moment).items
  }

  private static func texts(_ items: [ValidatedItem]) -> [String] {
    items.map { item in
      let mark = item.state == .on ? "✓" : ""
      let off = item.isEnabled ? "" : " off"
      return "\(item.itemKey?.text ?? "-") \(item.title)\(mark)\(off)"
    }
  }

  @Test func `M12 there is an item for each element, in its order`() throws {
    var stage = try Self.stage()
    #expect(try Self.texts(Self.items(&stage)) == ["a File a✓", "b File b"])
    try stage.apply(.mergeState(["recent": Self.files("locked", "b", "a"), "current": "b"]))
    #expect(
      try Self.texts(Self.items(&stage)) == ["locked File locked off", "b File b✓", "a File a"])
    try stage.apply(.mergeState(["recent": []]))
    #expect(try Self.items(&stage) == [])
  }

  @Test func `M12 a menu without items is disabled`() throws {
    var stage = try Self.stage(state: ["recent": [], "current": ""])
    var request = ValidationRequest()
    request.menu = "recent"
    let menu = try #require(stage.stage.catalog.menu("recent"))
    #expect(try !stage.plan.validate(menu, request, at: stage.stage.moment).isEnabled)
    try stage.apply(.mergeState(["recent": Self.files("a")]))
    #expect(try stage.plan.validate(menu, request, at: stage.stage.moment).isEnabled)
  }

  @Test func `M12 rules about elements see the index, and the state`() throws {
    var list = Self.recent.members
    list["title"] = "string(index + 1) + ' ' + item.name + state.?mark.orValue('')"
    var stage = try Self.stage([.object(list)])
    #expect(try Self.texts(Self.items(&stage)) == ["a 1 File a✓", "b 2 File b"])
    try stage.apply(.mergeState(["recent": Self.files("c", "a", "b"), "mark": "!"]))
    #expect(
      try Self.texts(Self.items(&stage)) == ["c 1 File c!", "a 2 File a!✓", "b 3 File b!"])
  }

  @Test func `M12 a key twice: the first stays, and the diagnostics say so`() throws {
    var stage = try Self.stage(state: [
      "recent": [
        ["path": "a", "name": "First"], ["path": "b", "name": "B"],
        ["path": "a", "name": "Second"],
      ], "current": "",
    ])
    #expect(try Self.texts(Self.items(&stage)) == ["a First", "b B"])
    let findings = stage.stage.session.diagnostics(in: stage.stage.catalog).itemsFromData
    #expect(findings.map(\.menu) == ["recent"])
    #expect(findings.first?.repeated.map(\.text) == ["a"])
    #expect(findings.first?.declaration.command == "openRecent:")
  }

  @Test func `M12 two lists of a command in one menu show each key once`() throws {
    var stage = try Self.stage([Self.recent, Self.recent])
    #expect(try Self.texts(Self.items(&stage)) == ["a File a✓", "b File b"])
    let findings = stage.stage.session.diagnostics(in: stage.stage.catalog).itemsFromData
    #expect(findings.first?.repeated.map(\.text) == ["a", "b"])
  }

  @Test(arguments: [
    ("forEach", "state.absent"), ("forEach", "state.current"), ("key", "item.absent"),
    ("key", "''"), ("title", "item.path == 'b' ? dyn(1) : dyn('T')"),
    ("parameters", "item.path == 'b' ? dyn(1) : dyn({})"),
  ])
  func `M12 a rule that fails makes no items and one fault`(
    member: String, rule: String
  ) throws {
    var list = Self.recent.members
    list[member] = .string(rule)
    var stage = try Self.stage([.object(list), "new:"])
    #expect(try Self.texts(Self.items(&stage)) == ["- New off"])
    var request = ValidationRequest()
    request.menu = "recent"
    let menu = try #require(stage.stage.catalog.menu("recent"))
    let validated = try stage.plan.validate(menu, request, at: stage.stage.moment)
    #expect(validated.faults.map(\.place) == [member])
    let findings = stage.stage.session.diagnostics(in: stage.stage.catalog).itemsFromData
    #expect(findings.map(\.fault?.place) == [member])
  }

  @Test func `M12 a menu has no more items than the limit`() throws {
    var stage = try Self.stage(limit: 1)
    #expect(try Self.texts(Self.items(&stage)) == ["a File a✓"])
    var findings = stage.stage.session.diagnostics(in: stage.stage.catalog).itemsFromData
    #expect(findings.map(\.excess) == [1])
    try stage.apply(.mergeState(["recent": Self.files("b", "c", "d")]))
    #expect(try Self.texts(Self.items(&stage)) == ["b File b"])
    findings = stage.stage.session.diagnostics(in: stage.stage.catalog).itemsFromData
    #expect(findings.map(\.excess) == [2])
  }

  @Test func `M12 performing names the command and the key`() throws {
    var stage = try Self.stage()
    let outcome = try stage.apply(
      .perform(ActionRequest(.command("openRecent:"), itemKey: ItemKey("b"))))
    let performance = try #require(outcome.performance)
    #expect(performance.isPerformed)
    #expect(performance.title == "File b")
    #expect(performance.invocation.parameters == ["path": "b"])
    #expect(performance.invocation.json[JSONPointer(["itemKey"])] == "b")
    #expect(stage.stage.session.state[JSONPointer(["current"])] == "b")
    #expect(outcome.undoName == "File b")
    #expect(try Self.texts(Self.items(&stage)) == ["a File a", "b File b✓"])
  }

  @Test func `F9, M12 a message of an item that is sent again has its title`() throws {
    var stage = try Self.stage()
    let outcome = try stage.apply(
      .perform(ActionRequest(.command("openRecent:"), itemKey: ItemKey("b"))))
    let json = try #require(outcome.performance?.invocation.json)
    let read = try FaultLog.collecting { [catalog = stage.stage.catalog] in
      Invocation(reading: json, at: .root, log: $0, in: catalog)
    }
    try stage.apply(.mergeState(["current": "a"]))
    #expect(try stage.apply(.invoke(read)).undoName == "File b")
    try stage.apply(.mergeState(["recent": [], "current": "a"]))
    #expect(try stage.apply(.invoke(read)).undoName == "Open Recent")
  }

  @Test func `M12 an item that is not there is refused, and so is a disabled one`() throws {
    var stage = try Self.stage(state: ["recent": Self.files("locked"), "current": ""])
    #expect(throws: Refusal.of(.unknownItem)) {
      try stage.perform("openRecent:", ItemKey("gone"))
    }
    #expect(throws: Refusal.of(.ruleFalse)) {
      try stage.perform("openRecent:", ItemKey("locked"))
    }
    #expect(throws: Refusal.of(.unknownItem)) { try stage.perform("new:", ItemKey("locked")) }
  }

  @Test(arguments: [
    "state.open", "command.key != '' ? state.open : []", "state.open.map(x, tr(x))",
  ])
  func `M12, P4: an item is disabled unless its parameters are among the present choices`(
    rule: JSON
  ) throws {
    var stage = try Self.stage(
      state: ["recent": Self.files("a", "b", "c"), "current": "", "open": ["a", "c"]],
      choices: ["path": rule])
    #expect(try Self.texts(Self.items(&stage)) == ["a File a", "b File b off", "c File c"])
    #expect(throws: Refusal.of(.ruleError)) { try stage.perform("openRecent:", ItemKey("b")) }
    try stage.perform("openRecent:", ItemKey("c"))
    try stage.apply(.mergeState(["open": ["b"]]))
    #expect(try Self.texts(Self.items(&stage)) == ["a File a off", "b File b", "c File c✓ off"])
    try stage.apply(.mergeState(["open": 1]))
    let item = try Self.items(&stage)[0]
    #expect(!item.isEnabled && item.fault != nil)
  }

  @Test func `M12, P4: choices of the state are read once for a list`() throws {
    let names = (0..<300).map { "\($0)" }
    var stage = try Self.stage(
      state: [
        "recent": .array(names.map { ["path": .string($0), "name": .string($0)] }), "current": "",
        "open": .array(names.map(JSON.string)),
      ], choices: ["path": "state.open"])
    #expect(try Self.items(&stage).allSatisfy(\.isEnabled))
  }

  @Test(arguments: ["key", "title", "parameters"])
  func `M12 the fault of a rule about an element says which one`(member: String) throws {
    var list = Self.recent.members
    list[member] = "item.path == 'b' ? dyn(1) : dyn({})"
    if member != "parameters" { list[member] = "item.path == 'b' ? dyn(1) : dyn('T')" }
    var stage = try Self.stage([.object(list)])
    var request = ValidationRequest()
    request.menu = "recent"
    let menu = try #require(stage.stage.catalog.menu("recent"))
    let faults = try stage.plan.validate(menu, request, at: stage.stage.moment).faults
    #expect(faults.map(\.index) == [1])
  }

  @Test func `M12 an effect performs an item`() throws {
    var stage = try Self.stage()
    try stage.put(
      "app",
      [
        "kind": "application",
        "handlers": [
          "openRecent:": [
            "perform": [["op": "add", "path": "/opened", "value": "parameters.path"]]
          ],
          "new:": [
            "perform": [
              [
                "op": "perform", "command": "'openRecent:'", "itemKey": "state.recent[1].path",
              ]
            ]
          ],
        ],
      ])
    try stage.apply(.perform(ActionRequest(.command("new:"))))
    #expect(stage.stage.session.state[JSONPointer(["opened"])] == "b")
  }

  @Test func `M12 a singleSelection menu shows one check mark (M9)`() throws {
    var stage = try Self.stage(
      handler: ["validate": ["checked": "true"]], options: ["singleSelection"])
    let items = try Self.items(&stage)
    #expect(items.map(\.state) == [.on, .off])
    #expect(items.map(\.lostSingleSelection) == [false, true])
    #expect(items.allSatisfy { $0.isCheckable })
  }

  @Test func `M12 a context menu leaves out what cannot be performed (M8)`() throws {
    var stage = try Self.stage(state: ["recent": Self.files("locked", "b"), "current": ""])
    #expect(try Self.texts(Self.items(&stage, .context)) == ["b File b"])
  }

  @Test func `M12 searches find items, and not their command alone`() throws {
    var stage = try Self.stage()
    try stage.search(CommandQuery("file", limit: 9))
    let found = try stage.plan.find(CommandQuery("", limit: 9), at: stage.stage.moment)
    #expect(found.commands.map { $0.item.itemKey?.text } == ["a", "b"])
    #expect(found.commands.map(\.menus) == [["Recent"], ["Recent"]])
  }

  @Test(arguments: ["responder.id", "command.title", "sender.kind", "parameters.x"])
  func `M12 rules of items see no responder and no command`(rule: String) {
    for member in ["forEach", "key", "title", "parameters"] {
      var list = Self.recent.members
      list[member] = .string(rule)
      let log = FaultLog()
      _ = ItemsFromData(reading: .object(list), at: .root, log: log)
      #expect(log.faults.map(\.pointer) == [JSONPointer([member])])
    }
  }

  @Test func `M12 a list does not see an element`() {
    var list = Self.recent.members
    list["forEach"] = "[item]"
    let log = FaultLog()
    #expect(ItemsFromData(reading: .object(list), at: .root, log: log) == nil)
    #expect(log.faults.map(\.pointer) == [JSONPointer(["forEach"])])
  }

  @Test func `M12 a declaration is stored with its limits`() throws {
    for limit in [ItemsFromData.usualLimit, 3] {
      let log = FaultLog(itemsFromData: limit)
      let list = try #require(ItemsFromData(reading: Self.recent, at: .root, log: log))
      let element = MenuElement.itemsFromData(list)
      #expect(try StoredFormat.value(from: StoredFormat.bytes(of: element)) == element)
      #expect(list.json == Self.recent)
    }
  }

  @Test func `M12 a title of other bytes is another title`() throws {
    var stage = try Self.stage()
    for name in ["\u{E9}", "e\u{301}"] {
      try stage.apply(
        .mergeState(["recent": [["path": "a", "name": .string(name)]], "current": ""]))
      let items = try Self.items(&stage)
      #expect(items.map { Array($0.title.utf8) } == [Array(name.utf8)])
    }
  }

  @Test func `M12 a key with other bytes is another key`() throws {
    var stage = try Self.stage(state: [
      "recent": [["path": "\u{E9}", "name": "1"], ["path": "e\u{301}", "name": "2"]],
      "current": "",
    ])
    #expect(try Self.items(&stage).map(\.title) == ["1", "2"])
  }

  @Test func `M12 long titles are effort`() throws {
    let text = String(repeating: "a", count: 1 << 18)
    var list = Self.recent.members
    list["title"] = "state.text"
    let names = (0..<200).map { "\($0)" }
    var stage = try Self.stage(
      [.object(list)],
      state: [
        "recent": .array(names.map { ["path": .string($0)] }), "current": "",
        "text": .string(text),
      ])
    var request = ValidationRequest()
    request.menu = "recent"
    try stage.ask(request)
    #expect(throws: MutationFault.tooMuchEffort) {
      try stage.stage.session.validate(request, in: stage.stage.catalog)
    }
  }

  @Test func `M12 an empty list is no failing rule`() throws {
    let stage = try Self.stage(state: ["recent": [], "current": ""])
    #expect(stage.stage.session.diagnostics(in: stage.stage.catalog).failing.rules == [])
  }

  @Test func `M12 a command that is in menus by its items only keeps its key`() throws {
    var stage = try Self.stage()
    #expect(stage.stage.catalog.menus.commandsFromDataOnly == ["openRecent:"])
    #expect(stage.stage.catalog.keyClaimsInMenuOrder.map(\.command) == ["openRecent:"])
    #expect(try Self.items(&stage).allSatisfy { $0.key == nil })
  }

  @Test func `M12 one element more is the only one asked about`() throws {
    let names = (0..<200).map { "f\($0)" }
    func state(_ names: [String]) -> JSON {
      [
        "recent": .array(names.map { ["path": .string($0), "name": .string($0)] }),
        "current": "f7",
      ]
    }
    var stage = try Self.stage(state: state(names))
    _ = try Self.items(&stage)
    var request = ValidationRequest()
    request.menu = "recent"
    let menu = try #require(stage.stage.catalog.menu("recent"))
    let before = try stage.plan.validate(menu, request, at: stage.stage.moment).items
    try stage.apply(.mergeState(state(["new"] + names.reversed())))
    let after = try stage.plan.validate(menu, request, at: stage.stage.moment).items
    let kept = Set(before.compactMap { $0.written.map(ObjectIdentifier.init) })
    #expect(kept.count == 200)
    #expect(after.count { kept.contains(ObjectIdentifier($0.written!)) } == 200)
  }
}

extension PlanStage {
  fileprivate mutating func perform(_ command: CommandID, _ key: ItemKey?) throws(Refusal.Reason) {
    do {
      try apply(.perform(ActionRequest(.command(command), itemKey: key)))
    } catch MutationFault.command(.notPerformed(let refusal)) {
      throw Refusal.of(refusal.reason)
    } catch {
      Issue.record("\(error)")
    }
  }
}

extension Refusal {
  fileprivate struct Reason: Error, Equatable { let reason: ValidationReason }

  fileprivate static func of(_ reason: ValidationReason) -> Reason { Reason(reason: reason) }
}
