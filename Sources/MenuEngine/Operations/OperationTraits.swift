/// The traits of an operation besides its members.
struct OperationTraits: OptionSet, Sendable {
  let rawValue: Int

  /// As a mutation it sends something, and who receives that is known only then.
  static let sends = OperationTraits(rawValue: 1)
  /// As an effect it may show or hide view controllers, which are told at once.
  static let changesScreen = OperationTraits(rawValue: 2)
  /// No document describes it.
  static let isInternal = OperationTraits(rawValue: 4)
  /// It merges an object into the properties of a responder.
  static let setsProperties = OperationTraits(rawValue: 16)
  /// As an effect it has all faults, those too that say already what they are of.
  static let hasAllFaults = OperationTraits(rawValue: 8)
}

/// A constraint between members of an operation.
package enum MemberConstraint: Sendable {
  /// One or both are there.
  case atLeastOne(String, String)
  /// One is there, and the other is not.
  case exactlyOne(String, String)
  /// One is there only if the other is.
  case only(String, with: String)
}
