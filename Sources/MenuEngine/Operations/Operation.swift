import JSONText

/// The complete definition of one operation, as a mutation, an effect or both.
///
/// Its documents, its schemas, its journal form and its execution are derived from this. Operations are
/// declared in the folder of their subject, in extensions of ``Operations``, and are listed in
/// ``Operations/all``.
final class Operation<each Value: Sendable & Equatable>: AnyOperation {
  /// Performs the operation; it may be partly done after an error.
  typealias Action = @Sendable (inout Performer, repeat each Value) throws(MutationFault) -> Void
  /// Performs an operation on the message that a handler performs.
  typealias EffectAction =
    @Sendable (inout Performer, EffectScope, inout Invocation, repeat each Value)
    throws(MutationFault) -> Void

  let name: String
  let about: String
  let right: Right
  let uses: OperationUses
  let traits: OperationTraits
  let constraints: [MemberConstraint]
  let members: (repeat Member<each Value>)
  let isDated: Bool
  let key: StoredKey
  /// Records faults of members in combination.
  let check: (@Sendable (ObjectReader) -> Void)?
  private let action: Action?
  private let effectAction: EffectAction?

  /// Creates an operation for mutations and effects, or as `uses` says. As a mutation it requires a right (T3).
  init(
    _ name: String, needs right: Right, about: String, _ members: repeat Member<each Value>,
    uses: OperationUses = .both, traits: OperationTraits = [],
    constraints: [MemberConstraint] = [], check: (@Sendable (ObjectReader) -> Void)? = nil,
    perform action: @escaping Action
  ) {
    self.name = name
    self.about = about
    self.right = right
    self.uses = uses
    self.traits = traits
    self.constraints = constraints
    self.members = (repeat each members)
    var isDated = false
    for member in repeat each members { isDated = isDated || member.type.dated != nil }
    self.isDated = isDated
    self.check = check
    self.action = action
    effectAction = nil
    key = StoredKey(name)
  }

  /// Creates an operation for effects only, on the message that a handler performs.
  init(
    effect name: String, about: String, _ members: repeat Member<each Value>,
    traits: OperationTraits = [], constraints: [MemberConstraint] = [],
    check: (@Sendable (ObjectReader) -> Void)? = nil,
    perform action: @escaping EffectAction
  ) {
    self.name = name
    self.about = about
    // Effects run with the rights of the session, not those of the sender.
    right = .declare
    uses = .effect
    self.traits = traits
    self.constraints = constraints
    self.members = (repeat each members)
    isDated = false
    self.check = check
    self.action = nil
    effectAction = action
    key = StoredKey(name)
  }
}

/// An operation with any members.
protocol AnyOperation: AnyObject, Sendable {
  var name: String { get }
  var about: String { get }
  /// The right that a client needs for it as a mutation (T3).
  var right: Right { get }
  var uses: OperationUses { get }
  var traits: OperationTraits { get }
  var constraints: [MemberConstraint] { get }
  /// True if its values may have messages without a time.
  var isDated: Bool { get }
  /// Its name in journals.
  var key: StoredKey { get }
  /// The members that name existing responders, with their roles.
  var parts: [String: ResponderPart] { get }
  var descriptionsInMutation: [MemberDescription] { get }
  var descriptionsInEffect: [MemberDescription] { get }

  /// Reads its members in a mutation; nil with faults in the log.
  func values(_ reader: inout ObjectReader, in catalog: Catalog) -> (any AnyOperationValues)?
  /// Reads its members in an effect; nil with faults in the log.
  func terms(_ reader: inout ObjectReader) -> (any AnyOperationTerms)?
  /// Decodes a mutation.
  func values(stored: StoredReading) throws -> any AnyOperationValues
  /// Decodes an effect.
  func terms(stored: StoredReading) throws -> any AnyOperationTerms
}

extension Operation {
  func values(
    _ reader: inout ObjectReader, in catalog: Catalog
  ) -> (any AnyOperationValues)? {
    do throws(MissingValue) {
      let values = OperationValues(self, repeat try (each members).value(&reader, catalog))
      check?(reader)
      return values
    } catch {
      // Later members may have faults too.
      var isBehind = false
      for member in repeat each members {
        if isBehind { _ = member.read(&reader, in: catalog) }
        isBehind = isBehind || member.name == error.member
      }
      check?(reader)
      return nil
    }
  }

  func terms(_ reader: inout ObjectReader) -> (any AnyOperationTerms)? {
    let terms = (repeat (each members).term(&reader))
    check?(reader)
    do throws(MissingValue) {
      return OperationTerms(self, repeat try (each terms).unwrapped(of: (each members).name))
    } catch {
      return nil
    }
  }

  func values(stored: StoredReading) throws -> any AnyOperationValues {
    OperationValues(self, repeat try (each members).storedValue(stored))
  }

  func terms(stored: StoredReading) throws -> any AnyOperationTerms {
    OperationTerms(self, repeat try (each members).storedTerm(stored))
  }

  var parts: [String: ResponderPart] {
    var parts: [String: ResponderPart] = [:]
    for member in repeat each members { parts[member.name] = member.type.part }
    return parts
  }

  var descriptionsInMutation: [MemberDescription] {
    var descriptions: [MemberDescription] = []
    for member in repeat each members { descriptions += member.descriptionsInMutation }
    return descriptions
  }

  var descriptionsInEffect: [MemberDescription] {
    var descriptions: [MemberDescription] = []
    for member in repeat each members { descriptions += member.descriptionsInEffect }
    return descriptions
  }

  /// Performs it as a mutation.
  func perform(
    by performer: inout Performer, _ values: repeat each Value
  ) throws(MutationFault) {
    guard let action else { preconditionFailure("\(name) is no mutation.") }
    try action(&performer, repeat each values)
  }

  /// Performs it as an effect; faults are attributed to the effect unless they are about the message alone.
  func perform(
    by performer: inout Performer, in scope: EffectScope, _ invocation: inout Invocation,
    _ values: repeat each Value
  ) throws(MutationFault) {
    if let effectAction {
      try effectAction(&performer, scope, &invocation, repeat each values)
    } else if let action {
      do throws(MutationFault) {
        try action(&performer, repeat each values)
      } catch {
        let isOfAnother = error.isOfEffect && !traits.contains(.hasAllFaults)
        throw isOfAnother ? error : scope.attributed(error)
      }
      if let answer = performer.takeAnswer() { invocation.result = answer }
    }
    if traits.contains(.changesScreen) { try performer.settleViews() }
  }
}

/// The traits of an operation, besides its members.
struct OperationTraits: OptionSet, Sendable {
  let rawValue: Int

  /// The mutation sends a message to a receiver that is not known in advance.
  static let sends = OperationTraits(rawValue: 1)
  /// The effect may show or hide view controllers, which are notified at once.
  static let changesScreen = OperationTraits(rawValue: 2)
  /// The operation has no document.
  static let isInternal = OperationTraits(rawValue: 4)
  /// The operation merges an object into the properties of a responder.
  static let setsProperties = OperationTraits(rawValue: 16)
  /// All faults are attributed to the effect, even those that are already attributed.
  static let hasAllFaults = OperationTraits(rawValue: 8)
  /// The operation changes tokens, which no document shows; nevertheless it creates a revision.
  static let changesTokens = OperationTraits(rawValue: 32)
  /// The operation reports the progress of a claim (D6), which histories do not record (T5).
  static let isProgress = OperationTraits(rawValue: 64)
}

/// A constraint between members of an operation.
package enum MemberConstraint: Sendable {
  /// At least one is required.
  case atLeastOne(String, String)
  /// Exactly one is required.
  case exactlyOne(String, String)
  /// Both together are refused.
  case atMostOne(String, String)
  /// The first is allowed only with the other.
  case only(String, with: String)
}
