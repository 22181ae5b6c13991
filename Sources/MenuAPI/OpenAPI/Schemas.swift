import JSONText
import MenuEngine

/// The schemas of requests and answers: those in JSON files, those of operations, and enumerations.
enum Schemas {
  /// Returns all schemas of the document, optionally with a description of each member of an operation.
  static func named(
    in files: OpenAPIFiles, describingMembers: Bool = false
  ) -> [(name: String, schema: JSON)] {
    files.schemas.map { ($0.name, completed($0.value, called: $0.name)) }
      + ofOperations(describingMembers: describingMembers)
  }

  /// Returns a schema with the parts derived from its Swift type.
  private static func completed(_ schema: JSON, called name: String) -> JSON {
    guard case .object(var object) = schema else { return schema }
    if let words = enumerations[name] { object["enum"] = .array(words.map(JSON.string)) }
    if name == "Holdings" {
      object["required"] = .array(Holding.allCases.map { .string($0.rawValue) })
      object["properties"] = .object(
        Holding.allCases.reduce(into: [:]) { $0[$1.rawValue] = ["type": "integer"] })
    }
    return .object(object)
  }

  /// The words of the schemas that are enumerations in Swift.
  static let enumerations: [String: [String]] = [
    "AgentConsent": words(AgentConsent.self),
    "Attribute": words(CommandAttributes.Name.self),
    "CoordinatingKind": words(Coordinating.Kind.self),
    "MessageReason": words(MessageOutcome.Reason.self),
    "DeliveryState": words(Delivery.State.self),
    "DiagnosticsCoordinatingDeadItemReason": words(DeadCoordinator.Reason.self),
    "Forwarding": words(MenuCoordinator.Forwarding.self),
    "LifecycleStage": words(LifecycleStage.self),
    "MenuOption": words(MenuOptions.Name.self),
    "MenuSystem": words(MenuKind.self),
    "MessageDestination": words(MessageRequest.Destination.self),
    "MethodBuiltIn": words(BuiltInMethod.self),
    "Modifier": words(KeyModifiers.Name.self),
    "KeyPlatform": words(KeyPlatform.self),
    "NotReadyReasonReason": words(UnreadyReason.self),
    "Presenter": words(Presenter.self),
    "ProblemType": ProblemType.allCases.map(\.uri),
    "Reason": words(ValidationReason.self),
    "ResponderKind": words(ResponderKind.self),
    "Search": words(ResponderSearch.self),
    "SearchedChain": words(TargetRequest.SearchedChain.self),
    "SegueKind": words(Segue.Kind.self),
    "SegueReason": words(SegueOutcome.Reason.self),
    "SegueTrigger": words(SegueRequest.Trigger.self),
    "SessionEventName": words(SessionEvent.Kind.self),
    "ShadowedKeyWhy": words(KeyConflict.Reason.self),
    "State": words(CommandState.self),
    "ValidationRequestKind": words(MenuKind.self),
    "WarningRule": words(LintWarning.Rule.self),
  ]

  private static func words<Word: RawRepresentable<String> & CaseIterable>(
    _ type: Word.Type
  ) -> [String] {
    type.allCases.map(\.rawValue)
  }

  /// Returns a reference to a schema, with a description unless that is empty.
  static func reference(to name: String, about: String = "") -> JSON {
    let reference = JSON.string("#/components/schemas/\(name)")
    return about.isEmpty ? ["$ref": reference] : ["$ref": reference, "description": .string(about)]
  }
}

/// The schemas of mutations and effects, derived from the tables of operations.
extension Schemas {
  /// Returns a schema for each mutation and each effect, and the unions of them.
  ///
  /// - Parameter describingMembers: True if each member has a description, for editors.
  static func ofOperations(describingMembers: Bool) -> [(name: String, schema: JSON)] {
    [
      ("Mutation", union(of: OperationDescription.mutations, called: "Mutation")),
      ("Effect", union(of: OperationDescription.effects, called: "Effect")),
    ]
      + OperationDescription.mutations.map {
        ($0.name(as: "Mutation"), $0.schema(describingMembers: describingMembers))
      }
      + OperationDescription.effects.map {
        (
          $0.name(as: "Effect"),
          $0.schema(besides: [Self.condition, Self.undo], describingMembers: describingMembers)
        )
      }
  }

  /// The member that every effect has.
  private static let condition = MemberDescription(
    "when", "BoolRule", about: "Decides if the effect happens. The default is true.")

  private static let undo = MemberDescription(
    "undo", "Undoable", about: "False if what the effect changes cannot be undone (U5).")

  /// Returns the union of several operations, discriminated by `op`.
  private static func union(
    of operations: [OperationDescription], called suffix: String
  ) -> JSON {
    let mapping = operations.reduce(into: JSONObject()) { mapping, operation in
      mapping[operation.op] = .string("#/components/schemas/\(operation.name(as: suffix))")
    }
    return [
      "oneOf": .array(operations.map { reference(to: $0.name(as: suffix)) }),
      "discriminator": ["propertyName": "op", "mapping": .object(mapping)],
    ]
  }

  /// Returns the schema of an object with these members.
  static func having(_ members: String...) -> JSON {
    ["required": .array(members.map(JSON.string))]
  }
}

extension OperationDescription {
  fileprivate func name(as suffix: String) -> String {
    op.prefix(1).uppercased() + op.dropFirst() + suffix
  }

  fileprivate func schema(
    besides others: [MemberDescription] = [], describingMembers: Bool
  ) -> JSON {
    let required = members.filter(\.isRequired)
    let sorted = required + members.filter { !$0.isRequired }
    var properties: JSONObject = ["op": ["const": .string(op)]]
    for member in sorted + others {
      let about = describingMembers ? member.about : ""
      properties[member.name] = Schemas.reference(to: member.schema, about: about)
    }
    var schema: JSONObject = [
      "type": "object", "description": .string(about), "additionalProperties": false,
      "required": .array((["op"] + required.map(\.name)).map(JSON.string)),
    ]
    for keyword in rules { schema[keyword.name] = keyword.value }
    schema["properties"] = .object(properties)
    return .object(schema)
  }

  /// The keywords of its constraints. Client generators ignore these, whereas they take a `oneOf` or `allOf`
  /// beside `properties` for several schemas.
  private var rules: [(name: String, value: JSON)] {
    var (exclusive, together): ([(String, String)], [(String, String)]) = ([], [])
    var dependent = JSONObject()
    for constraint in constraints {
      switch constraint {
      case .exactlyOne(let one, let other): exclusive.append((one, other))
      case .atMostOne(let one, let other): together.append((one, other))
      case .only(let one, with: let other): dependent[one] = [.string(other)]
      case .atLeastOne: continue
      }
    }
    let least = constraints.flatMap { constraint -> [(name: String, value: JSON)] in
      if case .atLeastOne(let one, let other) = constraint {
        Self.atLeastOne(of: one, other)
      } else {
        []
      }
    }
    return Self.exactlyOne(ofEach: exclusive, atMostOneOf: together) + least
      + (dependent.isEmpty ? [] : [("dependentRequired", .object(dependent))])
  }

  private static func atLeastOne(of one: String, _ other: String) -> [(name: String, value: JSON)] {
    [("if", ["not": Schemas.having(one)]), ("then", Schemas.having(other))]
  }

  /// Returns the keywords for an object with exactly one member of each pair, and not both of some others.
  private static func exactlyOne(
    ofEach pairs: [(String, String)], atMostOneOf others: [(String, String)]
  ) -> [(name: String, value: JSON)] {
    if pairs.isEmpty, others.isEmpty { return [] }
    let both = (pairs + others).map { Schemas.having($0.0, $0.1) }
    if pairs.count == 1 {
      return [("not", both.count == 1 ? both[0] : ["anyOf": .array(both)])]
        + atLeastOne(of: pairs[0].0, pairs[0].1)
    }
    let neither = pairs.map { pair -> JSON in
      ["not": ["anyOf": [Schemas.having(pair.0), Schemas.having(pair.1)]]]
    }
    return [("not", ["anyOf": .array(both + neither)])]
  }
}
