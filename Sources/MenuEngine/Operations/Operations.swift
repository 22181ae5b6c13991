import JSONText

/// All operations.
///
/// Seven words stand in two tables, one for the mutation and one for the effect: `perform`,
/// `pressKey`, `invoke`, `performSegue`, `unwind`, `message` and `instantiate`. The mutation is one
/// request: routes read it too, its members are checked together, and journals store it as one
/// value. The effect has a rule for each member, belongs to the message that the handler performs
/// (its time, its sender, its answer), and has other members (a class, a short receiver). Only the
/// word is the same.
enum Operations {
  /// In the order in which documents tell of their words.
  static let all: [any AnyOperation] =
    ofState + ofResponders + ofRegistrations + ofLateResponders + ofKeys + ofFocus
    + ofViewControllers + ofCoordinators + ofUndo + ofStoryboards + ofMessages + ofRequests
    + ofDeliveries

  /// Those that mutations tell.
  static let mutations = Index(all.filter { $0.uses.contains(.mutation) }, \.storedMutations)

  /// Those that handlers do.
  static let effects = Index(all.filter { $0.uses.contains(.effect) }, \.storedEffects)

  /// The labels that mutations are counted under, each once.
  static let labels: [String] = mutations.operations.map(\.label).reduce(into: []) {
    labels, label in
    if !labels.contains(label) { labels.append(label) }
  }

  /// The position of the label of each mutation.
  static let labelIndexes: [ObjectIdentifier: Int] = {
    let positions = Dictionary(uniqueKeysWithValues: zip(labels, labels.indices))
    return Dictionary(
      uniqueKeysWithValues: mutations.operations.map {
        (ObjectIdentifier($0), positions[$0.label] ?? 0)
      })
  }()
}

extension Operations {
  /// Operations by their words, and by where journals have them.
  struct Index: Sendable {
    let operations: [any AnyOperation]
    let words: [String]
    private let byWord: [String: any AnyOperation]
    private let byPath: [[String]: [(operation: any AnyOperation, form: StoredForm)]]

    init(_ operations: [any AnyOperation], _ forms: (any AnyOperation) -> [StoredForm]) {
      self.operations = operations
      words = operations.filter { !$0.traits.contains(.isInternal) }.map(\.name)
      byWord = Dictionary(
        uniqueKeysWithValues: operations.filter { !$0.traits.contains(.isInternal) }
          .map { ($0.name, $0) })
      byPath = Dictionary(
        grouping: operations.flatMap { operation in
          forms(operation).map { (operation: operation, form: $0) }
        }, by: { $0.form.path.map(\.stringValue) })
    }

    /// The operation that a word names.
    subscript(word: String) -> (any AnyOperation)? { byWord[word] }

    /// Reads the operation that a word names.
    func operation(
      _ json: JSON, at pointer: JSONPointer, log: FaultLog
    ) -> (any AnyOperation)? {
      if case .string(let word) = json, let operation = byWord[word],
        operation.name.hasSameBytes(as: word)
      {
        return operation
      }
      return Read.refuse(.oneOf(words), json, at: pointer, log: log)
    }

    /// Finds the operation that is stored.
    ///
    /// - Throws: `DecodingError` when there is none.
    func operation(
      storedIn root: StoredReading
    ) throws -> (any AnyOperation, StoredForm, StoredValues) {
      let values = try StoredValues(root) { byPath[$0.map(\.stringValue)] != nil }
      for (operation, form) in byPath[values.path.map(\.stringValue)] ?? [] where values.has(form) {
        return (operation, form, values)
      }
      throw DecodingError.dataCorrupted(
        .init(codingPath: root.codingPath, debugDescription: "there is no such operation"))
    }
  }
}

/// An operation as documents have it, for those who describe them.
package struct OperationDescription: Sendable {
  /// Its word.
  package let op: String
  /// The meaning, in a sentence.
  package let about: String
  package let members: [MemberDescription]
  package let constraints: [MemberConstraint]

  /// The mutations.
  package static let mutations = Operations.mutations.operations.map {
    OperationDescription($0, $0.descriptionsInMutation)
  }

  /// The effects.
  package static let effects = Operations.effects.operations
    .filter { !$0.traits.contains(.isInternal) }
    .map { OperationDescription($0, $0.descriptionsInEffect) }

  private init(_ operation: any AnyOperation, _ members: [MemberDescription]) {
    op = operation.name
    about = operation.about
    self.members = members
    constraints = operation.constraints.filter { $0.names.isSubset(of: members.map(\.name)) }
  }
}

extension MemberConstraint {
  fileprivate var names: Set<String> {
    switch self {
    case .atLeastOne(let one, let other), .exactlyOne(let one, let other),
      .only(let one, with: let other):
      [one, other]
    }
  }
}
