import JSONText

extension JSON {
  /// The member of that name; nil if there is none, or this is no object.
  func member(_ name: String) -> JSON? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  /// The text that a member is.
  func text(_ name: String) -> String? {
    if case .string(let text)? = member(name) { text } else { nil }
  }

  /// The elements of a member; none if it is no array.
  func list(_ name: String) -> [JSON] {
    if case .array(let elements)? = member(name) { elements } else { [] }
  }

  /// The faults of a problem document: its errors, or itself as the only one.
  var faults: [JSON] {
    let errors = list("errors")
    return errors.isEmpty ? [self] : errors
  }

  /// The texts among the elements of a member.
  func texts(_ name: String) -> [String] {
    list(name).compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  func int(_ name: String) -> Int64? { if case .int(let int)? = member(name) { int } else { nil } }

  /// True if the member is true.
  func isTrue(_ name: String) -> Bool { member(name) == .bool(true) }
}
