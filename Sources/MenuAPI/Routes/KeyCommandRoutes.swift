import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The key commands of a responder's own (K1, K5).
enum KeyCommandRoutes {
  static let all = [
    Route(
      .put, "/sessions/{session}/responders/{responder}/key-commands",
      describedAs: RouteDescription(
        "putKeyCommands", "Gives a responder these key commands in place of those it has.",
        body: .json(
          "KeyCommandList",
          #"{"keyCommands":[{"input":"UIKeyInputRightArrow","action":"applyFourStarRating:","when":"size(state.selection) > 0"}]}"#
        ),
        answers: [.ok("Changed", "It listens to these.", headers: ["ETag"])],
        problems: [.unknownResponder]),
      answeredBy: put),
    Route(
      .get, "/sessions/{session}/responders/{responder}/key-commands",
      describedAs: RouteDescription(
        "getKeyCommands",
        "A responder's own key commands; those of its classes are not among them.",
        answers: [.ok("KeyCommands", "The key commands.", headers: ["ETag"]), .notModified],
        problems: [.unknownResponder]),
      answeredBy: get),
  ]

  private static func put(_ call: Call) throws(Problem) -> Response {
    let id = try call.responderID
    let keyCommands = try call.object {
      $0.required("keyCommands", KeyCommand.list(reading:at:log:))
    }
    return try call.apply(.putKeyCommands(keyCommands, of: id), at: { _ in nil })
  }

  private static func get(_ call: Call) throws(Problem) -> Response {
    let snapshot = try call.snapshot()
    let responder = try call.responder(in: snapshot)
    return call.answer(about: snapshot) { writer in
      writer.member("responder", responder.id.rawValue)
      writer.member("keyCommands", .array(responder.keyCommands.map(\.json)))
    }
  }
}
