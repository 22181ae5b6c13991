import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// Where focus is (R8), and which window is key.
enum FocusRoutes {
  static let all = [
    Route(
      .get, "/sessions/{session}/first-responder",
      Operation(
        "getFirstResponder", "Who is first responder.",
        answers: [.ok("FirstResponder", "It, or null.", headers: ["ETag"]), .notModified]),
      { (call) throws(Problem) in
        let snapshot = try call.snapshot()
        return call.answer(about: snapshot) {
          $0.member("responder", snapshot.session.firstResponder)
        }
      }),
    Route(
      .put, "/sessions/{session}/first-responder",
      Operation(
        "putFirstResponder", "Moves focus, unless somebody refuses.",
        body: .json("FirstResponderRequest", #"{"responder":"photoGrid"}"#),
        answers: [.ok("FirstResponderChanged", "Focus is there.", headers: ["ETag"])],
        problems: [.unresolvedReference, .firstResponderRefused], isGuarded: true),
      putFirstResponder),
    Route(
      .put, "/sessions/{session}/key-window",
      Operation(
        "putKeyWindow", "Makes a window the key window, or none.",
        body: .json("KeyWindowRequest", #"{"window":"window"}"#),
        answers: [.ok("KeyWindowChanged", "It is key.", headers: ["ETag"])],
        problems: [.unresolvedReference], isGuarded: true),
      putKeyWindow),
  ]

  private static func putFirstResponder(_ call: Call) throws(Problem) -> Response {
    let id: ResponderID? = try call.object { $0.required("responder", Read.optionalIdentifier) }
    let mutation = id.map(Mutation.becomeFirstResponder) ?? .resignFirstResponder
    let place = JSONPointer.root.appending("responder")
    return try call.apply(mutation, at: { _ in place }, also: { $0.member("responder", id) })
  }

  private static func putKeyWindow(_ call: Call) throws(Problem) -> Response {
    let id: ResponderID? = try call.object { $0.required("window", Read.optionalIdentifier) }
    let place = JSONPointer.root.appending("window")
    return try call.apply(
      .makeKeyWindow(id), at: { _ in place }, also: { $0.member("window", id) })
  }
}
