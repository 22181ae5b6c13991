import JSONText

extension JSON {
  /// Returns the member of that name; nil if there is none, or if this is not an object.
  func member(_ name: String) -> JSON? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  /// Returns a member that is a string; nil for any other.
  func text(_ name: String) -> String? {
    if case .string(let text)? = member(name) { text } else { nil }
  }

  /// Returns the elements of a member; empty if it is not an array.
  func list(_ name: String) -> [JSON] {
    if case .array(let elements)? = member(name) { elements } else { [] }
  }

  /// The faults of a problem document: its errors, or itself as the only one.
  var faults: [JSON] {
    let errors = list("errors")
    return errors.isEmpty ? [self] : errors
  }

  /// Returns the strings among the elements of a member.
  func texts(_ name: String) -> [String] {
    list(name).compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  func int(_ name: String) -> Int64? { if case .int(let int)? = member(name) { int } else { nil } }

  /// Returns true if the member is `true`.
  func isTrue(_ name: String) -> Bool { member(name) == .bool(true) }
}
