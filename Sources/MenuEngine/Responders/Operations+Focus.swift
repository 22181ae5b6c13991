import JSONText

/// Operations on the first responder (R8) and on the roles of windows (R10).
extension Operations {
  static let ofFocus: [any AnyOperation] = [
    becomeFirstResponder, resignFirstResponder, firstResponder, makeKeyWindow, makeMainWindow,
    makeModalWindow, makeKeyAndVisible,
  ]

  static let becomeFirstResponder = Operation(
    "becomeFirstResponder", needs: .focus,
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
    "resignFirstResponder", needs: .focus, about: "Gives up focus (R8).",
    Member(
      optional: "window", .responder,
      about: "The window whose focus is given up (R11). The default is the key window.")
  ) { (performer: inout Performer, window) throws(MutationFault) in
    try performer.moveFocus(to: nil, in: window ?? performer.window)
  }

  static let firstResponder = Operation(
    "firstResponder", needs: .focus,
    about: "The short name of `becomeFirstResponder` (R8).",
    Member("responder", .responder, about: "The responder."), uses: .effect
  ) { (performer: inout Performer, id) throws(MutationFault) in try performer.moveFocus(to: id) }

  static let makeKeyWindow = make(.key, about: "Makes a window the key window, or none (R10).")
  static let makeMainWindow = make(.main, about: "Makes a window the main window, or none (R10).")
  static let makeModalWindow = make(
    .modal, about: "Makes a window the modal window, or none (R10).")

  private static func make(_ role: WindowRole, about: String) -> Operation<ResponderID?> {
    Operation(
      "make\(role.rawValue.prefix(1).uppercased())\(role.rawValue.dropFirst())Window",
      needs: .focus, about: about,
      Member(
        "window", MemberType<ResponderID>.responder.nullable("OptionalIdentifier"),
        about: "The window; null for none."),
      traits: .changesScreen
    ) { (performer: inout Performer, id) throws(MutationFault) in
      performer.record(try performer.session.make(id, role))
    }
  }

  static let makeKeyAndVisible = Operation(
    "makeKeyAndVisible", needs: .focus,
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
  /// Moves focus (R8), as `becomeFirstResponder` does: the present first responder is asked to resign.
  ///
  /// - Parameters:
  ///   - id: The responder.
  ///   - window: The window that the responder must be in. The default is any.
  public static func becomeFirstResponder(
    _ id: ResponderID, in window: ResponderID? = nil
  ) -> Mutation {
    Mutation(Operations.becomeFirstResponder, id, window)
  }

  /// Gives up the focus of the key window (R8), as `resignFirstResponder` does.
  public static var resignFirstResponder: Mutation { resignFirstResponder(in: nil) }

  /// Gives up the focus of a window (R8, R11); nil for the key window.
  package static func resignFirstResponder(in window: ResponderID?) -> Mutation {
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
}

extension Performer {
  /// Moves focus to a responder, or resigns that of a window.
  mutating func moveFocus(
    to id: ResponderID?, in window: ResponderID? = nil
  ) throws(MutationFault) {
    var asked = Trace(isRecording: trace.isRecording)
    if let id {
      changes += try session.becomeFirstResponder(
        id, in: window, asking: effort, reading: catalog.translations, tracing: &asked)
    } else {
      changes += try session.resignFirstResponder(
        in: window, asking: effort, reading: catalog.translations, tracing: &asked)
    }
    trace.append(asked)
  }

  /// Performs `act` with a window treated as key (R11); nil keeps the current one.
  mutating func inWindow(
    _ id: ResponderID?, _ act: (inout Performer) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    guard let id else { return try act(&self) }
    try session.checkWindow(id, as: .key)
    let outer = window
    window = id
    defer { window = outer }
    // The handlers of view controllers that appear or disappear meanwhile use its undo manager (U2).
    if !session.instances.isEmpty { beginUndo(from: seen.undoOrigin) }
    try act(&self)
  }

  /// The session with the current window treated as key.
  var seen: Session {
    guard let window, session.graph.kind(of: window) == .window else { return session }
    return session.seen(from: window)
  }
}

extension Session {
  /// Moves focus (R8). Succeeds at once if the responder has focus; else the candidate must be able to become
  /// first responder and the present one to resign. In a window that is not key, the window's own focus moves
  /// (R11).
  ///
  /// - Parameters:
  ///   - window: The window that the responder must be in; nil for any.
  ///   - translations: The texts of the session's language, for rules.
  mutating func becomeFirstResponder(
    _ id: ResponderID, in window: ResponderID? = nil,
    asking effort: Effort, reading translations: JSON, tracing trace: inout Trace
  ) throws(MutationFault) -> [Outcome.Change] {
    guard graph.contains(id) else { throw .unknownResponder(id) }
    try checkWindow(window, as: .key)
    if let window, graph.window(of: id) != window { throw .focus(.notInWindow(id, window)) }
    let place = windowOfFocus(takenBy: id)
    let lost = loseFocus(of: id, besides: place)
    let old = place.map { firstResponder(in: $0) } ?? firstResponder
    guard old != id else {
      trace.note(.hasFocus, .responder(id), answer: true)
      givenFocus[id] = graph
      return lost
    }
    try ask(id, .canBecomeFirstResponder, for: id, with: (effort, translations), tracing: &trace)
    try ask(old, toResignFor: id, with: (effort, translations), tracing: &trace)
    let changes = lost + setFocus(id, of: place)
    givenFocus[id] = graph
    return changes
  }

  /// Takes the stored focus of every other window from a responder that moved together with focus, in this list of
  /// mutations, to the window of `place`; nil stands for the session.
  private mutating func loseFocus(
    of id: ResponderID, besides place: ResponderID?
  ) -> [Outcome.Change] {
    var changes: [Outcome.Change] = []
    if place != nil, firstResponder == id { changes += loseFocus() }
    for window in graph.windowsWithFocus
    where window != place && graph.link(.firstResponder, of: window) == id {
      changes += remember(nil, in: window)
    }
    return changes
  }

  /// Resigns the focus of a window, by default the session's, if its first responder allows it.
  mutating func resignFirstResponder(
    in window: ResponderID? = nil, asking effort: Effort, reading translations: JSON,
    tracing trace: inout Trace
  ) throws(MutationFault) -> [Outcome.Change] {
    try checkWindow(window, as: .key)
    let place = window == keyWindow ? nil : window
    guard let old = place.map({ firstResponder(in: $0) }) ?? firstResponder else { return [] }
    try ask(old, toResignFor: nil, with: (effort, translations), tracing: &trace)
    return setFocus(nil, of: old == firstResponder ? nil : place)
  }

  /// Sets the first responder of a window that is not key or, for nil, of the session.
  private mutating func setFocus(
    _ id: ResponderID?, of window: ResponderID?
  ) -> [Outcome.Change] {
    if let window { return remember(id, in: window) }
    firstResponder = id
    return [.firstResponder(id)]
  }

  private func ask(
    _ old: ResponderID?, toResignFor candidate: ResponderID?,
    with reading: (effort: Effort, translations: JSON), tracing trace: inout Trace
  ) throws(MutationFault) {
    guard let old, graph.contains(old) else { return }
    try ask(old, .canResignFirstResponder, for: candidate, with: reading, tracing: &trace)
  }

  private func ask(
    _ responder: ResponderID, _ question: ResponderQuestion, for candidate: ResponderID?,
    with reading: (effort: Effort, translations: JSON), tracing trace: inout Trace
  ) throws(MutationFault) {
    guard let rule = graph.rule(for: question, of: responder) else {
      return trace.note(question.traced, .responder(responder), answer: true)
    }
    let context = RuleContext(
      state: state, responder: responder, sender: nil, graph: graph, effort: reading.effort,
      translations: reading.translations)
    let answer: Bool
    do throws(RuleFault) {
      answer = try context.bool(rule, at: question.rawValue)
    } catch {
      throw .focus(.firstResponderRule(responder, error))
    }
    trace.note(
      question.traced, .responder(responder), answer: .bool(answer),
      rules: context.explained(rule, at: question.rawValue))
    guard answer else {
      throw .focus(
        .firstResponderRefused(
          candidate: candidate, by: responder, question, because: context.reasons(of: rule)))
    }
  }
}

extension ResponderGraph {
  /// Returns the rule for a question to a responder about its role as first responder; without a rule the answer is
  /// true.
  fileprivate func rule(for question: ResponderQuestion, of id: ResponderID) -> Rule? {
    guard let position = position(of: id) else { return nil }
    return switch question {
    case .canBecomeFirstResponder: responders[position].canBecomeFirstResponder
    case .canResignFirstResponder: responders[position].canResignFirstResponder
    }
  }
}

extension ResponderQuestion {
  /// The question in traces.
  fileprivate var traced: Trace.Question {
    switch self {
    case .canBecomeFirstResponder: .canBecomeFirstResponder
    case .canResignFirstResponder: .canResignFirstResponder
    }
  }
}

/// The loss of focus when a first responder leaves the screen (R8).
///
/// A deleted responder loses focus at once; any other when its whole list of mutations is applied, so that the
/// order of links does not matter.
extension Session {
  /// Takes focus from first responders that left their window or the screen since the list began, or since they
  /// got focus in it: from the session's, and from that of each window with its own focus (R11).
  mutating func resignIfLeft(
    since before: Session, in catalog: Catalog, _ effort: Effort = Effort()
  ) -> [Outcome.Change] {
    defer { givenFocus = [:] }
    guard
      !graph.isIdentical(to: before.graph)
        || !givenFocus.values.allSatisfy(graph.isIdentical)
    else { return [] }
    var changes: [Outcome.Change] = []
    if let id = firstResponder,
      hasLeft(id, sinceListBegan: before, in: catalog) || isInWindowBesidesKey(id, since: before)
    {
      changes += loseFocus()
    }
    for window in graph.windowsWithFocus {
      guard let id = graph.link(.firstResponder, of: window) else { continue }
      effort.spend(4 * Effort.chain * graph.surroundings(of: id).count)
      guard !effort.isExhausted else { return changes }
      if hasLeft(id, sinceListBegan: before, in: catalog) { changes += remember(nil, in: window) }
    }
    return changes
  }

  /// Returns true if a responder left its window or the screen since the list began, or since it got focus in the
  /// list.
  private func hasLeft(
    _ id: ResponderID, sinceListBegan before: Session, in catalog: Catalog
  ) -> Bool {
    let given = givenFocus[id]
    // The place on screen depends on the responders alone.
    guard !graph.isIdentical(to: given ?? before.graph),
      given != nil || !graph.responders.isIdentical(to: before.graph.responders)
    else { return false }
    guard let given else { return hasLeft(id, since: before, in: catalog) }
    var then = before
    then.graph = given
    return hasLeft(id, since: then, in: catalog)
  }

  /// Returns true if a responder without a window moved into a window that is not key and does not have the session's
  /// focus (R11).
  private func isInWindowBesidesKey(_ id: ResponderID, since before: Session) -> Bool {
    let then = givenFocus[id] ?? before.graph
    guard let keyWindow, then.contains(id), then.window(of: id) == nil,
      let window = graph.window(of: id)
    else { return false }
    return window != keyWindow
  }

  /// Takes focus from a deleted first responder.
  mutating func resignIfDeleted() -> [Outcome.Change] {
    guard let id = firstResponder, !graph.contains(id) else { return [] }
    return loseFocus()
  }

  private mutating func loseFocus() -> [Outcome.Change] {
    firstResponder = nil
    return [.firstResponder(nil)]
  }

  /// True if a responder left its window or the screen since an earlier session.
  private func hasLeft(
    _ id: ResponderID, since before: Session, in catalog: Catalog
  ) -> Bool {
    guard before.graph.contains(id) else { return false }
    if let window = before.graph.window(of: id) {
      if graph.window(of: id) != window { return true }
    } else if before.graph.controllers(around: id).contains(where: { !graph.contains($0) }) {
      return true
    }
    return before.graph.isAttached(id) && !graph.isAttached(id)
      || before.isOnScreen(id, in: catalog) && !isOnScreen(id, in: catalog)
  }
}
