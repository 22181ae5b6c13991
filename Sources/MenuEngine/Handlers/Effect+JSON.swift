public import JSONText

extension Effect {
  /// The words for the kinds of effects.
  enum Op: String, CaseIterable {
    case add
    case remove
    case replace
    case move
    case copy
    case test
    case send
    case firstResponder
    case properties
    case handleAction
    case answer
  }

  /// The effect that a document describes, or nil and the faults.
  public init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log),
      let op: Op = reader.required("op", Read.word)
    else { return nil }
    let effect = Self.read(op, &reader)
    reader.finish()
    guard let effect else { return nil }
    self = effect
  }

  private static func read(_ op: Op, _ reader: inout ObjectReader) -> Effect? {
    switch op {
    case .add: return reader.pathAndValue(StateEffect.add).map(Effect.state)
    case .replace: return reader.pathAndValue(StateEffect.replace).map(Effect.state)
    case .test: return reader.pathAndValue(StateEffect.test).map(Effect.state)
    case .move: return reader.fromAndPath(StateEffect.move).map(Effect.state)
    case .copy: return reader.fromAndPath(StateEffect.copy).map(Effect.state)
    case .remove:
      return reader.required("path", Read.pointer).map { .state(.remove($0)) }
    case .send:
      let action = reader.required("action", Read.rule)
      let to = reader.member("to", Read.rule)
      let arguments = reader.member("arguments", Read.rule)
      return action.map { .send(action: $0, to: to, arguments: arguments) }
    case .firstResponder:
      return reader.required("responder", Read.rule).map(Effect.firstResponder)
    case .properties:
      let responder = reader.member("responder", Read.rule)
      return reader.required("value", Read.rule).map { .properties(of: responder, merging: $0) }
    case .handleAction: return .handleAction
    case .answer: return reader.required("value", Read.rule).map(Effect.answer)
    }
  }

  /// The effect as a document.
  public var json: JSON {
    switch self {
    case .state(let effect): effect.json
    case .send(let action, let to, let arguments):
      document(.send, ("action", action.json), ("to", to?.json), ("arguments", arguments?.json))
    case .firstResponder(let responder):
      document(.firstResponder, ("responder", responder.json))
    case .properties(of: let responder, merging: let value):
      document(.properties, ("responder", responder?.json), ("value", value.json))
    case .handleAction: document(.handleAction)
    case .answer(let value): document(.answer, ("value", value.json))
    }
  }
}

extension StateEffect {
  fileprivate var json: JSON {
    switch self {
    case .add(let path, let value): document(.add, ("path", path.json), ("value", value.json))
    case .remove(let path): document(.remove, ("path", path.json))
    case .replace(let path, let value):
      document(.replace, ("path", path.json), ("value", value.json))
    case .move(let from, let to): document(.move, ("from", from.json), ("path", to.json))
    case .copy(let from, let to): document(.copy, ("from", from.json), ("path", to.json))
    case .test(let path, let value): document(.test, ("path", path.json), ("value", value.json))
    }
  }
}

extension ObjectReader {
  fileprivate mutating func pathAndValue(
    _ make: (JSONPointer, Rule) -> StateEffect
  ) -> StateEffect? {
    let path = required("path", Read.pointer)
    let value = required("value", Read.rule)
    guard let path, let value else { return nil }
    return make(path, value)
  }

  fileprivate mutating func fromAndPath(
    _ make: (JSONPointer, JSONPointer) -> StateEffect
  ) -> StateEffect? {
    let from = required("from", Read.pointer)
    let path = required("path", Read.pointer)
    guard let from, let path else { return nil }
    return make(from, path)
  }
}

extension JSONPointer {
  var json: JSON { .string(description) }
}

private func document(_ op: Effect.Op, _ members: (String, JSON?)...) -> JSON {
  var object = JSONObject()
  object["op"] = .string(op.rawValue)
  for (name, value) in members { object[name] = value }
  return .object(object)
}
