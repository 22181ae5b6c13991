package import CEL
package import JSONSchema
public import JSONText

/// A fault in a document that describes a command, a menu, a responder or the like.
public struct DocumentFault: Error, Equatable, Sendable {
  /// The place in the document, as a JSON Pointer (RFC 6901).
  public let pointer: JSONPointer
  /// The mistake.
  package let reason: Reason

  package init(_ reason: Reason, at pointer: JSONPointer) {
    self.pointer = pointer
    self.reason = reason
  }

  /// The reasons for faults.
  package enum Reason: Equatable, Sendable {
    /// The value is of another kind than expected.
    case expected(Expectation, found: JSON)
    /// A required member is missing, with its alternatives.
    case missingMember(String, orElse: [String] = [])
    /// A member is unknown.
    case unknownMember(String, known: [String])
    /// Two members exclude each other.
    case conflictingMembers(String, String)
    /// A member belongs to responders of other kinds.
    case memberOfOtherKind(String, kind: ResponderKind, kinds: [ResponderKind])
    /// A member belongs to segues of other kinds (V4).
    case memberOfOtherSegue(String, kind: Segue.Kind, kinds: [Segue.Kind])
    /// A touch bar has a second item with the same name, or a second slot; `other` is the first.
    case repeatedItem(String, other: JSONPointer)
    /// Two alternates have the same modifiers (M11).
    case repeatedModifiers(KeyModifiers, other: JSONPointer)
    /// A key command repeats another one of its list (M1).
    case repeatedKeyCommand(RepeatedKeyCommand, other: JSONPointer)
    /// The same language twice, in another case of its tag (M14).
    case repeatedLanguage(String)
    /// Two resources have the same URI, or the same template; `other` is the first.
    case repeatedURI(String, other: JSONPointer)
    /// A prompt has two arguments of this name.
    case repeatedName(String)
    /// A text names an argument that its prompt does not have.
    case unknownArgument(String, known: [String])
    /// A prompt embeds an undeclared resource.
    case unknownResource(String, known: [String])
    /// A variable in the template of an embedded resource is not a required argument of the prompt.
    case unfilledVariable(String, of: String)
    /// A file of the application cannot be read.
    case file(FileFault)
    /// A rule does not compile.
    case rule(CompilationFault)
    /// A JSON Schema is invalid (P1).
    case schema(SchemaFault.Reason)
    /// A JSON Patch is invalid.
    case patch(String)
    /// A declaration conflicts with another one; `other` is its place in the document.
    case declaration(DeclarationFault, other: JSONPointer? = nil)
    /// A mutation cannot be applied.
    case mutation(MutationFault)
  }

  /// The values that would be accepted.
  package enum Expectation: Hashable, Sendable {
    case object
    /// An object with a maximum number of members.
    case objectUpTo(Int)
    /// An object that is not empty.
    case objectWithMembers
    case array
    /// An array with a maximum number of elements.
    case arrayUpTo(Int)
    /// An array with a number of elements in this range.
    case arrayFrom(ClosedRange<Int>)
    case string
    /// A string with a maximum number of bytes.
    case stringUpTo(Int)
    case bool
    case integer
    /// An integer in this range.
    case integerFrom(ClosedRange<Int>)
    /// A number from 0 to 1 (D6).
    case fraction
    case identifier
    /// The tag of a language (M14).
    case locale
    case sessionName
    /// The label of a token (T1).
    case label
    /// A command id, or a pattern with `*` (T1).
    case commandPattern
    case selector
    case receiver
    case pointer
    case rule
    case boolRule
    /// A text, or an object with a rule for one (W1).
    case words
    case menuElement
    /// The name of a class, or true for the name of the category.
    case category
    case keyInput
    /// A stroke, or an array of strokes (K8).
    case strokes
    /// The text of a key in a keymap (K9).
    case keyText
    /// The key of an item from data (M12).
    case itemKey
    case time
    case touchBarItem
    /// The URI of an application's resource.
    case uri
    case uriTemplate
    case mediaType
    case imageType
    /// The path of a file below the folder of an application.
    case filePath
    /// The path of a file whose extension is one of images.
    case imagePath
    /// The name of an argument of a prompt.
    case parameterName
    /// A JSON Schema of type `object` (P1).
    case parameterSchema
    case modifiers
    /// One or more menu systems (M3).
    case systems
    /// One of these words.
    case oneOf([String])
    /// One argument per colon of the selector.
    case arguments(of: Selector)
  }
}

extension DocumentFault.Reason {
  /// The place of the conflicting declaration in the same document, if any.
  package var other: JSONPointer? {
    switch self {
    case .declaration(_, let other): other
    case .repeatedModifiers(_, let other), .repeatedKeyCommand(_, let other),
      .repeatedItem(_, let other), .repeatedURI(_, let other):
      other
    case .expected, .missingMember, .unknownMember, .conflictingMembers, .memberOfOtherKind,
      .memberOfOtherSegue, .repeatedLanguage, .repeatedName, .unknownArgument, .unknownResource,
      .unfilledVariable, .file, .rule, .schema, .patch, .mutation:
      nil
    }
  }
}

/// All the faults of a document, in the order in which they were found; never empty.
public struct DocumentFaults: Error, Equatable, Sendable {
  /// The faults.
  public let faults: [DocumentFault]

  package init(_ faults: [DocumentFault]) { self.faults = faults }
}

extension DocumentFault: CustomStringConvertible {
  /// The place and the reason.
  public var description: String { describe(reason, at: pointer) }
}

extension DocumentFaults: CustomStringConvertible {
  /// The faults, one a line.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// A log of faults, so that all faults of a document are reported together.
package final class FaultLog {
  package private(set) var faults: [DocumentFault] = []

  /// The rules read so far, with their places.
  private(set) var rules: [(place: JSONPointer, rule: Rule)] = []

  /// The limits of rules in the documents.
  package let ruleLimits: ProgramLimits

  /// The maximum number of items from data that a menu in the documents shows (M12).
  package let itemsFromData: Int

  /// The files that the documents name.
  let files: ApplicationFiles

  package init(
    ruleLimits: ProgramLimits = ProgramLimits(), itemsFromData: Int = ItemsFromData.usualLimit,
    files: ApplicationFiles = ApplicationFiles()
  ) {
    (self.ruleLimits, self.itemsFromData, self.files) = (ruleLimits, itemsFromData, files)
  }

  /// Records a fault.
  package func note(_ reason: DocumentFault.Reason, at pointer: JSONPointer) {
    faults.append(DocumentFault(reason, at: pointer))
  }

  /// Removes the fault of a missing member that was read under another name.
  func withdrawMissingMember(_ name: String, at pointer: JSONPointer) {
    faults.removeAll { fault in
      guard case .missingMember(let missing, orElse: _) = fault.reason else { return false }
      return fault.pointer == pointer && missing.hasSameBytes(as: name)
    }
  }

  /// Records a rule.
  func note(_ rule: Rule, at pointer: JSONPointer) { rules.append((pointer, rule)) }

  /// Runs `read` with a log, by default a new one, and throws its faults.
  ///
  /// `read` may return nil only if it recorded a fault.
  package static func collecting<Result>(
    in log: FaultLog = FaultLog(), _ read: (FaultLog) -> Result?
  ) throws(DocumentFaults) -> Result {
    guard let result = read(log), log.faults.isEmpty else { throw DocumentFaults(log.faults) }
    return result
  }
}

extension JSON {
  /// The member that names a file's JSON Schema, for editors.
  package static let schemaReference = "$schema"

  /// The value; for an object, without the name of its JSON Schema.
  package var withoutSchemaReference: JSON {
    guard case .object(var object) = self, case .string? = object[Self.schemaReference] else {
      return self
    }
    object[Self.schemaReference] = nil
    return .object(object)
  }
}
