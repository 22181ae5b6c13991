import JSONText

/// Everything that there is to say about one thing that a session can be told or a handler can do.
///
/// Reading and writing it, as a mutation and as an effect whose members are rules, its schemas, its form in
/// journals, and doing it follow from this. Operations stand in the folders of what they are about, in
/// extensions of ``Operations``, and in the list ``Operations/all``.
final class Operation<each Value: Sendable & Equatable>: AnyOperation {
  /// Does what it is for. When it throws, a part of it may be done.
  typealias Action = @Sendable (inout Performer, repeat each Value) throws(MutationFault) -> Void
  /// Does what only a handler can do, in the message that it performs.
  typealias EffectAction =
    @Sendable (inout Performer, EffectScope, inout Invocation, repeat each Value)
    throws(MutationFault) -> Void

  let name: String
  let about: String
  let uses: OperationUses
  let traits: OperationTraits
  let constraints: [MemberConstraint]
  let members: (repeat Member<each Value>)
  let key: StoredKey
  /// Notes faults that members have together.
  let check: (@Sendable (ObjectReader) -> Void)?
  private let action: Action?
  private let effectAction: EffectAction?

  /// An operation that mutations and effects have, unless `uses` says otherwise.
  init(
    _ name: String, about: String, _ members: repeat Member<each Value>,
    uses: OperationUses = .both, traits: OperationTraits = [],
    constraints: [MemberConstraint] = [], check: (@Sendable (ObjectReader) -> Void)? = nil,
    perform action: @escaping Action
  ) {
    self.name = name
    self.about = about
    self.uses = uses
    self.traits = traits
    self.constraints = constraints
    self.members = (repeat each members)
    self.check = check
    self.action = action
    effectAction = nil
    key = StoredKey(name)
  }

  /// An operation that only effects have, since it is about the message that a handler performs.
  init(
    effect name: String, about: String, _ members: repeat Member<each Value>,
    traits: OperationTraits = [], constraints: [MemberConstraint] = [],
    check: (@Sendable (ObjectReader) -> Void)? = nil,
    perform action: @escaping EffectAction
  ) {
    self.name = name
    self.about = about
    uses = .effect
    self.traits = traits
    self.constraints = constraints
    self.members = (repeat each members)
    self.check = check
    self.action = nil
    effectAction = action
    key = StoredKey(name)
  }
}

/// An operation, whatever members it has.
protocol AnyOperation: AnyObject, Sendable {
  var name: String { get }
  var about: String { get }
  var uses: OperationUses { get }
  var traits: OperationTraits { get }
  var constraints: [MemberConstraint] { get }
  /// Its name in journals.
  var key: StoredKey { get }
  /// The members that name responders that are there, and the parts of those.
  var parts: [String: ResponderPart] { get }
  var descriptionsInMutation: [MemberDescription] { get }
  var descriptionsInEffect: [MemberDescription] { get }

  /// Reads its members in a mutation, or nil and the faults.
  func values(_ reader: inout ObjectReader, in catalog: Catalog) -> (any AnyOperationValues)?
  /// Reads its members in an effect, or nil and the faults.
  func terms(_ reader: inout ObjectReader) -> (any AnyOperationTerms)?
  /// Reads what a journal has of a mutation.
  func values(stored: StoredReading) throws -> any AnyOperationValues
  /// Reads what a journal has of an effect.
  func terms(stored: StoredReading) throws -> any AnyOperationTerms
}

extension Operation {
  func values(
    _ reader: inout ObjectReader, in catalog: Catalog
  ) -> (any AnyOperationValues)? {
    let values = (repeat (each members).value(&reader, in: catalog))
    check?(reader)
    do throws(Missing) {
      return OperationValues(self, repeat try (each values).unwrapped())
    } catch {
      return nil
    }
  }

  func terms(_ reader: inout ObjectReader) -> (any AnyOperationTerms)? {
    let terms = (repeat (each members).term(&reader))
    check?(reader)
    do throws(Missing) {
      return OperationTerms(self, repeat try (each terms).unwrapped())
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

  /// Does it for a mutation.
  func perform(
    by performer: inout Performer, _ values: repeat each Value
  ) throws(MutationFault) {
    guard let action else { preconditionFailure("\(name) is no mutation.") }
    try action(&performer, repeat each values)
  }

  /// Does it for an effect; faults of what is not about the message alone are the effect's.
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
      if let answer = performer.takeAnswer() { invocation.setResult(answer) }
    }
    if traits.contains(.changesScreen) { try performer.settleViews() }
  }
}

/// A value is missing, which is noted already.
private struct Missing: Error {}

extension Optional {
  fileprivate func unwrapped() throws(Missing) -> Wrapped {
    guard let self else { throw Missing() }
    return self
  }
}

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
