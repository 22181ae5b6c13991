import JSONSchema
import JSONText

extension Read {
  /// A JSON Schema of type `object`, for the parameters of a command (P1).
  static func parameterSchema(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Schema? {
    guard case .object(let object) = json, object["type"] == .string("object") else {
      log.note(.expected(.parameterSchema, found: json), at: pointer)
      return nil
    }
    do throws(SchemaFaults) {
      return try Schema(json)
    } catch {
      for fault in error.faults {
        log.note(.schema(fault.reason), at: JSONPointer(pointer.tokens + fault.pointer.tokens))
      }
      return nil
    }
  }
}

extension Performer {
  /// Refuses parameters that do not meet the schema of their command (P2); absent ones are an empty object.
  ///
  /// A command without a schema takes none, and neither does an action that is sent without a command.
  func check(_ parameters: JSONObject?, of command: Command?) throws(MutationFault) {
    let parameters = parameters ?? JSONObject()
    guard let schema = command?.parameters else {
      if parameters.isEmpty { return }
      throw .noParameters(command?.id)
    }
    let faults = schema.faults(of: .object(parameters), effort)
    if let command, !faults.isEmpty { throw .invalidParameters(command.id, faults) }
  }
}

extension Command {
  /// True if it cannot be performed without parameters (M2).
  public var needsParameters: Bool { parameters.map { !$0.isMetByEmptyObject } ?? false }

  /// True if it can be performed by a key or from a menu, where nobody gives parameters.
  func meetsItsSchemaWithoutParameters(_ effort: Effort) -> Bool {
    parameters.map { $0.faults(of: .object(JSONObject()), effort).isEmpty } ?? true
  }
}

extension Schema {
  /// The faults of a value; what finding them takes is spent.
  fileprivate func faults(of value: JSON, _ effort: Effort) -> ValueFault.List {
    var steps = 0
    defer { effort.spend(steps) }
    return faults(of: value, addingStepsTo: &steps)
  }
}
