public import JSONText

extension DelegateProtocol {
  /// The protocol that a document describes under a name, or nil and the faults:
  /// `{"required": ["pickerDidCancel:"], "optional": ["picker:didPick:"]}`.
  public init?(
    _ name: ProtocolName, reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    self.name = name
    required = reader.list("required", Read.selector) ?? []
    optional = reader.list("optional", Read.selector) ?? []
    reader.finish()
    noteRepeated(at: pointer, log)
  }

  /// The protocol as a document, without its name.
  public var json: JSON {
    var object = JSONObject()
    object["required"] = .array(required.map { .string($0.rawValue) })
    object["optional"] = .array(optional.map { .string($0.rawValue) })
    return .object(object)
  }

  /// Notes messages that it has twice, be it once as required and once as optional.
  private func noteRepeated(at pointer: JSONPointer, _ log: FaultLog) {
    var met: [Selector: JSONPointer] = [:]
    for (member, messages) in [("required", required), ("optional", optional)] {
      for (index, message) in messages.enumerated() {
        let place = pointer.appending(member).appending(index)
        guard let other = met.updateValue(place, forKey: message) else { continue }
        log.note(.declaration(.repeatedMessage(name, message), other: other), at: place)
      }
    }
  }
}
