package import CEL
package import JSONSchema
public import JSONText

/// One fault in a document that was to describe a command, a menu, a responder or the like.
public struct DocumentFault: Error, Equatable, Sendable {
  /// The place in the document, as a JSON Pointer (RFC 6901).
  public let pointer: JSONPointer
  /// The mistake.
  package let reason: Reason

  /// A fault at a place.
  package init(_ reason: Reason, at pointer: JSONPointer) {
    self.pointer = pointer
    self.reason = reason
  }

  /// The mistakes that a part of a document can have.
  package enum Reason: Equatable, Sendable {
    /// The value is of another kind than the one asked for.
    case expected(Expectation, found: JSON)
    /// A required member is missing, and so are its alternatives.
    case missingMember(String, orElse: [String] = [])
    /// An unknown member, and the known ones.
    case unknownMember(String, known: [String])
    /// Two members that exclude each other.
    case conflictingMembers(String, String)
    /// A member that only responders of other kinds have.
    case memberOfOtherKind(String, kind: ResponderKind, kinds: [ResponderKind])
    /// A member that only segues of other kinds have (V4).
    case memberOfOtherSegue(String, kind: Segue.Kind, kinds: [Segue.Kind])
    /// A second item of a touch bar with the same name, or a second slot, and where the first one stands.
    case repeatedItem(String, other: JSONPointer)
    /// Two alternates for the same modifiers, and where the other one stands (M11).
    case repeatedModifiers(KeyModifiers, other: JSONPointer)
    /// A key command that repeats another one of its list, and where that stands (M1).
    case repeatedKeyCommand(RepeatedKeyCommand, other: JSONPointer)
    /// A rule that does not compile.
    case rule(CompilationFault)
    /// A mistake of a JSON Schema (P1).
    case schema(SchemaFault.Reason)
    /// A JSON Patch that is not one.
    case patch(String)
    /// A declaration that contradicts another one, and where in the document that stands.
    case declaration(DeclarationFault, other: JSONPointer? = nil)
    /// A mutation that cannot be applied.
    case mutation(MutationFault)
  }

  /// The values that would have been accepted.
  package enum Expectation: Hashable, Sendable {
    case object
    case array
    case string
    /// A string of at most so many bytes.
    case stringUpTo(Int)
    case bool
    case integer
    /// An integer in this range.
    case integerFrom(ClosedRange<Int>)
    case identifier
    /// The name of a session.
    case sessionName
    case selector
    case receiver
    case pointer
    case rule
    case boolRule
    case menuElement
    /// The name of a class, or true for that under which the category stands.
    case category
    case keyInput
    case time
    case touchBarItem
    /// A JSON Schema of type `object` (P1).
    case parameterSchema
    case modifiers
    /// One or more systems of menus (M3).
    case systems
    /// One of these words.
    case oneOf([String])
    /// As many arguments as the selector has colons.
    case arguments(of: Selector)
  }
}

extension DocumentFault.Reason {
  /// The place in the same document of the declaration that this one contradicts, if there is one.
  package var other: JSONPointer? {
    switch self {
    case .declaration(_, let other): other
    case .repeatedModifiers(_, let other), .repeatedKeyCommand(_, let other),
      .repeatedItem(_, let other):
      other
    case .expected, .missingMember, .unknownMember, .conflictingMembers, .memberOfOtherKind,
      .memberOfOtherSegue, .rule, .schema, .patch, .mutation:
      nil
    }
  }
}

/// All the faults of a document, in the order in which they were found; never empty.
public struct DocumentFaults: Error, Equatable, Sendable {
  /// The faults.
  public let faults: [DocumentFault]

  /// These faults.
  package init(_ faults: [DocumentFault]) { self.faults = faults }
}

/// The log in which readers collect faults, so that all of them are reported together.
package final class FaultLog {
  /// The faults so far.
  package private(set) var faults: [DocumentFault] = []

  /// The rules that were read so far, each with its place.
  private(set) var rules: [(place: JSONPointer, rule: Rule)] = []

  /// The bounds of rules in the documents that are read.
  package let ruleLimits: ProgramLimits

  /// An empty log.
  package init(ruleLimits: ProgramLimits = ProgramLimits()) { self.ruleLimits = ruleLimits }

  /// Notes one fault.
  package func note(_ reason: DocumentFault.Reason, at pointer: JSONPointer) {
    faults.append(DocumentFault(reason, at: pointer))
  }

  /// Withdraws the fault that a member is missing, since it is there under another name.
  func withdrawMissingMember(_ name: String, at pointer: JSONPointer) {
    faults.removeAll { fault in
      guard case .missingMember(let missing, orElse: _) = fault.reason else { return false }
      return fault.pointer == pointer && missing.hasSameBytes(as: name)
    }
  }

  /// Notes a rule that was read.
  func note(_ rule: Rule, at pointer: JSONPointer) { rules.append((pointer, rule)) }

  /// Reads with a new log, and throws what was noted there.
  ///
  /// `read` answers nil only when it noted a fault.
  package static func collecting<Result>(
    ruleLimits: ProgramLimits = ProgramLimits(), _ read: (FaultLog) -> Result?
  ) throws(DocumentFaults) -> Result {
    let log = FaultLog(ruleLimits: ruleLimits)
    guard let result = read(log), log.faults.isEmpty else { throw DocumentFaults(log.faults) }
    return result
  }
}

extension JSON {
  /// The member by which a file names its JSON Schema, for editors.
  package static let schemaReference = "$schema"

  /// The same value; of an object, without the name of its JSON Schema.
  package var withoutSchemaReference: JSON {
    guard case .object(var object) = self, case .string? = object[Self.schemaReference] else {
      return self
    }
    object[Self.schemaReference] = nil
    return .object(object)
  }
}
