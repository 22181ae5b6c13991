import JSONText

extension UndoOperation {
  /// The words for mutations of an undo manager.
  enum Op: String, CaseIterable {
    case undo
    case redo
    case beginUndoGrouping
    case endUndoGrouping
    case setLevelsOfUndo
    case setUndoActionName
    case registerUndo
    case prepareWithInvocationTarget
    case disableUndoRegistration
    case enableUndoRegistration
    case removeAllUndoActions
  }

  /// The members of a mutation, or nil and the faults.
  init?(_ op: Op, _ reader: inout ObjectReader) {
    let operation: UndoOperation?
    switch op {
    case .undo: operation = .undo
    case .redo: operation = .redo
    case .beginUndoGrouping: operation = .beginUndoGrouping
    case .endUndoGrouping: operation = .endUndoGrouping
    case .setLevelsOfUndo:
      operation = reader.required("levelsOfUndo", Read.count).map(UndoOperation.setLevelsOfUndo)
    case .setUndoActionName:
      operation = reader.required("name", Read.string).map(UndoOperation.setActionName)
    case .registerUndo: operation = Self.registerUndo(&reader)
    case .prepareWithInvocationTarget:
      operation = reader.required("target", Read.identifier)
        .map(UndoOperation.prepareWithInvocationTarget)
    case .disableUndoRegistration: operation = .disableUndoRegistration
    case .enableUndoRegistration: operation = .enableUndoRegistration
    case .removeAllUndoActions:
      operation = .removeAllActions(withTarget: reader.member("target", Read.identifier))
    }
    guard let operation else { return nil }
    self = operation
  }

  private static func registerUndo(_ reader: inout ObjectReader) -> UndoOperation? {
    let target: ResponderID? = reader.required("target", Read.identifier)
    let action = reader.required("action", Read.selector)
    let arguments = reader.list("arguments", Read.any)
    guard let target, let action else { return nil }
    return .registerUndo(target: target, action, arguments: arguments)
  }

  /// The operation as a mutation of the manager that a responder has.
  func json(of responder: ResponderID?) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op.rawValue)
    object["responder"] = responder.map { .string($0.rawValue) }
    switch self {
    case .undo, .redo, .beginUndoGrouping, .endUndoGrouping, .disableUndoRegistration,
      .enableUndoRegistration:
      break
    case .setLevelsOfUndo(let levels): object["levelsOfUndo"] = .int(Int64(levels))
    case .setActionName(let name): object["name"] = .string(name)
    case .registerUndo(let target, let action, let arguments):
      object["target"] = .string(target.rawValue)
      object["action"] = .string(action.rawValue)
      object["arguments"] = arguments.map(JSON.array)
    case .prepareWithInvocationTarget(let target): object["target"] = .string(target.rawValue)
    case .removeAllActions(withTarget: let target):
      object["target"] = target.map { .string($0.rawValue) }
    }
    return .object(object)
  }

  private var op: Op {
    switch self {
    case .undo: .undo
    case .redo: .redo
    case .beginUndoGrouping: .beginUndoGrouping
    case .endUndoGrouping: .endUndoGrouping
    case .setLevelsOfUndo: .setLevelsOfUndo
    case .setActionName: .setUndoActionName
    case .registerUndo: .registerUndo
    case .prepareWithInvocationTarget: .prepareWithInvocationTarget
    case .disableUndoRegistration: .disableUndoRegistration
    case .enableUndoRegistration: .enableUndoRegistration
    case .removeAllActions: .removeAllUndoActions
    }
  }
}
