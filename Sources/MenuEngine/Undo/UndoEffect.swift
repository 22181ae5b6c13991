import JSONText

/// An effect on the undo manager of the responder that the handler runs for: its own, else that of
/// the nearest responder on its chain that has one, else the session's.
public enum UndoEffect: Equatable, Sendable, Codable {
  /// Records a message against a responder, to be sent when it is undone (U1).
  case registerUndo(target: Rule, action: Rule, arguments: Rule?)
  /// Names the group (U2).
  case setActionName(Rule)
  /// Opens a group, in the one that is open (U2).
  case beginUndoGrouping
  /// Closes the group that was opened last (U2).
  case endUndoGrouping
  /// Registers nothing until it is enabled as often.
  case disableUndoRegistration
  /// Takes one `disableUndoRegistration` back.
  case enableUndoRegistration
  /// Records the next message to the manager against a responder, and does not run it (U3).
  case prepareWithInvocationTarget(Rule)
}

extension EffectScope {
  /// Returns the operation of an effect, its values computed.
  func computed(_ effect: UndoEffect) throws(MutationFault) -> UndoOperation {
    switch effect {
    case .registerUndo(let target, let action, let arguments):
      let target = try responder(target, "target")
      let action = try name(action, "action", .selector, Selector.init(_:))
      let given = try arguments.map { (rule) throws(MutationFault) in
        try array(rule, "arguments")
      }
      return .registerUndo(target: target, action, arguments: given)
    case .setActionName(let rule):
      return .setActionName(try string(rule, "name"))
    case .beginUndoGrouping: return .beginUndoGrouping
    case .endUndoGrouping: return .endUndoGrouping
    case .disableUndoRegistration: return .disableUndoRegistration
    case .enableUndoRegistration: return .enableUndoRegistration
    case .prepareWithInvocationTarget(let rule):
      return .prepareWithInvocationTarget(try responder(rule, "target"))
    }
  }
}

extension UndoEffect {
  /// The words for the kinds of effects on an undo manager.
  enum Op: String, CaseIterable {
    case registerUndo
    case setActionName
    case beginUndoGrouping
    case endUndoGrouping
    case disableUndoRegistration
    case enableUndoRegistration
    case prepareWithInvocationTarget
  }

  /// The members of an effect, or nil and the faults.
  init?(_ op: Op, _ reader: inout ObjectReader) {
    let effect: UndoEffect?
    switch op {
    case .registerUndo:
      let target = reader.required("target", Read.stringRule)
      let action = reader.required("action", Read.stringRule)
      let arguments = reader.member("arguments", Read.listRule)
      if let target, let action {
        effect = .registerUndo(target: target, action: action, arguments: arguments)
      } else {
        effect = nil
      }
    case .setActionName:
      effect = reader.required("name", Read.stringRule).map(UndoEffect.setActionName)
    case .beginUndoGrouping: effect = .beginUndoGrouping
    case .endUndoGrouping: effect = .endUndoGrouping
    case .disableUndoRegistration: effect = .disableUndoRegistration
    case .enableUndoRegistration: effect = .enableUndoRegistration
    case .prepareWithInvocationTarget:
      effect = reader.required("target", Read.stringRule)
        .map(UndoEffect.prepareWithInvocationTarget)
    }
    guard let effect else { return nil }
    self = effect
  }

  /// The effect as a document.
  var json: JSON {
    switch self {
    case .registerUndo(let target, let action, let arguments):
      document(
        .registerUndo, ("target", target), ("action", action), ("arguments", arguments))
    case .setActionName(let name): document(.setActionName, ("name", name))
    case .beginUndoGrouping: document(.beginUndoGrouping)
    case .endUndoGrouping: document(.endUndoGrouping)
    case .disableUndoRegistration: document(.disableUndoRegistration)
    case .enableUndoRegistration: document(.enableUndoRegistration)
    case .prepareWithInvocationTarget(let target):
      document(.prepareWithInvocationTarget, ("target", target))
    }
  }

  private func document(_ op: Op, _ members: (String, Rule?)...) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op.rawValue)
    for (name, rule) in members { object[name] = rule?.json }
    return .object(object)
  }
}
