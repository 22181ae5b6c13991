import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The routes for the first responder (R8), and for the key, main and modal window (R7, R10).
enum FocusRoutes {
  static let all = firstResponder + WindowRole.allCases.map(windowRoute)

  private static let firstResponder = [
    Route(
      .get, at: "/sessions/{session}/first-responder", needing: .read, id: "getFirstResponder",
      "The first responder, of the key window or of another one.", query: [.window],
      answers: .tagged("FirstResponder", "It, or null."),
      answeredBy: { (call) throws(Problem) in
        let window: ResponderID? = try call.query.name("window")
        let snapshot = try call.snapshot()
        let focus: ResponderID?
        do throws(MutationFault) {
          focus = try snapshot.session.firstResponder(ofWindow: window)
        } catch {
          throw Problem(.invalidQuery, error.sentence)
        }
        return call.answer(about: snapshot) { $0.member("responder", focus) }
      }),
    Route(
      .put, at: "/sessions/{session}/first-responder", needing: .focus, id: "putFirstResponder",
      "Moves focus, unless somebody refuses; in a window that is not key that window's alone.",
      body: .json("FirstResponderRequest", #"{"responder":"photoGrid"}"#),
      answers: [.ok("FirstResponderChanged", "Focus is there.", headers: ["ETag"])],
      problems: [.unresolvedReference, .firstResponderRefused, .linkConflict],
      answeredBy: putFirstResponder),
  ]

  private static func putFirstResponder(_ call: Call) throws(Problem) -> Response {
    let request = try call.object { FocusRequest(&$0) }
    let (id, window) = (request.responder, request.window)
    let mutation =
      id.map { Mutation.becomeFirstResponder($0, in: window) } ?? .resignFirstResponder(in: window)
    return try call.apply(mutation, at: request.place, also: { $0.member("responder", id) })
  }

  /// The responder to focus, or none, and the window whose first responder it becomes.
  private struct FocusRequest {
    let responder: ResponderID?
    let window: ResponderID?

    init?(_ reader: inout ObjectReader) {
      let responder: ResponderID?? = reader.required("responder", Read.orNull(Read.identifier))
      window = reader.member("window", Read.identifier)
      guard let responder else { return nil }
      self.responder = responder
    }

    /// Returns the member that a fault is about.
    func place(of fault: MutationFault) -> JSONPointer? {
      switch fault {
      case .unknownResponder(let id) where id == window && id != responder:
        JSONPointer.root.appending("window")
      case .focus(.notAWindow), .focus(.notInWindow): JSONPointer.root.appending("window")
      default: JSONPointer.root.appending("responder")
      }
    }
  }

  /// Returns the route that gives a role to a window.
  private static func windowRoute(_ role: WindowRole) -> Route {
    Route(
      .put, at: PathTemplate(stringLiteral: "/sessions/{session}/\(role)-window"), needing: .focus,
      id: operationID(role), "Makes a window the \(role) window, or none.",
      body: .json("WindowRequest", #"{"window":"window"}"#),
      answers: [.ok("WindowChanged", "It is.", headers: ["ETag"])],
      problems: [.unresolvedReference]
    ) { (call) throws(Problem) in
      let id: ResponderID? = try call.object { $0.required("window", Read.orNull(Read.identifier)) }
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
