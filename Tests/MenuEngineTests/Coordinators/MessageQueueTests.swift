import JSONText
import Testing

@testable import MenuEngine

/// Messages that wait (C6).
@Suite struct MessageQueueTests {
  /// Returns a stage with a coordinator that notes its messages and their senders.
  private func stage(_ handlers: JSONObject = [:]) throws -> Stage {
    var all: JSONObject = [
      "tell:": ["perform": [["op": "add", "path": "/log/-", "value": "arguments[0]"]]]
    ]
    for member in handlers.members { all[member.name] = member.value }
    return try Stage(responders: [
      "main": ["kind": "responder", "coordinating": [:], "handlers": .object(all)],
      "list": ["kind": "viewController", "parentCoordinator": "main", "delegate": "main"],
    ])
  }

  private func queued(
    _ message: Selector = "tell:", _ arguments: [JSON]? = nil,
    to destination: MessageRequest.Destination = .chain
  ) -> Mutation {
    .message(
      MessageRequest(
        message: message, from: "list", destination: destination, arguments: arguments,
        isQueued: true)
    )
  }

  @Test func `C6: a message that is queued is not sent yet`() throws {
    var stage = try stage()
    let outcome = try stage.apply(queued("tell:", [1]))
    #expect(outcome.message?.reason == .queued)
    #expect(outcome.message?.receiver == nil && outcome.message?.answer == .null)
    #expect(
      outcome.changes == [.messageQueue(count: 1, added: stage.session.messageQueue.messages)])
    #expect(stage.log == [])
    #expect(
      stage.session.messageQueue.messages == [
        MessageRequest(message: "tell:", from: "list", arguments: [1])
      ])
  }

  @Test func `C6: messages are processed in the order in which they came`() throws {
    var stage = try stage()
    for number in 1...3 { try stage.apply(queued("tell:", [.int(Int64(number))])) }
    try stage.apply(queued("tell:", [4], to: .delegate))
    try stage.apply(queued("other:"))
    let outcome = try stage.apply(.processMessages())
    #expect(stage.log == [1, 2, 3, 4])
    #expect(stage.session.messageQueue.count == 0)
    #expect(
      outcome.processed.map(\.outcome.reason) == [
        .delivered, .delivered, .delivered, .delivered, .notHandled,
      ])
    #expect(outcome.processed[1].request.arguments == [2])
    #expect(outcome.processed[1].outcome.receiver == "main")
    #expect(outcome.processed[3].outcome.trace.says.first?.hasPrefix("V7: ") == true)
    #expect(outcome.processed[4].outcome.trace.says.last?.hasPrefix("C2: nobody") == true)
    #expect(outcome.changes.first == .messageQueue(count: 0, removed: 5))
  }

  @Test func `C6: messages that are queued during processing wait for the next time`() throws {
    var stage = try stage([
      "again:": [
        "perform": [
          ["op": "add", "path": "/log/-", "value": "arguments[0]"],
          [
            "op": "message", "message": "'again:'", "arguments": "[arguments[0] + 1]",
            "queue": true,
          ],
        ]
      ]
    ])
    try stage.apply(queued("again:", [1]))
    try stage.apply(.processMessages())
    #expect(stage.log == [1])
    #expect(stage.session.messageQueue.messages.map(\.arguments) == [[2]])
    #expect(stage.session.messageQueue.messages.map(\.from) == ["main"])
    try stage.apply(.processMessages())
    #expect(stage.log == [1, 2])
  }

  @Test func `C6: a message that asks for it does not process the queue once more`() throws {
    var stage = try stage([
      "nested": [
        "perform": [
          ["op": "message", "message": "'tell:'", "arguments": "['later']", "queue": true],
          ["op": "processMessages"],
          ["op": "add", "path": "/log/-", "value": "'nested'"],
        ]
      ]
    ])
    try stage.apply(queued("nested"))
    try stage.apply(queued("tell:", ["now"]))
    try stage.apply(.processMessages())
    #expect(stage.log == ["nested", "now"])
    #expect(stage.session.messageQueue.count == 1)
  }

  @Test func `C6: a handler processes what waits, as a coordinator does that got ready`() throws {
    var stage = try stage([
      "ready": [
        "perform": [
          ["op": "processMessages"], ["op": "add", "path": "/log/-", "value": "'ready'"],
        ]
      ]
    ])
    try stage.apply(queued("tell:", [1]))
    try stage.apply(queued("tell:", [2]))
    try stage.apply(.perform(ActionRequest(.action("ready"), to: .responder("main"))))
    #expect(stage.log == [1, 2, "ready"])
    #expect(stage.session.messageQueue.count == 0)
  }

  @Test func `C6: processing nothing does nothing`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.processMessages())
    #expect(outcome.processed == [] && outcome.changes == [])
    #expect(try stage.apply(.removeQueuedMessages()).changes == [])
  }

  @Test func `C6: only the first ones are processed, or taken out, when there is a limit`() throws {
    var stage = try stage()
    for number in 1...4 { try stage.apply(queued("tell:", [.int(Int64(number))])) }
    #expect(try stage.apply(.processMessages(limit: 0)).processed == [])
    #expect(
      try stage.apply(.processMessages(limit: 1)).changes.first
        == .messageQueue(count: 3, removed: 1))
    #expect(stage.log == [1])
    #expect(
      try stage.apply(.removeQueuedMessages(limit: 2)).changes
        == [.messageQueue(count: 1, removed: 2)])
    try stage.apply(.processMessages(limit: 9))
    #expect(stage.log == [1, 4])
  }

  @Test func `C6: when one cannot be sent none is, and all wait still`() throws {
    var stage = try stage([
      "fail": ["perform": [["op": "replace", "path": "/no", "value": "1"]]]
    ])
    try stage.apply(queued("tell:", [1]))
    try stage.apply(queued("fail"))
    guard
      case .message(.queuedMessage(index: 1, "fail", from: "list", .effect(.patch)))? =
        stage.refusal(
          of: .processMessages())
    else {
      Issue.record("another fault")
      return
    }
    #expect(stage.session.messageQueue.count == 2)
    try stage.apply(.processMessages(limit: 1))
    try stage.apply(.removeQueuedMessages(limit: 1))
    #expect(stage.log == [1])
  }

  @Test func `C6: a message whose sender is gone goes nowhere, and the diagnostics say so`() throws
  {
    var stage = try stage()
    try stage.apply(queued("tell:", [1]))
    try stage.apply(.removeResponder("list"))
    #expect(
      stage.session.diagnostics(in: stage.catalog).coordinating.goneSenders == ["list"])
    let outcome = try stage.apply(.processMessages())
    #expect(outcome.processed.map(\.outcome.reason) == [.senderGone])
    #expect(stage.log == [])
  }

  @Test func `C6: the sender of a queued message must exist`() throws {
    let stage = try Stage()
    #expect(stage.refusal(of: queued()) == .unknownResponder("list"))
  }

  @Test func `C6: there is room for so many messages`() throws {
    var stage = try stage()
    for _ in 0..<Limits.queuedMessages { try stage.apply(queued("tell:", [1])) }
    #expect(
      stage.refusal(of: queued("tell:", [1]))
        == .message(.messageQueueFull(count: Limits.queuedMessages)))
    try stage.apply(.processMessages())
    #expect(stage.log?.elements.count == Limits.queuedMessages)
  }

  @Test func `C6: and for so much in them`() throws {
    var stage = try stage()
    let large = JSON.string(String(repeating: "x", count: Limits.queueSize / 2))
    try stage.apply(queued("tell:", [large]))
    #expect(stage.refusal(of: queued("tell:", [large])) == .message(.messageQueueFull(count: 1)))
    let tooLarge = JSON.string(String(repeating: "x", count: Limits.queueSize))
    #expect(stage.refusal(of: queued("tell:", [tooLarge])) == .tooLarge(limit: Limits.queueSize))
    var deep = JSON.null
    for _ in 0...Limits.depth { deep = [deep] }
    #expect(stage.refusal(of: queued("tell:", [deep])) == .tooLarge(limit: Limits.queueSize))
  }

  @Test func `C6: a handler that queues without end is stopped by the room there is`() throws {
    var effects: [JSON] = []
    for _ in 0..<900 {
      effects.append(["op": "message", "message": "'tell:'", "queue": true])
    }
    var stage = try stage(["many": ["perform": .array(effects)]])
    let send = Mutation.perform(ActionRequest(.action("many"), to: .responder("main")))
    try stage.apply(send)
    #expect(
      stage.refusal(of: send)
        == .effect(
          .mutation(
            .responder("main"), "many", index: 124,
            .message(.messageQueueFull(count: Limits.queuedMessages)))))
  }

  @Test func `C6: messages that one handler processes have its number of effects together`() throws
  {
    let nothing: JSON = .array(
      (0..<400).map { _ in ["op": "test", "path": "/log/0", "value": "0"] })
    var stage = try stage([
      "work": ["perform": nothing], "go": ["perform": [["op": "processMessages"]]],
    ])
    try stage.apply(.patchState(JSONPatch([.add(path: JSONPointer(["log", "-"]), value: 0)])))
    for _ in 0..<3 { try stage.apply(queued("work")) }
    let go = Mutation.perform(ActionRequest(.action("go"), to: .responder("main")))
    #expect(
      stage.refusal(of: go)
        == .effect(
          .mutation(
            .responder("main"), "go", index: 0,
            .message(
              .queuedMessage(
                index: 2, "work", from: "list", .effect(.tooManyEffects(limit: Limits.effects)))))))
    #expect(try stage.apply(.processMessages()).processed.count == 3)
  }

  @Test func `C6: what processed messages did to the state is undone in one`() throws {
    var stage = try stage()
    try stage.apply(queued("tell:", [1]))
    try stage.apply(queued("tell:", [2]))
    try stage.apply(.processMessages())
    try stage.apply(.undo())
    #expect(stage.log == [])
    #expect(stage.session.messageQueue.count == 0, "messages are sent once")
  }

  @Test func `C1, C3: diagnostics name responders that are cut off, and coordinators without root`()
    throws
  {
    let stage = try Stage(responders: [
      "silent": [
        "kind": "responder",
        "coordinating": ["isResponder": false, "rootViewController": "list"],
      ],
      "list": ["kind": "viewController", "parentCoordinator": "silent"],
      "main": ["kind": "responder", "coordinating": [:]],
    ])
    #expect(
      stage.session.diagnostics(in: stage.catalog).coordinating
        == CoordinatingDiagnostics(
          cycles: [], cut: ["list"], rootless: ["main"], goneSenders: []))
  }
}

extension JSON {
  fileprivate var elements: [JSON] {
    if case .array(let elements) = self { elements } else { [] }
  }
}
