import JSONText

/// All operations.
///
/// Seven names have two declarations, a mutation and an effect: `perform`, `pressKey`, `invoke`,
/// `performSegue`, `unwind`, `message` and `instantiate`. The mutation is one request: routes read it too, its
/// members are checked together, and journals store it as one value. The effect has a rule for each member,
/// belongs to the message that the handler performs (its time, sender and answer), and has other members (a
/// class, a short receiver).
enum Operations {
  /// The operations in the order of the documentation.
  static let all: [any AnyOperation] =
    ofState + ofResponders + ofRegistrations + ofLateResponders + ofKeys + ofKeymaps + ofLocales
    + ofFocus
    + ofViewControllers + ofCoordinators + ofUndo + ofStoryboards + ofMessages + ofRequests
    + ofDeliveries + ofTokens

  static let mutations = Index(all.filter { $0.uses.contains(.mutation) })

  static let effects = Index(all.filter { $0.uses.contains(.effect) })

  /// The shared labels, for mutations not counted under their own names.
  private static let sharedLabels: [(label: String, operations: [any AnyOperation])] = [
    ("viewController", ofViewControllers), ("coordinator", ofCoordinators), ("undo", ofUndo),
    ("storyboard", ofStoryboards), ("messages", ofMessages),
    ("makeWindow", [makeKeyWindow, makeMainWindow, makeModalWindow]),
    ("register", [registerHandler]), ("registerLate", [registerLateResponder]),
    ("deregisterLate", [deregisterLateResponder]), ("tokens", ofTokens),
  ]

  private static func label(of operation: any AnyOperation) -> String {
    sharedLabels.first { $0.operations.contains { $0 === operation } }?.label ?? operation.name
  }

  /// The labels of mutations, without duplicates.
  static let labels: [String] = mutations.operations.map(label).reduce(into: []) {
    labels, label in
    if !labels.contains(label) { labels.append(label) }
  }

  /// The index of the label of each mutation.
  static let labelIndexes: [ObjectIdentifier: Int] = {
    let positions = Dictionary(uniqueKeysWithValues: zip(labels, labels.indices))
    return Dictionary(
      uniqueKeysWithValues: mutations.operations.map {
        (ObjectIdentifier($0), positions[label(of: $0)] ?? 0)
      })
  }()
}

extension Operations {
  /// Operations by name.
  struct Index: Sendable {
    let operations: [any AnyOperation]
    let words: [String]
    private let byName: [String: any AnyOperation]

    init(_ operations: [any AnyOperation]) {
      self.operations = operations
      words = operations.filter { !$0.traits.contains(.isInternal) }.map(\.name)
      byName = Dictionary(uniqueKeysWithValues: operations.map { ($0.name, $0) })
    }

    /// The operation of a name; nil for internal ones.
    subscript(word: String) -> (any AnyOperation)? {
      byName[word].flatMap { $0.traits.contains(.isInternal) ? nil : $0 }
    }

    /// Reads the name of an operation.
    func operation(
      _ json: JSON, at pointer: JSONPointer, log: FaultLog
    ) -> (any AnyOperation)? {
      if case .string(let word) = json, let operation = self[word],
        operation.name.hasSameBytes(as: word)
      {
        return operation
      }
      return Read.refuse(.oneOf(words), json, at: pointer, log: log)
    }

    /// Finds the operation in a journal record.
    ///
    /// - Throws: `DecodingError` if there is none.
    func operation(storedIn root: StoredReading) throws -> (any AnyOperation, StoredReading) {
      let keys = root.allKeys
      guard keys.count == 1, let operation = byName[keys[0].stringValue] else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: root.codingPath, debugDescription: "there is no such operation"))
      }
      return (operation, try root.nestedContainer(keyedBy: StoredKey.self, forKey: keys[0]))
    }
  }
}

/// A description of an operation, for schemas and documentation.
package struct OperationDescription: Sendable {
  package let op: String
  /// The right that it needs as a mutation (T3).
  package let right: Right
  /// The description, one sentence.
  package let about: String
  package let members: [MemberDescription]
  package let constraints: [MemberConstraint]

  package static let mutations = Operations.mutations.operations
    .filter { !$0.traits.contains(.isInternal) }
    .map { OperationDescription($0, $0.descriptionsInMutation) }

  package static let effects = Operations.effects.operations
    .filter { !$0.traits.contains(.isInternal) }
    .map { OperationDescription($0, $0.descriptionsInEffect) }

  private init(_ operation: any AnyOperation, _ members: [MemberDescription]) {
    op = operation.name
    right = operation.right
    about = operation.about
    self.members = members
    constraints = operation.constraints.filter { $0.names.isSubset(of: members.map(\.name)) }
  }
}

extension MemberConstraint {
  fileprivate var names: Set<String> {
    switch self {
    case .atLeastOne(let one, let other), .exactlyOne(let one, let other),
      .atMostOne(let one, let other), .only(let one, with: let other):
      [one, other]
    }
  }
}
