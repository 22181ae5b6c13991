import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The routes for the first responder (R8), and for the key, main and modal window (R7, R10).
enum FocusRoutes {
  static let all = firstResponder + WindowRole.allCases.map(windowRoute)

  private static let firstResponder = [
    Route(
      .get, "/sessions/{session}/first-responder",
      describedAs: RouteDescription(
        "getFirstResponder", "The first responder.",
        answers: [.ok("FirstResponder", "It, or null.", headers: ["ETag"]), .notModified]),
      answeredBy: { (call) throws(Problem) in
        let snapshot = try call.snapshot()
        return call.answer(about: snapshot) {
          $0.member("responder", snapshot.session.firstResponder)
        }
      }),
    Route(
      .put, "/sessions/{session}/first-responder",
      describedAs: RouteDescription(
        "putFirstResponder", "Moves focus, unless somebody refuses.",
        body: .json("FirstResponderRequest", #"{"responder":"photoGrid"}"#),
        answers: [.ok("FirstResponderChanged", "Focus is there.", headers: ["ETag"])],
        problems: [.unresolvedReference, .firstResponderRefused]),
      answeredBy: putFirstResponder),
  ]

  private static func putFirstResponder(_ call: Call) throws(Problem) -> Response {
    let id: ResponderID? = try call.object { $0.required("responder", Read.optionalIdentifier) }
    let mutation = id.map(Mutation.becomeFirstResponder) ?? .resignFirstResponder
    let place = JSONPointer.root.appending("responder")
    return try call.apply(mutation, at: { _ in place }, also: { $0.member("responder", id) })
  }

  /// The route that gives a part to a window.
  private static func windowRoute(_ role: WindowRole) -> Route {
    Route(
      .put, PathTemplate(stringLiteral: "/sessions/{session}/\(role)-window"),
      describedAs: RouteDescription(
        operationID(role), "Makes a window the \(role) window, or none.",
        body: .json("WindowRequest", #"{"window":"window"}"#),
        answers: [.ok("WindowChanged", "It is.", headers: ["ETag"])],
        problems: [.unresolvedReference])
    ) { (call) throws(Problem) in
      let id: ResponderID? = try call.object { $0.required("window", Read.optionalIdentifier) }
      let place = JSONPointer.root.appending("window")
      return try call.apply(
        .makeWindow(id, role), at: { _ in place }, also: { $0.member("window", id) })
    }
  }

  private static func operationID(_ role: WindowRole) -> String {
    switch role {
    case .key: "putKeyWindow"
    case .main: "putMainWindow"
    case .modal: "putModalWindow"
    }
  }
}
