import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The storyboards (V2).
enum StoryboardRoutes {
  static let all = [
    Route(
      .get, at: "/storyboards", needing: .read, id: "listStoryboards",
      "All storyboards, in the order of their declaration.",
      answers: .tagged("Storyboards", "The storyboards."), answeredBy: list),
    Route(
      .get, at: "/storyboards/warnings", needing: .read, id: "getStoryboardWarnings",
      "Warnings about storyboards that work, but tie view controllers to one another that should not know of each other.",
      answers: .tagged("Warnings", "The warnings."), answeredBy: warnings),
    Route(
      .get, at: "/storyboards/{storyboard}", needing: .read, id: "getStoryboard",
      "A storyboard as it is declared.", answers: .tagged("Storyboard", "The storyboard."),
      problems: [.unknownStoryboard], answeredBy: declared.get),
    Route(
      .put, at: "/storyboards/{storyboard}", needing: .administrator, id: "declareStoryboard",
      "Declares a storyboard; the same declaration again changes nothing.",
      parameters: ["storyboard": "Help"],
      body: .json(
        "Storyboard",
        #"{"initialViewController":"topics","scenes":{"topics":{"segues":[{"identifier":"ShowTopic","kind":"show","destination":"topic"}]},"topic":{"properties":{"text":null}}}}"#
      ),
      answers: [
        .created("Storyboard", "It is new.", headers: ["Location", "ETag"]),
        .ok("Storyboard", "It was declared so already.", headers: ["ETag"]),
      ],
      problems: [.invalidName, .unresolvedReference, .duplicateDeclaration], answeredBy: put),
    Route(
      .delete, at: "/storyboards/{storyboard}", needing: .administrator, id: "removeStoryboard",
      "Removes a storyboard; view controllers that were made from it stay, without segues.",
      parameters: ["storyboard": "Help"], answers: [.noContent("It is gone.")],
      problems: [.unknownStoryboard], answeredBy: declared.delete),
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let catalog = call.catalog
    return call.answer(about: catalog, "storyboards") { writer in
      writer.member("storyboards")
      writer.beginObject()
      for storyboard in catalog.storyboards {
        writer.member(storyboard.name.rawValue, storyboard.json)
      }
      writer.endObject()
    }
  }

  private static func warnings(_ call: Call) throws(Problem) -> Response {
    let catalog = call.catalog
    return call.answer(about: catalog, "warnings") { writer in
      writer.member("warnings", catalog.lint)
    }
  }

  private static func put(_ call: Call) throws(Problem) -> Response {
    let name: StoryboardName = try call.name(0)
    let json = try call.json()
    return try call.changeCatalog(.storyboards, declared.part(name)) { (catalog) throws(Problem) in
      .declareStoryboard(try storyboard(name, reading: json, under: catalog, call))
    } refusal: { error, catalog in
      Problem(error.fault, at: .root).with(existing: catalog.storyboard(name)?.json)
    } answer: { outcome, catalog in
      call.answer(
        outcome, at: "/storyboards/\(name)", declared: catalog.storyboard(name)?.json ?? .null)
    }
  }

  private static func storyboard(
    _ name: StoryboardName, reading json: JSON, under catalog: Catalog, _ call: Call
  ) throws(Problem) -> Storyboard {
    try call.document { (log) -> Storyboard? in
      guard let storyboard = Storyboard(name, reading: json, at: .root, log: log) else {
        return nil
      }
      for (place, fault) in catalog.faults(of: storyboard) {
        log.note(.declaration(fault), at: place)
      }
      return storyboard
    }
  }

  private static let declared = Declarations<Storyboard>(
    kind: "storyboard", holding: .storyboards, unknown: .unknownStoryboard, path: "/storyboards",
    json: { catalog, name in catalog.storyboard(name)?.json }, removal: { .removeStoryboard($0) })
}

extension JSONWriter {
  /// Writes the members of a segue's outcome (V3, V6).
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

  /// Writes the members of a step of a launch (V1).
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

  /// Writes the member with the warnings about storyboards (V10).
  mutating func member(_ name: String, _ warnings: [LintWarning]) {
    member(name)
    beginArray()
    for warning in warnings {
      beginObject()
      member("rule", warning.finding.rule.rawValue)
      member("part", warning.part.rawValue)
      member("pointer", warning.place)
      member("says", warning.sentence)
      endObject()
    }
    endArray()
  }
}
