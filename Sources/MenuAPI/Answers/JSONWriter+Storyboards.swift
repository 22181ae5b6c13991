import JSONText
import MenuEngine

extension JSONWriter {
  /// Writes the members that say what became of a segue (V3, V6).
  mutating func members(_ outcome: SegueOutcome) {
    member("performed", outcome.reason == .performed)
    member("reason", outcome.reason.rawValue)
    optionalMember("identifier", outcome.identifier?.rawValue)
    member("kind", outcome.kind.rawValue)
    member("source", outcome.source.rawValue)
    member("destination", outcome.destination)
    if outcome.isDestinationGone { member("destinationGone", true) }
    guard !outcome.path.isEmpty else { return }
    member("path")
    beginArray()
    for step in outcome.path { value(step) }
    endArray()
  }

  private mutating func value(_ step: UnwindStep) {
    beginObject()
    switch step {
    case .dismiss(let id, by: let presenter):
      members("dismiss", id, by: presenter)
    case .pop(to: let id, in: let container): members("pop", id, by: container)
    case .select(let id, in: let container): members("select", id, by: container)
    }
    endObject()
  }

  private mutating func members(_ step: String, _ id: ResponderID, by other: ResponderID) {
    member("step", step)
    member("viewController", id.rawValue)
    member("by", other.rawValue)
  }

  /// Writes the members that say what a step of a launch did (V1).
  mutating func members(_ step: LaunchStep) {
    member("step", step.kind.number)
    member("name", step.kind.rawValue)
    optionalMember("responder", step.responder?.rawValue)
    member("done", step.isDone)
    member("says", step.sentence)
  }

  /// Writes the member with the steps of a launch.
  mutating func member(_ name: String, _ steps: [LaunchStep]) {
    member(name)
    beginArray()
    for step in steps {
      beginObject()
      members(step)
      endObject()
    }
    endArray()
  }

  /// Writes the member with what is odd in storyboards (V10).
  mutating func member(_ name: String, _ warnings: [LintWarning]) {
    member(name)
    beginArray()
    for warning in warnings {
      beginObject()
      member("rule", warning.finding.rule.rawValue)
      member("part", warning.part.rawValue)
      member("pointer", warning.place.description)
      member("says", warning.sentence)
      endObject()
    }
    endArray()
  }
}
