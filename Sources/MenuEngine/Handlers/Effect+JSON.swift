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
    case callSuper = "super"
    case passOn = "continue"
    case processMessages
    case targetViewController
    case show
    case showDetail
    case present
    case dismiss
    case pop
    case startCoordinator
    case startChildCoordinator
    case stopChildCoordinator
    case stopCoordinator
    case activateCoordinator
    case takeoverCoordinator
    case coordinatorDidFinish
    case coordinatorShow
    case coordinatorRoot
    case coordinatorTop
    case coordinatorPop
    case registerUndo
    case setActionName
    case beginUndoGrouping
    case endUndoGrouping
    case disableUndoRegistration
    case enableUndoRegistration
    case prepareWithInvocationTarget
    case instantiate
    case segue
    case unwind
    case delegate
    case message
    case makeKeyAndVisible
    case registerLateResponder
    case deregisterLateResponder
    case changeProxiedSelectors
    case registerHandler
    case changeRegistration
    case removeRegistration
  }

  /// The effect that a document describes, or nil and the faults.
  public init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log),
      let op: Op = reader.required("op", Read.word)
    else { return nil }
    let effect = Self.read(op, &reader)
    let condition = reader.member("when", Read.boolRule)
    reader.finish()
    guard let effect else { return nil }
    self = condition.map { .conditional(effect, when: $0) } ?? effect
  }

  private static func read(_ op: Op, _ reader: inout ObjectReader) -> Effect? {
    switch op {
    case .add: return reader.pathAndValue(StateEffect.add).map(Effect.state)
    case .replace: return reader.pathAndValue(StateEffect.replace).map(Effect.state)
    case .test: return reader.pathAndValue(StateEffect.test).map(Effect.state)
    case .move: return reader.fromAndPath(StateEffect.move).map(Effect.state)
    case .copy: return reader.fromAndPath(StateEffect.copy).map(Effect.state)
    case .remove:
      return reader.place("path").map { .state(.remove($0)) }
    case .send:
      let action = reader.required("action", Read.stringRule)
      let to = reader.member("to", Read.stringRule)
      let arguments = reader.member("arguments", Read.listRule)
      let answers = reader.member("answers", Read.bool) ?? false
      return action.map { .send(action: $0, to: to, arguments: arguments, answers: answers) }
    case .firstResponder:
      return reader.required("responder", Read.stringRule).map(Effect.firstResponder)
    case .properties:
      let responder = reader.member("responder", Read.stringRule)
      return reader.required("value", Read.objectRule).map {
        .properties(of: responder, merging: $0)
      }
    case .handleAction: return .handleAction
    case .answer: return reader.required("value", Read.rule).map(Effect.answer)
    case .callSuper: return .callSuper(arguments: reader.member("arguments", Read.listRule))
    case .passOn: return .passOn(arguments: reader.member("arguments", Read.listRule))
    case .processMessages: return .processMessages
    case .targetViewController, .show, .showDetail, .present, .dismiss, .pop:
      return ViewControllerEffect.Op(rawValue: op.rawValue)
        .flatMap { ViewControllerEffect($0, &reader) }.map(Effect.viewController)
    case .startCoordinator, .startChildCoordinator, .stopChildCoordinator, .stopCoordinator,
      .activateCoordinator, .takeoverCoordinator, .coordinatorDidFinish, .coordinatorShow,
      .coordinatorRoot, .coordinatorTop, .coordinatorPop:
      return CoordinatorOp(rawValue: op.rawValue)
        .flatMap { CoordinatorEffect($0, &reader) }.map(Effect.coordinator)
    case .registerUndo, .setActionName, .beginUndoGrouping, .endUndoGrouping,
      .disableUndoRegistration, .enableUndoRegistration, .prepareWithInvocationTarget:
      return UndoEffect.Op(rawValue: op.rawValue)
        .flatMap { UndoEffect($0, &reader) }.map(Effect.undo)
    case .instantiate, .segue, .unwind, .delegate, .message, .makeKeyAndVisible:
      return StoryboardEffect.Op(rawValue: op.rawValue)
        .flatMap { StoryboardEffect($0, &reader) }.map(Effect.storyboard)
    case .registerLateResponder, .deregisterLateResponder, .changeProxiedSelectors:
      return LateResponderEffect.Op(rawValue: op.rawValue)
        .flatMap { LateResponderEffect($0, &reader) }.map(Effect.lateResponder)
    case .registerHandler, .changeRegistration, .removeRegistration:
      return RegistrationEffect.Op(rawValue: op.rawValue)
        .flatMap { RegistrationEffect($0, &reader) }.map(Effect.registration)
    }
  }

  /// The effect as a document.
  ///
  /// The method of a built-in class cannot be written: it gets the op `builtIn`, which no reader
  /// takes.
  public var json: JSON {
    switch self {
    case .state(let effect): effect.json
    case .conditional(let effect, let condition): effect.json(when: condition)
    case .send(let action, let to, let arguments, let answers):
      document(
        .send, ("action", action.json), ("to", to?.json), ("arguments", arguments?.json),
        ("answers", answers ? true : nil))
    case .firstResponder(let responder):
      document(.firstResponder, ("responder", responder.json))
    case .properties(of: let responder, merging: let value):
      document(.properties, ("responder", responder?.json), ("value", value.json))
    case .handleAction: document(.handleAction)
    case .answer(let value): document(.answer, ("value", value.json))
    case .callSuper(let arguments): document(.callSuper, ("arguments", arguments?.json))
    case .passOn(let arguments): document(.passOn, ("arguments", arguments?.json))
    case .processMessages: document(.processMessages)
    case .builtIn(let method): ["op": "builtIn", "method": .string(method.rawValue)]
    case .viewController(let effect): effect.json
    case .coordinator(let effect): effect.json
    case .undo(let effect): effect.json
    case .storyboard(let effect): effect.json
    case .lateResponder(let effect): effect.json
    case .registration(let effect): effect.json
    }
  }

  private func json(when condition: Rule) -> JSON {
    guard case .object(var object) = json else { return json }
    object["when"] = condition.json
    return .object(object)
  }
}

extension StateEffect {
  fileprivate var json: JSON {
    switch self {
    case .add(let path, let value): document(.add, path.member("path"), ("value", value.json))
    case .remove(let path): document(.remove, path.member("path"))
    case .replace(let path, let value):
      document(.replace, path.member("path"), ("value", value.json))
    case .move(let from, let to): document(.move, from.member("from"), to.member("path"))
    case .copy(let from, let to): document(.copy, from.member("from"), to.member("path"))
    case .test(let path, let value): document(.test, path.member("path"), ("value", value.json))
    }
  }
}

extension ObjectReader {
  fileprivate mutating func pathAndValue(
    _ make: (StatePlace, Rule) -> StateEffect
  ) -> StateEffect? {
    let path = place("path")
    let value = required("value", Read.rule)
    guard let path, let value else { return nil }
    return make(path, value)
  }

  fileprivate mutating func fromAndPath(
    _ make: (StatePlace, StatePlace) -> StateEffect
  ) -> StateEffect? {
    let from = place("from")
    let path = place("path")
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
