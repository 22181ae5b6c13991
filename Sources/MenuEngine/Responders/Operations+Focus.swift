/// Operations on the first responder (R8) and on the parts of windows (R10).
extension Operations {
  static let ofFocus: [any AnyOperation] = [
    becomeFirstResponder, resignFirstResponder, firstResponder, makeKeyWindow, makeMainWindow,
    makeModalWindow, makeKeyAndVisible,
  ]

  static let becomeFirstResponder = Operation(
    "becomeFirstResponder",
    about:
      "Moves focus to a responder (R8); in a window that is not key, that window's focus (R11).",
    Member(receiver: "responder", about: "The responder."),
    Member(
      optional: "window", .responder,
      about: "The window that it is in. It is refused if it is in another one.")
  ) { (performer: inout Performer, id, window) throws(MutationFault) in
    try performer.moveFocus(to: id, in: window)
  }

  static let resignFirstResponder = Operation(
    "resignFirstResponder", about: "Gives up focus (R8).",
    Member(
      optional: "window", .responder,
      about: "The window whose focus is given up (R11). The default is the key window.")
  ) { (performer: inout Performer, window) throws(MutationFault) in
    try performer.moveFocus(to: nil, in: window ?? performer.window)
  }

  static let firstResponder = Operation(
    "firstResponder",
    about: "The short name of `becomeFirstResponder` (R8).",
    Member("responder", .responder, about: "The responder."), uses: .effect
  ) { (performer: inout Performer, id) throws(MutationFault) in try performer.moveFocus(to: id) }

  static let makeKeyWindow = make(.key, about: "Makes a window the key window, or none (R10).")
  static let makeMainWindow = make(.main, about: "Makes a window the main window, or none (R10).")
  static let makeModalWindow = make(
    .modal, about: "Makes a window the modal window, or none (R10).")

  private static func make(_ role: WindowRole, about: String) -> Operation<ResponderID?> {
    Operation(
      "make\(role.rawValue.prefix(1).uppercased())\(role.rawValue.dropFirst())Window", about: about,
      Member(
        "window", MemberType<ResponderID>.responder.nullable("OptionalIdentifier"),
        about: "The window; null for none."),
      traits: .changesScreen
    ) { (performer: inout Performer, id) throws(MutationFault) in
      performer.record(try performer.session.make(id, role))
    }
  }

  static let makeKeyAndVisible = Operation(
    "makeKeyAndVisible",
    about:
      "Makes a window the key window, and optionally sets its root view controller first (V1).",
    Member("window", .responder, about: "The window."),
    Member(optional: "rootViewController", .responder, about: "The root view controller."),
    uses: .effect,
    traits: .changesScreen
  ) { (performer: inout Performer, window, root) throws(MutationFault) in
    try performer.makeKeyAndVisible(window, root)
  }
}

extension Mutation {
  /// Moves focus (R8).
  ///
  /// - Parameter window: The window that the responder must be in; nil for any.
  public static func becomeFirstResponder(
    _ id: ResponderID, in window: ResponderID? = nil
  ) -> Mutation {
    Mutation(Operations.becomeFirstResponder, id, window)
  }

  /// Gives up the focus of the key window (R8).
  public static var resignFirstResponder: Mutation { resignFirstResponder(in: nil) }

  /// Gives up the focus of a window (R8, R11); nil for the key window.
  public static func resignFirstResponder(in window: ResponderID?) -> Mutation {
    Mutation(Operations.resignFirstResponder, window)
  }

  /// Makes a window the key, main or modal window, or none (R10).
  public static func makeWindow(_ id: ResponderID?, _ role: WindowRole) -> Mutation {
    switch role {
    case .key: Mutation(Operations.makeKeyWindow, id)
    case .main: Mutation(Operations.makeMainWindow, id)
    case .modal: Mutation(Operations.makeModalWindow, id)
    }
  }
}

extension Effect {
  /// Makes a responder the first responder (R8).
  public static func firstResponder(_ id: ResponderID) -> Effect {
    Effect(Operations.firstResponder, id)
  }

  /// Makes a window the key window (V1).
  public static func makeKeyAndVisible(
    window: ResponderID, rootViewController: ResponderID? = nil
  ) -> Effect {
    Effect(Operations.makeKeyAndVisible, window, rootViewController)
  }
}

extension Performer {
  /// Moves focus to a responder, or gives up that of a window.
  mutating func moveFocus(
    to id: ResponderID?, in window: ResponderID? = nil
  ) throws(MutationFault) {
    var asked = Trace(isRecording: trace.isRecording)
    if let id {
      changes += try session.becomeFirstResponder(
        id, in: window, effort: effort, tracing: &asked)
    } else {
      changes += try session.resignFirstResponder(in: window, effort: effort, tracing: &asked)
    }
    trace.append(asked)
  }

  /// Does something as if a window were key (R11); nil for whichever it is done in already.
  mutating func inWindow(
    _ id: ResponderID?, _ act: (inout Performer) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    guard let id else { return try act(&self) }
    try session.checkWindow(id, as: .key)
    let outer = window
    window = id
    defer { window = outer }
    // View controllers that come or go meanwhile do so for it (U2).
    if !phase.isInHandler, !session.instances.isEmpty { beginUndo(from: seen.undoOrigin) }
    try act(&self)
  }

  /// The session as if the window in which something is done were key.
  var seen: Session {
    guard let window, session.graph.kind(of: window) == .window else { return session }
    return session.seen(from: window)
  }
}
