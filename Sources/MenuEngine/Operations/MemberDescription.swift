/// A member as documents have it, for those who describe them.
package struct MemberDescription: Sendable {
  package let name: String
  /// The name of the schema of its values.
  package let schema: String
  package let isRequired: Bool
  /// Its meaning, in a sentence; may be empty.
  package let about: String

  package init(_ name: String, _ schema: String, isRequired: Bool = false, about: String = "") {
    self.name = name
    self.schema = schema
    self.isRequired = isRequired
    self.about = about
  }
}

extension Member {
  /// The members that it is in the document of a mutation.
  var descriptionsInMutation: [MemberDescription] {
    guard uses.contains(.mutation) else { return [] }
    return type.spread?.descriptions
      ?? [MemberDescription(name, type.schema, isRequired: fallback == nil, about: about)]
  }

  /// The members that it is in the document of an effect.
  var descriptionsInEffect: [MemberDescription] {
    guard uses.contains(.effect) else { return [] }
    if let spread = type.spread { return spread.descriptions }
    switch type.inEffect {
    case .literal:
      return [MemberDescription(name, type.schema, isRequired: !isOptionalInEffect, about: about)]
    case .rule:
      return [MemberDescription(name, "Rule", isRequired: !isOptionalInEffect, about: about)]
    case .valueOrRule:
      return [
        MemberDescription(name, type.schema, about: about),
        MemberDescription(ruleName, "PlaceRule", about: about),
      ]
    }
  }
}
