import JSONText
import MenuEngine

/// The schemas of requests and answers: those in JSON files, those of operations, and the words of
/// enumerations.
enum Schemas {
  /// Returns all schemas as the document has them, or with the meaning of each member of an operation.
  static func named(
    in files: OpenAPIFiles, describingMembers: Bool = false
  ) -> [(name: String, schema: JSON)] {
    files.schemas.map { ($0.name, completed($0.value, called: $0.name)) }
      + ofOperations(describingMembers: describingMembers)
  }

  /// The schema with what follows from its type in the program.
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

  /// The words of the schemas that are enumerations in the program.
  static let enumerations: [String: [String]] = [
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

  /// A reference to a schema, and its meaning in this place unless that is empty.
  static func reference(to name: String, about: String = "") -> JSON {
    let reference = JSON.string("#/components/schemas/\(name)")
    return about.isEmpty ? ["$ref": reference] : ["$ref": reference, "description": .string(about)]
  }
}
