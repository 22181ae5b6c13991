import JSONText
import Randomness

@testable import MenuEngine

/// Random mutations of coordinators, messages, keys and invocations, and of what no other generator has.
struct RandomTalks {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private static let coordinators = (0..<4).map { "k\($0)" }
  private static let pages = (0..<4).map { "p\($0)" }
  private static let stacks = ["nav", "nav2"]
  private static let commands: JSON = [
    ["action": "note:", "title": "Note", "key": ["input": "n", "modifiers": ["command"]]],
    ["action": "count:", "title": "Count", "key": ["input": "c"]],
    ["action": "nobody:", "title": "Nobody"],
    ["action": "export:", "title": "Export", "key": ["input": "e"]],
  ]

  private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<sides, using: &generator) }

  private mutating func one(of words: [String]) -> JSON { .string(words[roll(words.count)]) }

  mutating func open() throws -> OpenedSession {
    var responders: JSONObject = [
      "app": ["kind": "application", "delegate": "judge", "undoManager": [:]],
      "judge": ["kind": "delegate", "handlers": ["note:": Self.noting]],
      "window": ["kind": "window", "rootViewController": "tabs"],
      "tabs": controller("UITabBarController", ["nav", "nav2"]),
      "nav": controller("UINavigationController", [], ["view": "list"]),
      "nav2": controller("UINavigationController"),
      "list": [
        "kind": "view", "superview": "window",
        "handlers": ["count:": Self.counting, "export:": Self.exporting],
      ],
    ]
    for id in Self.pages { responders[id] = controller() }
    for id in Self.coordinators { responders[id] = document(of: id) }
    return try OpenedSession(
      [
        .commands: Self.commands,
        .menus: [["title": "All", "children": ["note:", "count:", "export:"]]],
        .strings: [
          "de": ["commands": ["note:": "Notiz", "count:": "Zählen"]],
          "fr": ["strings": ["Undo {name}": "Annuler {name}"]],
        ],
      ],
      opening: [
        "state": ["log": [], "count": 0, "acts": false], "responders": .object(responders),
        "firstResponder": "list", "keyWindow": "window",
      ])
  }

  private static let noting: JSON = [
    "perform": [["op": "add", "path": "/log/-", "value": "arguments"]],
    "validate": ["title": "'Notes: ' + string(size(state.log))"],
  ]

  private static let counting: JSON = [
    "perform": [["op": "replace", "path": "/count", "value": "state.count + 1"]],
    "validate": ["checked": "state.count > 2", "enabled": "state.count < 40"],
  ]

  private static let exporting: JSON = [
    "perform": [["op": "deliver", "value": "{'count': state.count}"]],
    "validate": [
      "enabled": "size(command.deliveries) < 3",
      "title": "command.deliveries.exists(d, d.state == 'claimed') ? 'Exporting' : 'Export'",
    ],
  ]

  private mutating func document(of id: String) -> JSON {
    coordinator(
      root: roll(4) == 0 ? "p0" : Self.stacks[roll(2)],
      kind: roll(4) == 0 ? "coordinator" : "navigation", identifier: roll(2) == 0 ? "same" : nil,
      [
        "note:": Self.noting,
        "coordinatorDidFinish:": [
          "perform": [["op": "coordinatorShow", "viewController": "'p3'", "when": "state.acts"]]
        ],
      ])
  }

  /// A mutation, which the session may refuse.
  mutating func mutation(of session: Session, in catalog: Catalog) throws -> Mutation {
    let document = JSON.object(roll(5) == 0 ? delivery(in: session) : next())
    return try FaultLog.collecting {
      Mutation(reading: document, at: .root, log: $0, in: catalog)
    }
  }

  private mutating func next() -> JSONObject {
    switch roll(10) {
    case 0, 1, 2: coordination()
    case 3: pop()
    case 4, 5: message()
    case 6, 7: key()
    case 8: invocation()
    default: other()
    }
  }

  /// A delivery, or something that happens to one.
  private mutating func delivery(in session: Session) -> JSONObject {
    let all = session.deliveries.all
    guard let delivery = all.randomElement(using: &generator), roll(4) > 0 else {
      return ["op": "perform", "command": "export:"]
    }
    let claim = JSON.int(Int64(max(1, delivery.claimCount - roll(6) / 5)))
    var mutation: JSONObject = ["delivery": .int(Int64(delivery.id))]
    switch roll(9) {
    case 0, 1:
      mutation["op"] = "claimDelivery"
      if roll(2) == 0 { mutation["by"] = "worker" }
      mutation["until"] = .int(Int64(roll(9)))
    case 2:
      mutation["op"] = "renewDelivery"
      mutation["claim"] = claim
      mutation["until"] = .int(Int64(roll(9)))
    case 3, 4:
      mutation["op"] = "replyToDelivery"
      mutation["claim"] = claim
      mutation["result"] = ["n": .int(Int64(roll(9)))]
      if roll(3) > 0 {
        mutation["mutations"] = .array((0...roll(3)).map { _ in .object(mutationOfReply()) })
      }
    case 5:
      mutation["op"] = "failDelivery"
      mutation["claim"] = claim
      mutation["problem"] = ["title": "No room"]
    case 6: mutation["op"] = "cancelDelivery"
    case 7: return ["op": "expireClaims", "at": .int(Int64(roll(9)))]
    default: return ["op": "forgetDeliveries", "settledBefore": .int(Int64(roll(3)) << 46)]
    }
    return mutation
  }

  /// A mutation that comes with a reply: of any kind, but mostly of the state.
  private mutating func mutationOfReply() -> JSONObject {
    switch roll(4) {
    case 0: next()
    case 1: ["op": "patchState", "patch": [["op": "add", "path": "/log/-", "value": "replied"]]]
    default: ["op": "mergeState", "patch": ["count": .int(Int64(roll(9)))]]
    }
  }

  private mutating func coordination() -> JSONObject {
    let words = [
      "startCoordinator", "startChildCoordinator", "startChildCoordinator", "stopChildCoordinator",
      "stopCoordinator", "activateCoordinator", "takeoverCoordinator", "coordinatorDidFinish",
      "coordinatorShow", "coordinatorShow", "coordinatorRoot", "coordinatorTop", "coordinatorPop",
    ]
    let word = words[roll(words.count)]
    var mutation: JSONObject = ["op": .string(word), "coordinator": one(of: Self.coordinators)]
    switch word {
    case "startChildCoordinator": mutation["parentCoordinator"] = one(of: Self.coordinators)
    case "coordinatorShow", "coordinatorRoot", "coordinatorTop":
      mutation["viewController"] = one(of: Self.pages)
    case "coordinatorPop": if roll(2) == 0 { mutation["to"] = one(of: Self.pages) }
    default: break
    }
    return mutation
  }

  private mutating func pop() -> JSONObject {
    switch roll(4) {
    case 0:
      ["op": "popViewController", "navigationController": one(of: Self.stacks), "by": "user"]
    case 1: ["op": "popToViewController", "viewController": one(of: Self.pages), "by": "user"]
    case 2:
      [
        "op": "popToRootViewController", "navigationController": one(of: Self.stacks),
        "by": "user",
      ]
    default: ["op": "mergeState", "patch": ["acts": .bool(roll(2) == 0)]]
    }
  }

  private mutating func message() -> JSONObject {
    switch roll(5) {
    case 0: return roll(2) == 0 ? ["op": "processMessages"] : ["op": "processMessages", "limit": 1]
    case 1: return ["op": "removeQueuedMessages", "limit": .int(Int64(roll(2)))]
    default:
      let senders = Self.coordinators + Self.pages + ["list", "app"]
      return [
        "op": "message", "message": one(of: ["note:", "count:", "nobody:"]),
        "from": one(of: senders), "to": one(of: ["chain", "chain", "delegate"]),
        "queue": .bool(roll(2) == 0),
      ]
    }
  }

  private mutating func key() -> JSONObject {
    if roll(8) == 0 {
      return ["op": "useKeymap", "keymap": roll(3) == 0 ? .null : one(of: ["ada", "eve"])]
    }
    if roll(8) == 0 {
      return ["op": "setLocale", "locale": roll(3) == 0 ? .null : one(of: ["de", "fr", "en-XA"])]
    }
    guard roll(3) == 0 else {
      return [
        "op": "pressKey",
        "key": [
          "input": one(of: ["n", "c", "x", "y"]),
          "modifiers": roll(2) == 0 ? [] : ["command"],
        ],
      ]
    }
    let actions = ["note:", "count:", "nobody:"]
    let keyCommands = zip(["n", "c", "x", "y"], actions).filter { _ in roll(2) == 0 }
    return [
      "op": "putKeyCommands", "responder": one(of: ["list", "app", "window"]),
      "keyCommands": .array(
        keyCommands.map { input, action in
          ["input": .string(input), "action": .string(action), "when": "state.count < 30"]
        }),
    ]
  }

  private mutating func invocation() -> JSONObject {
    var invocation: JSONObject = [
      "selector": one(of: ["note:", "count:", "nobody:"]), "arguments": [.int(Int64(roll(9)))],
    ]
    if roll(2) == 0 { invocation["target"] = one(of: ["judge", "list", "k0"]) }
    return ["op": "invoke", "invocation": .object(invocation)]
  }

  private mutating func other() -> JSONObject {
    let target = one(of: ["list", "judge"])
    switch roll(9) {
    case 0: return ["op": "launch", "launch": ["delegate": ["id": "judge"]]]
    case 1, 2:
      return [
        "op": "registerUndo", "target": target, "action": one(of: ["note:", "count:"]),
        "arguments": [.int(Int64(roll(9)))],
      ]
    case 3: return roll(3) == 0 ? ["op": "removeAllUndoActions"] : ["op": "undo"]
    case 4: return ["op": "redo"]
    case 5 where roll(2) == 0:
      return [
        "op": "mergeProperties", "responder": one(of: Self.pages),
        "properties": ["n": .int(Int64(roll(3)))],
      ]
    case 5: return ["op": "putResponder", "responder": "k1", "value": document(of: "k1")]
    case 6:
      let gone = roll(4) == 0 ? one(of: Self.coordinators) : one(of: Self.pages)
      return ["op": "removeResponder", "responder": gone]
    case 7:
      let page = one(of: Self.pages)
      return ["op": "putResponder", "responder": page, "value": controller()]
    default: return ["op": "setUndoActionName", "name": one(of: ["One", "Two"])]
    }
  }
}

/// The document of a view controller.
private func controller(
  _ className: String? = nil, _ children: JSON? = nil, _ more: JSONObject = [:]
) -> JSON {
  var object: JSONObject = ["kind": "viewController"]
  object["class"] = className.map(JSON.string)
  object["viewControllers"] = children
  for member in more.members { object[member.name] = member.value }
  return .object(object)
}

/// The document of a coordinator.
private func coordinator(
  root: String, kind: String, identifier: String?, _ handlers: JSON
) -> JSON {
  var coordinating: JSONObject = [
    "kind": .string(kind), "rootViewController": .string(root),
  ]
  coordinating["identifier"] = identifier.map(JSON.string)
  return [
    "kind": "responder", "handlers": handlers, "coordinating": .object(coordinating),
  ]
}
