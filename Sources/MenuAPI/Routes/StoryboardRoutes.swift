import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The storyboards (V2).
enum StoryboardRoutes {
  static let all = [
    Route(
      .get, "/storyboards", needing: .read,
      describedAs: RouteDescription(
        "listStoryboards", "All storyboards, in the order of their declaration.",
        answers: [.ok("Storyboards", "The storyboards.", headers: ["ETag"]), .notModified]),
      answeredBy: list),
    Route(
      .get, "/storyboards/warnings", needing: .read,
      describedAs: RouteDescription(
        "getStoryboardWarnings",
        "Warnings about storyboards that work, but tie view controllers to one another that should not know of each other.",
        answers: [.ok("Warnings", "The warnings.", headers: ["ETag"]), .notModified]),
      answeredBy: warnings),
    Route(
      .get, "/storyboards/{storyboard}", needing: .read,
      describedAs: RouteDescription(
        "getStoryboard", "A storyboard as it is declared.",
        answers: [.ok("Storyboard", "The storyboard.", headers: ["ETag"]), .notModified],
        problems: [.unknownStoryboard]),
      answeredBy: get),
    Route(
      .put, "/storyboards/{storyboard}", needing: .administrator,
      describedAs: RouteDescription(
        "declareStoryboard", "Declares a storyboard; the same declaration again changes nothing.",
        parameters: ["storyboard": "Help"],
        body: .json(
          "Storyboard",
          #"{"initialViewController":"topics","scenes":{"topics":{"segues":[{"identifier":"ShowTopic","kind":"show","destination":"topic"}]},"topic":{"properties":{"text":null}}}}"#
        ),
        answers: [
          .created("Storyboard", "It is new.", headers: ["Location", "ETag"]),
          .ok("Storyboard", "It was declared so already.", headers: ["ETag"]),
        ],
        problems: [.invalidName, .unresolvedReference, .duplicateDeclaration]),
      answeredBy: put),
    Route(
      .delete, "/storyboards/{storyboard}", needing: .administrator,
      describedAs: RouteDescription(
        "removeStoryboard",
        "Removes a storyboard; view controllers that were made from it stay, without segues.",
        parameters: ["storyboard": "Help"],
        answers: [.noContent("It is gone.")], problems: [.unknownStoryboard]),
      answeredBy: delete),
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

  private static func get(_ call: Call) throws(Problem) -> Response {
    let name = try existing(call)
    guard let storyboard = call.catalog.storyboard(name) else {
      throw Problem(DeclarationFault.storyboard(.unknownStoryboard(name)))
    }
    return call.answer(declared: storyboard.json)
  }

  private static func put(_ call: Call) throws(Problem) -> Response {
    let name: StoryboardName = try call.name(0)
    let json = try call.json()
    return try call.changeCatalog(.storyboards, part(name)) { (catalog) throws(Problem) in
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

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let name = try existing(call)
    return try call.changeCatalog(.storyboards, part(name), by: .removeStoryboard(name)) {
      error, _ in
      Problem(error.fault)
    } answer: { _, _ in
      Response(status: .noContent)
    }
  }

  private static func part(_ name: StoryboardName) -> CatalogPart {
    CatalogPart(title: "The storyboard \(quoted(name))") { catalog in
      catalog.storyboard(name).map { .declaration($0.json) }
    }
  }

  private static func existing(_ call: Call) throws(Problem) -> StoryboardName {
    if let name = StoryboardName(call.parameters[0]) { return name }
    throw Problem(
      .unknownStoryboard,
      "There is no storyboard \(quoted(call.parameters[0])); GET /storyboards lists those that are "
        + "declared.")
  }
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
      member("pointer", warning.place.description)
      member("says", warning.sentence)
      endObject()
    }
    endArray()
  }
}
