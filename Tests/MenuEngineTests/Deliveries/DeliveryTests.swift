import Foundation
import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Work that only the application can do (D1 to D4).
@Suite struct DeliveryTests {
  private static let commands: JSON = [
    ["title": "Export", "action": "export:", "key": ["input": "e"]],
    ["title": "Print", "action": "print:"],
    [
      "title": "Send", "action": "send:",
      "parameters": ["type": "object", "properties": ["to": ["type": "string"]]],
    ],
  ]

  private static let exporting: JSON = [
    "validate": [
      "enabled": "size(command.deliveries) == 0",
      "title": "size(command.deliveries) == 0 ? 'Export' : 'Exporting…'",
      "subtitle": "command.deliveries.map(d, d.state + ' ' + d.value.photo).join(', ')",
    ],
    "perform": [["op": "deliver", "value": "{'photo': state.photo}"]],
  ]

  private func stage(
    _ handlers: JSONObject = [:], limits: SessionLimits = SessionLimits()
  ) throws -> Stage {
    var all: JSONObject = [
      "export:": Self.exporting,
      "print:": ["perform": [["op": "deliver"]]],
      "send:": ["perform": [["op": "deliver", "value": "parameters"]]],
    ]
    for member in handlers.members { all[member.name] = member.value }
    return try Stage(
      commands: Self.commands,
      responders: [
        "w": ["kind": "window"],
        "v": ["kind": "view", "superview": "w", "handlers": .object(all)],
      ], focus: "v", state: ["photo": "lake", "log": []], limits: limits)
  }

  private func perform(_ command: CommandID, when: Int64? = 1) -> Mutation {
    .perform(ActionRequest(.command(command), when: when))
  }

  private func delivery(_ stage: Stage, _ id: Int = 1) throws -> Delivery {
    try #require(stage.session.deliveries[id])
  }

  private func photo(_ stage: Stage) -> JSON? { stage.session.state[JSONPointer(["photo"])] }

  // D1: the effect.

  @Test func `D1: the effect hands the message to the application, with a value`() throws {
    var stage = try stage()
    #expect(stage.session.deliveries.isEmpty)
    let outcome = try stage.apply(perform("export:", when: 7))
    let delivery = try delivery(stage)
    #expect(delivery.id == 1 && delivery.state == .open && delivery.claim == nil)
    #expect(delivery.command == "export:" && delivery.title == "Export")
    #expect(delivery.value == ["photo": "lake"])
    #expect(delivery.invocation.selector == "export:" && delivery.invocation.when == 7)
    #expect(delivery.invocation.target == .responder("v"))
    #expect(outcome.changes == [.delivery(delivery)])
    #expect(stage.session.revision == 1)
  }

  @Test func `D1: without a value it is null, and without a command there is none`() throws {
    var stage = try stage()
    try stage.apply(.perform(ActionRequest(.action("print:"))))
    let delivery = try delivery(stage)
    #expect(delivery.value == .null && delivery.command == nil && delivery.title == nil)
  }

  @Test func `D1: the message has its parameters (P2)`() throws {
    var stage = try stage()
    try stage.apply(
      .perform(ActionRequest(.command("send:"), parameters: ["to": "ada"])))
    #expect(try delivery(stage).invocation.parameters == ["to": "ada"])
    #expect(try delivery(stage).value == ["to": "ada"])
  }

  @Test func `D1: the answer of the effect is the number of the delivery`() throws {
    var stage = try stage([
      "export:": [
        "perform": [
          ["op": "deliver"], ["op": "deliver"],
          ["op": "add", "path": "/log/-", "value": "invocation.result"],
        ]
      ]
    ])
    let outcome = try stage.apply(perform("export:"))
    #expect(stage.log == [2])
    #expect(outcome.performance?.invocation.answer == 2)
    #expect(stage.session.deliveries.all.map(\.id) == [1, 2])
    #expect(try delivery(stage, 2).invocation.result == nil)
  }

  @Test func `D1: what fails delivers nothing, and takes no number`() throws {
    var stage = try stage([
      "print:": ["perform": [["op": "deliver"], ["op": "remove", "path": "/nowhere"]]]
    ])
    guard case .effect(.patch)? = stage.refusal(of: perform("print:")) else {
      Issue.record("not refused")
      return
    }
    try stage.apply(perform("export:"))
    #expect(try delivery(stage).command == "export:")
  }

  @Test func `D1: an effect whose condition is false delivers nothing`() throws {
    var stage = try stage(["print:": ["perform": [["op": "deliver", "when": "false"]]]])
    try stage.apply(perform("print:"))
    #expect(stage.session.deliveries.isEmpty)
  }

  // D2: claims.

  @Test func `D2: a delivery is claimed once, until a moment`() throws {
    var stage = try stage()
    try stage.apply(perform("export:"))
    let outcome = try stage.apply(.claimDelivery(1, by: "ada", until: 30))
    let delivery = try delivery(stage)
    #expect(delivery.state == .claimed)
    #expect(delivery.claim == Delivery.Claim(number: 1, by: "ada", until: 30))
    #expect(outcome.changes == [.deliveryState(delivery)])
    #expect(
      stage.refusal(of: .claimDelivery(1, until: 40))
        == .delivery(.alreadyClaimed(1, by: "ada", until: 30)))
    #expect(stage.refusal(of: .claimDelivery(2, until: 40)) == .delivery(.unknown(2)))
  }

  @Test func `D2: only the holder of a claim renews it`() throws {
    var stage = try stage()
    try stage.apply(perform("export:"))
    #expect(
      stage.refusal(of: .renewDelivery(1, claim: 1, until: 9))
        == .delivery(.notClaimed(1, claim: 1)))
    try stage.apply(.claimDelivery(1, by: "ada", until: 30))
    try stage.apply(.renewDelivery(1, claim: 1, until: 60))
    #expect(try delivery(stage).claim == Delivery.Claim(number: 1, by: "ada", until: 60))
    let revision = stage.session.revision
    #expect(try stage.apply(.renewDelivery(1, claim: 1, until: 60)).isNothing)
    #expect(stage.session.revision == revision)
    #expect(
      stage.refusal(of: .renewDelivery(1, claim: 2, until: 70))
        == .delivery(.notClaimed(1, claim: 2)))
  }

  @Test func `D2: an expired claim makes the delivery claimable again`() throws {
    var stage = try stage()
    try stage.apply(perform("export:"))
    try stage.apply(.claimDelivery(1, until: 30))
    #expect(try stage.apply(.expireClaims(at: 29)).isNothing)
    #expect(try delivery(stage).state == .claimed)
    let outcome = try stage.apply(.expireClaims(at: 30))
    #expect(outcome.changes == [.deliveryState(try delivery(stage))])
    #expect(try delivery(stage).state == .open && delivery(stage).claim == nil)
    #expect(stage.refusal(of: reply(claim: 1)) == .delivery(.claimLost(1, claim: 1)))
    try stage.apply(.claimDelivery(1, until: 60))
    #expect(try delivery(stage).claim?.number == 2)
    #expect(stage.refusal(of: reply(claim: 1)) == .delivery(.claimLost(1, claim: 1)))
    #expect(stage.refusal(of: reply(claim: 3)) == .delivery(.notClaimed(1, claim: 3)))
    #expect(
      stage.refusal(of: .renewDelivery(1, claim: 1, until: 90))
        == .delivery(.claimLost(1, claim: 1)))
    try stage.apply(reply(claim: 2))
    #expect(try delivery(stage).state == .replied)
  }

  @Test(arguments: [0, -1, Int.max, Int.min])
  func `D2: a claim number that was never given is refused`(claim: Int) throws {
    var stage = try stage()
    try stage.apply(perform("export:"))
    #expect(stage.refusal(of: reply(claim: claim)) == .delivery(.notClaimed(1, claim: claim)))
    try stage.apply(.claimDelivery(1, until: 30))
    #expect(stage.refusal(of: reply(claim: claim)) == .delivery(.notClaimed(1, claim: claim)))
  }

  @Test func `D2: the name of a claimer has a bound`() throws {
    var stage = try stage()
    try stage.apply(perform("export:"))
    let name = String(repeating: "é", count: 129)
    #expect(
      stage.refusal(of: .claimDelivery(1, by: name, until: 1))
        == .tooLarge(limit: Limits.claimerName))
    try stage.apply(.claimDelivery(1, by: String(name.dropLast()), until: 1))
  }

  // D2: replies.

  private func reply(
    of id: Int = 1, claim: Int = 1, _ mutations: [Mutation] = [], result: JSON = "done"
  ) -> Mutation {
    .replyToDelivery(id, claim: claim, result: result, mutations: mutations, at: 20)
  }

  private func claimed(_ handlers: JSONObject = [:]) throws -> Stage {
    var stage = try stage(handlers)
    try stage.apply(perform("export:"))
    try stage.apply(.claimDelivery(1, until: 30))
    return stage
  }

  @Test func `D2: a reply settles a delivery, once`() throws {
    var stage = try claimed()
    try stage.apply(reply(result: nil))
    let delivery = try delivery(stage)
    #expect(
      delivery.state == .replied && delivery.result == .null && delivery.problem == JSON?.none)
    #expect(delivery.settledAt == 20 && delivery.claim == nil && delivery.claimCount == 1)
    let settled = MutationFault.delivery(.alreadySettled(1, .replied))
    #expect(stage.refusal(of: reply()) == settled)
    #expect(stage.refusal(of: .failDelivery(1, claim: 1, problem: [:])) == settled)
    #expect(stage.refusal(of: .renewDelivery(1, claim: 1, until: 9)) == settled)
    #expect(stage.refusal(of: .claimDelivery(1, until: 9)) == settled)
    #expect(stage.refusal(of: .cancelDelivery(1)) == settled)
  }

  @Test func `D2: failing a delivery gives a reason`() throws {
    var stage = try claimed()
    try stage.apply(.failDelivery(1, claim: 1, problem: ["title": "No room"], at: 21))
    let delivery = try delivery(stage)
    #expect(delivery.state == .failed && delivery.problem == ["title": "No room"])
    #expect(delivery.result == JSON?.none && delivery.settledAt == 21)
    #expect(stage.refusal(of: reply()) == .delivery(.alreadySettled(1, .failed)))
  }

  @Test func `D2: a settled delivery tells who settled it`() throws {
    let settlements: [(Mutation, String?)] = [
      (reply(), "ada"), (.failDelivery(1, claim: 1, problem: ["title": "No room"]), "ada"),
      (.cancelDelivery(1, claim: 1), "ada"), (.expireClaims(at: 30), nil),
    ]
    for (settlement, name) in settlements {
      var stage = try stage()
      try stage.apply(perform("export:"))
      try stage.apply(.claimDelivery(1, by: "ada", until: 30))
      #expect(try delivery(stage).settledBy == nil)
      if name == nil { try stage.apply(.cancelDelivery(1)) }
      try stage.apply(settlement)
      #expect(try delivery(stage).settledBy == name && delivery(stage).claim == nil)
    }
  }

  @Test func `D2: the mutations of a reply are one transaction with it`() throws {
    var stage = try claimed()
    let fault = stage.refusal(
      of: reply([.mergeState(["photo": "meadow"]), .becomeFirstResponder("nobody")]))
    #expect(fault == .inList(index: 1, .unknownResponder("nobody")))
    #expect(try delivery(stage).state == .claimed)
    let revision = stage.session.revision
    let outcome = try stage.apply(
      reply([.mergeState(["photo": "meadow"]), .becomeFirstResponder("w")]))
    #expect(stage.session.revision == revision + 1)
    #expect(photo(stage) == "meadow" && stage.session.firstResponder == "w")
    #expect(outcome.changes.count == 3)
  }

  @Test func `D2: the mutations of a reply are one undo group, named after the command`() throws {
    var stage = try claimed()
    try stage.apply(
      reply([
        .mergeState(["photo": "meadow", "a": 1]),
        .patchState(JSONPatch([.add(path: JSONPointer(["b"]), value: 2)])),
      ]))
    let manager = try #require(stage.session.undoManager(ownedBy: nil))
    #expect(manager.undoGroups.map(\.actionName) == ["Export"])
    #expect(manager.undoGroups.map(\.actionCount) == [3])
    try stage.apply(.undo())
    #expect(stage.session.state == ["photo": "lake", "log": []])
    #expect(try delivery(stage).state == .replied)
    try stage.apply(.redo())
    #expect(stage.session.state == ["photo": "meadow", "log": [], "a": 1, "b": 2])
  }

  @Test func `D2: a reply that changes nothing leaves nothing to undo`() throws {
    var stage = try claimed()
    try stage.apply(reply([.becomeFirstResponder("w")]))
    #expect(stage.session.undoManager(ownedBy: nil)?.undoGroups.isEmpty == true)
  }

  @Test func `D2: the undo manager of the responder that delivered registers the reply`() throws {
    var stage = try claimed()
    try stage.put(
      "v",
      [
        "kind": "view", "superview": "w", "undoManager": [:],
        "handlers": ["export:": Self.exporting],
      ])
    try stage.apply(reply([.mergeState(["photo": "meadow"])]))
    #expect(stage.session.undoManager(ownedBy: "v")?.undoGroups.count == 1)
    #expect(stage.session.undoManager(ownedBy: nil)?.undoGroups.isEmpty == true)
  }

  @Test func `D2: when that responder is gone, the session's undo manager does`() throws {
    var stage = try claimed()
    try stage.apply(.removeResponder("v"))
    try stage.apply(reply([.mergeState(["photo": "meadow"])]))
    #expect(stage.session.undoManager(ownedBy: nil)?.undoGroups.map(\.actionName) == ["Export"])
  }

  @Test func `D2: a reply can perform, and what that changes is in the same group`() throws {
    var stage = try claimed([
      "mark": ["perform": [["op": "add", "path": "/log/-", "value": "'mark'"]]]
    ])
    let outcome = try stage.apply(
      reply([.mergeState(["photo": "meadow"]), .perform(ActionRequest(.action("mark")))]))
    #expect(outcome.performance == nil)
    #expect(stage.log == ["mark"])
    #expect(stage.session.undoManager(ownedBy: nil)?.undoGroups.map(\.actionName) == ["Export"])
    try stage.apply(.undo())
    #expect(stage.log == [] && photo(stage) == "lake")
  }

  @Test func `D2: a reply has no other reply among its mutations`() throws {
    let document: JSON = [
      "op": "replyToDelivery", "delivery": 1, "claim": 1,
      "mutations": [["op": "replyToDelivery", "delivery": 2, "claim": 1]],
    ]
    let catalog = try stage().catalog
    let faults = faults { Mutation(reading: document, at: .root, log: $0, in: catalog) }
    #expect(faults.map(\.pointer) == [JSONPointer(["mutations", "0", "op"])])
  }

  @Test func `D2: the mutations of a reply get its time`() throws {
    var stage = try claimed([
      "mark": ["perform": [["op": "add", "path": "/log/-", "value": "invocation.when"]]]
    ])
    let mark = Mutation.perform(ActionRequest(.action("mark")))
    try stage.apply(Mutation.replyToDelivery(1, claim: 1, mutations: [mark]).dated(44))
    #expect(stage.log == [44])
    #expect(try delivery(stage).settledAt == 44)
  }

  @Test func `U1: to undo the performing neither opens a delivery again nor takes it back`() throws
  {
    var stage = try stage([
      "export:": [
        "perform": [["op": "replace", "path": "/photo", "value": "'busy'"], ["op": "deliver"]]
      ]
    ])
    try stage.apply(perform("export:"))
    try stage.apply(.undo())
    #expect(photo(stage) == "lake")
    #expect(try delivery(stage).state == .open)
    try stage.apply(.redo())
    #expect(stage.session.deliveries.all.count == 1)
    try stage.apply(.claimDelivery(1, until: 30))
    try stage.apply(reply())
    try stage.apply(.undo())
    #expect(try delivery(stage).state == .replied)
  }

  // D3: cancelling and forgetting.

  @Test func `D6: a renewal tells the progress, which rules see`() throws {
    var stage = try stage([
      "export:": [
        "validate": [
          "title": "command.deliveries.map(d, string(d.progress) + ' ' + d.message).join(', ')"
        ],
        "perform": [["op": "deliver"]],
      ]
    ])
    try stage.apply(perform("export:"))
    #expect(try stage.item("export:").title == "0 ")
    try stage.apply(.claimDelivery(1, until: 30))
    #expect(try stage.item("export:").title == "0 ")
    let told = try stage.apply(
      .renewDelivery(1, claim: 1, until: 60, progress: 0.5, message: "1 of 2"))
    #expect(try told.changes == [.deliveryState(delivery(stage))])
    #expect(try stage.item("export:").title == "0.5 1 of 2")
    // What a renewal does not tell stays as it was.
    try stage.apply(.renewDelivery(1, claim: 1, until: 60, message: ""))
    #expect(try stage.item("export:").title == "0.5 ")
    #expect(
      try stage.apply(.renewDelivery(1, claim: 1, until: 60, progress: 0.5)).isNothing)
    try stage.apply(.renewDelivery(1, claim: 1, until: 60, progress: 0))
    #expect(try delivery(stage).claim?.progress == 0)
    // Another claimer begins anew.
    try stage.apply(.expireClaims(at: 60))
    try stage.apply(.claimDelivery(1, until: 90))
    #expect(try delivery(stage).claim?.progress == nil && delivery(stage).claim?.message == nil)
  }

  @Test func `D6: a claimed delivery is cancelled once its claimer agrees`() throws {
    var stage = try stage()
    for _ in 1...2 { try stage.apply(.perform(ActionRequest(.action("print:")))) }
    try stage.apply(.claimDelivery(1, by: "ada", until: 30))
    let asked = try stage.apply(.cancelDelivery(1, at: 5))
    #expect(try delivery(stage).state == .cancelling)
    #expect(try delivery(stage).claim?.until == 30)
    #expect(try asked.changes == [.deliveryState(delivery(stage))])
    #expect(try stage.apply(.cancelDelivery(1, at: 6)).isNothing)
    #expect(
      stage.refusal(of: .cancelDelivery(1, claim: 2)) == .delivery(.notClaimed(1, claim: 2)))
    #expect(
      stage.refusal(of: .cancelDelivery(2, claim: 1)) == .delivery(.notClaimed(2, claim: 1)))
    // It may still be renewed, and nobody else claims it.
    try stage.apply(.renewDelivery(1, claim: 1, until: 60))
    #expect(try delivery(stage).state == .cancelling)
    #expect(
      stage.refusal(of: .claimDelivery(1, until: 40))
        == .delivery(.alreadyClaimed(1, by: "ada", until: 60)))
    try stage.apply(.cancelDelivery(1, claim: 1, at: 9))
    #expect(try delivery(stage).state == .cancelled && delivery(stage).claim == nil)
    #expect(try delivery(stage).settledAt == 9 && delivery(stage).settledBy == "ada")
  }

  @Test func `D6: it is cancelled when the claim ends, unless it was replied to`() throws {
    var stage = try stage()
    for id in 1...3 {
      try stage.apply(.perform(ActionRequest(.action("print:"))))
      try stage.apply(.claimDelivery(id, by: "ada", until: 30))
      try stage.apply(.cancelDelivery(id))
    }
    try stage.apply(.replyToDelivery(2, claim: 1, result: "done", at: 8))
    try stage.apply(.failDelivery(3, claim: 1, problem: [:], at: 8))
    #expect(stage.session.deliveries.isDue(at: 30, settledBefore: .min))
    try stage.apply(.expireClaims(at: 30))
    #expect(stage.session.deliveries.all.map(\.state) == [.cancelled, .replied, .failed])
    #expect(try delivery(stage).settledAt == 30 && delivery(stage).settledBy == nil)
    #expect(!stage.session.deliveries.isDue(at: 30, settledBefore: .min))
  }

  @Test func `D6: rules see that a delivery is to be cancelled`() throws {
    var stage = try stage()
    try stage.apply(perform("export:"))
    try stage.apply(.claimDelivery(1, until: 30))
    try stage.apply(.cancelDelivery(1))
    #expect(try stage.item("export:").subtitle == "cancelling lake")
  }

  @Test func `D6: progress survives in the stored form`() throws {
    var stage = try stage()
    try stage.apply(perform("export:"))
    try stage.apply(.claimDelivery(1, by: "ada", until: 30))
    try stage.apply(.renewDelivery(1, claim: 1, until: 60, progress: 0.25, message: "é"))
    try stage.apply(.cancelDelivery(1))
    let stored = try JSONEncoder().encode(stage.session.deliveries)
    let read = try JSONDecoder().decode(Deliveries.self, from: stored)
    #expect(try read[1] == delivery(stage))
  }

  @Test func `D3: a delivery is cancelled while it is open`() throws {
    var stage = try stage()
    for _ in 1...2 { try stage.apply(perform("print:")) }
    try stage.apply(.cancelDelivery(1, at: 5))
    try stage.apply(.cancelDelivery(2))
    #expect(stage.session.deliveries.all.map(\.state) == [.cancelled, .cancelled])
    #expect(stage.session.deliveries.all.map(\.settledAt) == [5, nil])
    #expect(stage.refusal(of: reply()) == .delivery(.alreadySettled(1, .cancelled)))
    #expect(stage.refusal(of: .cancelDelivery(1)) == .delivery(.alreadySettled(1, .cancelled)))
  }

  @Test func `D3: a handler cancels, too`() throws {
    var stage = try stage([
      "print:": ["perform": [["op": "cancelDelivery", "delivery": "1"]]]
    ])
    try stage.apply(perform("export:"))
    try stage.apply(perform("print:", when: 9))
    #expect(try delivery(stage).state == .cancelled && delivery(stage).settledAt == 9)
    guard
      case .effect(.mutation(_, _, index: 0, .delivery(.alreadySettled)))? = stage.refusal(
        of: perform("print:"))
    else {
      Issue.record("not refused")
      return
    }
  }

  @Test func `D3: what was settled before a moment is forgotten, and no number is given twice`()
    throws
  {
    var stage = try stage()
    for id in 1...4 {
      try stage.apply(perform("print:"))
      if id < 4 { try stage.apply(.cancelDelivery(id, at: Int64(10 * id))) }
    }
    let outcome = try stage.apply(.forgetDeliveries(settledBefore: 30))
    #expect(outcome.changes == [.deliveryForgotten(1), .deliveryForgotten(2)])
    #expect(stage.session.deliveries.all.map(\.id) == [3, 4])
    #expect(try stage.apply(.forgetDeliveries(settledBefore: 30)).isNothing)
    #expect(stage.refusal(of: reply()) == .delivery(.unknown(1)))
    try stage.apply(.cancelDelivery(4, at: 1))
    try stage.apply(.forgetDeliveries(settledBefore: .max))
    #expect(stage.session.deliveries.isEmpty)
    try stage.apply(perform("print:"))
    #expect(stage.session.deliveries.all.map(\.id) == [5])
  }

  // D4: rules.

  @Test func `D4: rules see the deliveries of their command that are not settled`() throws {
    var stage = try stage()
    #expect(try stage.item("export:").isEnabled)
    #expect(try stage.item("export:").subtitle == "")
    try stage.apply(perform("export:"))
    #expect(try stage.item("export:").title == "Exporting…")
    #expect(try stage.item("export:").subtitle == "open lake")
    #expect(try !stage.item("export:").isEnabled)
    #expect(stage.reason(for: perform("export:")) == .ruleFalse)
    try stage.apply(.claimDelivery(1, until: 9))
    #expect(try stage.item("export:").subtitle == "claimed lake")
    try stage.apply(perform("print:"))
    #expect(try stage.item("export:").subtitle == "claimed lake")
    try stage.apply(.cancelDelivery(1, claim: 1))
    #expect(try stage.item("export:").isEnabled)
  }

  @Test func `D4: effects see them as they are at that moment`() throws {
    let note: JSON = [
      "op": "add", "path": "/log/-", "value": "command.deliveries.map(d, d.id)",
    ]
    var stage = try stage(["print:": ["perform": [note, ["op": "deliver"], note]]])
    try stage.apply(perform("print:"))
    #expect(stage.log == [[], [1]])
  }

  @Test func `D4: a rule that does not name them sees the command as it is declared`() throws {
    var stage = try stage([
      "print:": ["perform": [["op": "add", "path": "/log/-", "value": "command"]]]
    ])
    try stage.apply(perform("print:"))
    #expect(stage.log == [try #require(stage.catalog.command("print:")).json])
  }

  @Test func `D4: a plan follows the deliveries, also in canPerform rules`() throws {
    var plain = try stage()
    try plain.put(
      "w",
      ["kind": "window", "handlers": ["print:": [:]]])
    try plain.put(
      "v",
      [
        "kind": "view", "superview": "w",
        "handlers": [
          "export:": Self.exporting,
          "print:": [
            "canPerform": "size(command.deliveries) == 0", "perform": [["op": "deliver"]],
          ],
        ],
      ])
    var stage = PlanStage(plain)
    try stage.ask()
    for mutation in [
      perform("export:"), perform("print:"), .claimDelivery(1, until: 9), .expireClaims(at: 9),
      .claimDelivery(1, until: 9), .cancelDelivery(2), reply(claim: 2), perform("export:"),
    ] {
      try stage.stage.apply(mutation)
      try stage.ask()
    }
  }

  // Limits and the journal.

  @Test func `open deliveries and what they hold have limits`() throws {
    var limits = SessionLimits()
    limits[.deliveries] = 2
    var stage = try stage(limits: limits)
    try stage.apply(perform("print:"))
    try stage.apply(perform("print:"))
    #expect(stage.refusal(of: perform("print:")) == .limitReached(.deliveries, limit: 2))
    try stage.apply(.claimDelivery(1, until: 9))
    #expect(stage.refusal(of: perform("print:")) == .limitReached(.deliveries, limit: 2))
    try stage.apply(.cancelDelivery(2))
    try stage.apply(perform("print:"))
    limits = SessionLimits()
    limits[.deliverySize] = 400
    var small = try self.stage(limits: limits)
    try small.apply(perform("print:"))
    #expect(small.refusal(of: perform("print:")) == .limitReached(.deliverySize, limit: 400))
  }

  @Test func `values and results have the bounds of values in the state`() throws {
    var stage = try claimed()
    let large = JSON.string(String(repeating: "x", count: Limits.work + 1))
    #expect(stage.refusal(of: reply(result: large)) == .tooLarge(limit: Limits.work))
    #expect(
      stage.refusal(of: .failDelivery(1, claim: 1, problem: ["x": large]))
        == .tooLarge(limit: Limits.work))
    try stage.apply(reply(result: .string(String(repeating: "x", count: Limits.work - 9))))
  }

  @Test func `the oldest settled deliveries give way to newer ones`() throws {
    var stage = try stage()
    for id in 1...(Limits.settledDeliveries + 2) {
      _ = try stage.session.apply(perform("print:"), in: stage.catalog)
      _ = try stage.session.apply(.cancelDelivery(id), in: stage.catalog)
    }
    #expect(stage.session.deliveries.all.count == Limits.settledDeliveries)
    #expect(stage.session.deliveries.all.first?.id == 3)
    // One that was open for long is kept though its number is the lowest.
    let size = Limits.settledSize / 5
    var large = try self.stage()
    for id in 1...8 {
      try large.apply(perform("print:"))
      try large.apply(.claimDelivery(id, until: 9))
    }
    for id in [2, 3, 4, 5, 6, 1] {
      try large.apply(reply(of: id, result: .string(String(repeating: "x", count: size))))
    }
    #expect(large.session.deliveries.all.map(\.id) == [1, 4, 5, 6, 7, 8])
  }

  @Test func `a session is stored with its deliveries`() throws {
    var stage = try stage()
    try stage.apply(perform("export:"))
    try stage.apply(perform("send:"))
    try stage.apply(.claimDelivery(1, by: "ada", until: 9))
    try stage.apply(reply([.mergeState(["a": 1])], result: nil))
    var read = try StoredReader().session(from: try StoredFormat.bytes(of: stage.session))
    #expect(read.document == stage.session.document)
    #expect(read.deliveries.all == stage.session.deliveries.all)
    #expect(read.holdings == stage.session.holdings)
    let next = perform("print:")
    #expect(
      try read.apply(next, in: stage.catalog) == stage.session.apply(next, in: stage.catalog))
    #expect(read.deliveries.all.map(\.id) == [1, 2, 3])
  }
}
