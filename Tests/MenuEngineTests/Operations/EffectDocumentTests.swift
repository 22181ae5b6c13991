import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

/// Effects that are made of values, as closures answer them, and documents of effects.
@Suite struct EffectDocumentTests {
  @Test(
    arguments: [
      .send("print:", to: .forwarder(host: "host"), arguments: [1, "a\"b\\\n", nil, [1.5, -2]]),
      .send("print:", answers: true), .answer(["it's": [true, "\u{7f}é"]]), .answer(nil),
      .handleAction, .callSuper(arguments: [[:]]), .passOn(),
      .state(.add(path: JSONPointer(["log", "-"]), value: "1")),
      .state(.move(from: JSONPointer(["a"]), path: JSONPointer(["b"]))),
      .properties(of: "view", merging: ["item": nil]), .properties(merging: [:]),
      .firstResponder("view"), .makeKeyAndVisible(window: "window"),
      .target(action: "show:sender:", otherwise: false), .show("detail", sender: ["n": 1]),
      .present("sheet", from: "root"), .message("done:", .delegate, arguments: ["x"], queue: true),
      .segue("Go", source: "root"),
    ] as [Effect])
  func `an effect of values is written so that it reads as the same`(effect: Effect) throws {
    let read = try FaultLog.collecting { Effect(reading: effect.json, at: .root, log: $0) }
    #expect(read.json == effect.json)
  }

  @Test func `an effect of values that was written and read does the same`() throws {
    let effects: [Effect] = [
      .state(.add(path: JSONPointer(["log", "-"]), value: ["a\"b\\", 1.5, nil])),
      .properties(merging: ["n": 2]), .answer("done"),
    ]
    let document: JSON = ["perform": .array(effects.map(\.json))]
    var documents: [String] = []
    for handler in [Handler(perform: { _ in effects }), try handler(document)] {
      var stage = try Stage(responders: ["v": ["kind": "view"]], focus: "v")
      try stage.apply(.putHandler(handler, for: "go:", of: "v"))
      let outcome = try stage.apply(.perform(ActionRequest(.action("go:"))))
      #expect(outcome.performance?.invocation.answer == "done")
      try stage.apply(.removeHandler(for: "go:", of: "v"))
      documents.append(stage.session.document.text())
    }
    #expect(documents[0] == documents[1])
  }

  /// Documents with none, one and all of the members that an operation has.
  private static func documents(of operation: OperationDescription) -> [JSON] {
    let names = operation.members.map(\.name)
    let values: [JSON] = [
      nil, true, 1, "null", "'v'", "1", "[]", "{}", [], [:], "v", "responder.id", "/log/-",
    ]
    return values.flatMap { value in
      ([[], names] + names.map { [$0] } + names.map { name in names.filter { $0 != name } })
        .map { names in
          var object: JSONObject = ["op": .string(operation.op)]
          for name in names { object[name] = value }
          return .object(object)
        }
    }
  }

  @Test(arguments: OperationDescription.effects.map(\.op))
  func `no document of an effect stops the engine`(op: String) throws {
    let operation = try #require(OperationDescription.effects.first { $0.op == op })
    let stage = try Stage(responders: ["v": ["kind": "view", "coordinator": [:]]], focus: "v")
    for document in Self.documents(of: operation) {
      let log = FaultLog()
      guard let effect = Effect(reading: document, at: .root, log: log), log.faults.isEmpty else {
        #expect(!log.faults.isEmpty, "\(document.text())")
        continue
      }
      #expect(effect.json.object?["op"] == .string(op))
      var copy = stage
      try copy.apply(.putHandler(handler(["perform": [document]]), for: "go:", of: "v"))
      _ = try? copy.apply(.perform(ActionRequest(.action("go:"))))
    }
  }

  @Test(arguments: OperationDescription.mutations.map(\.op))
  func `no document of a mutation stops the engine`(op: String) throws {
    let operation = try #require(OperationDescription.mutations.first { $0.op == op })
    let stage = try Stage(responders: ["v": ["kind": "view", "coordinator": [:]]], focus: "v")
    for document in Self.documents(of: operation) {
      let log = FaultLog()
      let mutation = Mutation(reading: document, at: .root, log: log, in: stage.catalog)
      guard let mutation, log.faults.isEmpty else {
        #expect(!log.faults.isEmpty, "\(document.text())")
        continue
      }
      var copy = stage
      _ = try? copy.apply(mutation)
    }
  }
}
