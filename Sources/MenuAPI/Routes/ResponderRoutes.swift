import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The responders of a session.
enum ResponderRoutes {
  static let all = [
    Route(
      .get, at: "/sessions/{session}/responders", needing: .read, id: "listResponders",
      "All responders, in the order in which they joined.",
      answers: .tagged("Responders", "The responders."), answeredBy: list),
    Route(
      .get, at: "/sessions/{session}/responders/{responder}", needing: .read, id: "getResponder",
      "A responder; of a view controller or a coordinator also what follows from others.",
      answers: .tagged("ResponderAnswer", "The responder."), problems: [.unknownResponder],
      answeredBy: get),
    Route(
      .put, at: "/sessions/{session}/responders/{responder}", needing: .declare, id: "putResponder",
      "Adds a responder, or replaces it.", parameters: ["responder": "caption"],
      body: .json("Responder", #"{"kind":"view","superview":"photoGrid"}"#),
      answers: [
        .created("Changed", "It is new.", headers: ["Location", "ETag"]),
        .ok("Changed", "It was replaced.", headers: ["ETag"]),
      ],
      problems: [.invalidName, .unresolvedReference, .linkConflict, .delegateRefused]
        + Self.lifecycle,
      answeredBy: put),
    Route(
      .patch, at: "/sessions/{session}/responders/{responder}", needing: .declare,
      id: "patchResponder",
      "Changes members of a responder by a JSON Merge Patch: replaces it by its patched document.",
      parameters: ["responder": "caption"],
      body: .init(contents: [
        (mergePatch, "JSONMergePatch", #"{"superview":"rootView","properties":{"lines":2}}"#)
      ]),
      answers: [.ok("Changed", "It is changed.", headers: ["ETag"])],
      problems: [.unknownResponder, .unresolvedReference, .linkConflict, .delegateRefused]
        + Self.lifecycle,
      answeredBy: patch),
    Route(
      .delete, at: "/sessions/{session}/responders/{responder}", needing: .declare,
      id: "removeResponder", "Removes a responder and clears the links to it.",
      parameters: ["responder": "caption"],
      answers: [.ok("Changed", "It is gone.", headers: ["ETag"])],
      problems: [.unknownResponder, .linkConflict] + Self.lifecycle, answeredBy: delete),
  ]

  private static let mergePatch = "application/merge-patch+json"

  /// The problems of lifecycle methods that a change calls (V9).
  private static let lifecycle: [ProblemType] = [
    .effectFailed, .firstResponderRefused, .doesNotRecognizeSelector, .tooMuchEffort,
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    return call.answer(about: snapshot) { $0.member("responders", of: snapshot.session) }
  }

  private static func get(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let responder = try call.responder(in: snapshot)
    return call.answer(about: snapshot) { writer in
      writer.member("id", responder.id.rawValue)
      writer.member("responder", responder.json)
      if responder.kind == .viewController {
        let graph = snapshot.session.graph
        writer.member("topViewController", responder.viewControllers.last)
        writer.member("selectedViewController", graph.selectedViewController(of: responder.id))
        writer.member("presentedViewController", graph.presentedViewController(of: responder.id))
      }
      if responder.coordinating != nil {
        writer.members(snapshot.session.graph.childCoordinators(of: responder.id))
      }
    }
  }

  private static func put(_ call: Call) throws(Problem) -> Response {
    let id: ResponderID = try call.name(1)
    let json = try call.json()
    let responder = try call.document { Responder(id, reading: json, at: .root, log: $0) }
    let path = "/sessions/\(try call.session)/responders/\(id)"
    return try call.apply(
      .putResponder(responder), created: { (!$0.graph.contains(id), path) },
      at: { $0.element(in: json, at: $0.placeInResponder(id)) })
  }

  private static func patch(_ call: Call) throws(Problem) -> Response {
    let id = try call.responderID
    try call.require([mergePatch])
    let json = try call.parsedBody()
    let patch = try call.document { Read.object(json, at: .root, log: $0) }
    return try call.apply(
      by: { (session) throws(Problem) in
        guard let responder = session.responder(id) else {
          throw .unknownResponder(id.rawValue, in: session.id.rawValue)
        }
        let document = responder.document(patchedBy: patch)
        return .putResponder(
          try call.document { Responder(id, reading: document, at: .root, log: $0) })
      }, at: { $0.element(in: json, at: $0.placeInResponder(id)) })
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let id = try call.responderID
    return try call.apply(.removeResponder(id), at: { _ in nil })
  }
}

extension Responder {
  /// Returns the document with a merge patch applied. A list of children that the patch removes becomes empty,
  /// since a document without one leaves the children unchanged.
  fileprivate func document(patchedBy patch: JSONObject) -> JSON {
    var document = json
    document.merge(patch: .object(patch))
    guard patch["viewControllers"] == .null, !viewControllers.isEmpty,
      case .object(var object) = document
    else { return document }
    object["viewControllers"] = []
    return .object(object)
  }
}

extension MutationFault {
  /// Returns the member of a responder's document that is to blame.
  fileprivate func placeInResponder(_ id: ResponderID) -> JSONPointer {
    switch self {
    case .link(.danglingLink(id, let link, to: _)),
      .link(.linkToOtherKind(id, let link, to: _, kind: _)),
      .link(.linkTaken(id, let link, to: _, by: _)), .link(.linkTaken(_, let link, to: _, by: id)):
      JSONPointer(link.path)
    case .link(.notCoordinating(_, parentOf: id)): JSONPointer(["parentCoordinator"])
    case .containment(.tooManyColumns(let container, _)) where container != id:
      JSONPointer.root.appending("parent")
    case .containment(let fault): fault.placeInResponder
    case .presentation(let fault): fault.placeInResponder
    case .coordination(let fault): JSONPointer(fault.path)
    case .lateResponder(.weightFixed): JSONPointer.root.appending("weight")
    case .lateResponder(.nextOfLateResponder(id, host: _)): JSONPointer.root.appending("next")
    case .storyboard(.unknownOwner): JSONPointer.root.appending("owner")
    case .lateResponder(.unknownLateResponder), .lateResponder(.lateResponderTaken):
      JSONPointer.root.appending("lateResponders").appending("responders")
    case .link(.unknownClass): JSONPointer.root.appending("class")
    case .link(.secondApplication), .link(.linkToOtherKind): JSONPointer.root.appending("kind")
    default: .root
    }
  }
}

extension ContainmentFault {
  /// The member of a responder's document that is to blame.
  fileprivate var placeInResponder: JSONPointer {
    switch self {
    case .unknownChild, .repeated, .hasParent, .notAViewController, .tooManyColumns:
      JSONPointer.root.appending("viewControllers")
    case .notAChild: JSONPointer.root.appending("selectedViewController")
    case .notA, .notInA: .root
    }
  }
}

extension PresentationFault {
  /// The member of a responder's document that is to blame.
  fileprivate var placeInResponder: JSONPointer {
    switch self {
    case .isPresented: JSONPointer.root.appending("viewControllers")
    case .changesCollapsed: JSONPointer.root.appending("isCollapsed")
    case .isChild: JSONPointer.root.appending("presentingViewController")
    case .isRoot, .isPresenting, .nothingToShow: .root
    }
  }
}

extension Call {
  func responder(in snapshot: Snapshot) throws(Problem) -> Responder {
    guard let responder = ResponderID(parameters[1]).flatMap(snapshot.session.responder(_:)) else {
      throw .unknownResponder(parameters[1], in: parameters[0])
    }
    return responder
  }

  /// The id of the responder in the path; an invalid id is reported as an unknown responder.
  var responderID: ResponderID {
    get throws(Problem) {
      if let id = ResponderID(parameters[1]) { return id }
      throw .unknownResponder(parameters[1], in: parameters[0])
    }
  }
}

extension Problem {
  static func unknownResponder(_ name: String, in session: String) -> Problem {
    Problem(
      .unknownResponder, "The session \(quoted(session)) has no responder \(quoted(name)).")
  }
}
