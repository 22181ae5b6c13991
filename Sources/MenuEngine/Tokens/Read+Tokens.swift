package import JSONText

extension Read {
  /// Reads the label of a token.
  package static func label(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> String? {
    if case .string(let text) = json, Principal(.service, text) != nil { return text }
    return refuse(.label, json, at: pointer, log: log)
  }

  /// Reads a command id or a pattern.
  package static func commandPattern(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> CommandPattern? {
    if case .string(let text) = json, let pattern = CommandPattern(text) { return pattern }
    return refuse(.commandPattern, json, at: pointer, log: log)
  }
}
