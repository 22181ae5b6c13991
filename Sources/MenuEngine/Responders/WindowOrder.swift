import CEL
import JSONText

/// The responders that AppKit's search asks (R10), in order and each once: from where it begins up
/// to the window and the window's delegate, the same in the main window or the modal one, the
/// application, its delegate. The late responders of a window are asked after its delegate, those
/// of the application before it, which follows it as they do (L2).
struct WindowOrder {
  /// One responder, and the question that led to it from the one before.
  struct Stop {
    let responder: ResponderID
    let question: Trace.Question
    let origin: ResponderID?
  }

  private(set) var stops: [Stop] = []
  private var met: Set<ResponderID> = []
  private let graph: ResponderGraph
  private let focusBehind: ResponderID?

  init(of session: Session, from start: ResponderID?) {
    graph = session.graph
    focusBehind = session.focusBehind
    if let start { addWindow(on: start, .next) }
    if let modal = session.modalWindow {
      add(modal, .modalWindow)
    } else if let main = session.mainWindow {
      add(main, .mainWindow)
    }
    guard let application = graph.application else { return }
    addStop(application, .application)
    addLateResponders(of: application)
    addDelegate(of: application)
  }

  /// Adds a window that was not met yet, beginning at who has focus in it.
  private mutating func add(_ window: ResponderID, _ question: Trace.Question) {
    guard !met.contains(window) else { return }
    let behind = focusBehind.flatMap { graph.window(of: $0) == window ? $0 : nil }
    addWindow(on: behind ?? graph.focus(of: window), question)
    guard addStop(window, .next) else { return }
    addDelegate(of: window)
    addLateResponders(of: window)
  }

  /// Adds a chain up to its window and that window's delegate.
  private mutating func addWindow(on start: ResponderID, _ question: Trace.Question) {
    var question = question
    for id in graph.chain(from: start) {
      switch graph.kind(of: id) {
      case .application, nil: return
      case .window:
        addStop(id, question)
        addDelegate(of: id)
        return addLateResponders(of: id)
      case .delegate, .scene, .viewController, .view, .responder:
        addStop(id, question)
        question = .next
      }
    }
  }

  private mutating func addDelegate(of holder: ResponderID) {
    guard let delegate = graph.link(.delegate, of: holder) else { return }
    guard addStop(delegate, .delegate, from: holder) else { return }
    addLateResponders(of: delegate)
  }

  /// Adds the registry of a host from its initial to its last.
  private mutating func addLateResponders(of host: ResponderID) {
    guard graph[host]?.lateResponders != nil else { return }
    var origin = host
    for id in graph.chain(from: .lateInitial(of: host)) {
      addStop(id, .next, from: origin)
      if id == .lateLast(of: host) { return }
      origin = id
    }
  }

  @discardableResult
  private mutating func addStop(
    _ id: ResponderID, _ question: Trace.Question, from origin: ResponderID? = nil
  ) -> Bool {
    guard met.insert(id).inserted else { return false }
    let origin = origin ?? stops.last?.responder
    stops.append(Stop(responder: id, question: question, origin: origin))
    return true
  }
}

extension ResponderGraph {
  /// Returns the responder that has focus in a window that is not key: the window itself when it
  /// does not say, or when the one that had focus is not in it any more (R8).
  fileprivate func focus(of window: ResponderID) -> ResponderID {
    rememberedFocus(of: window) ?? window
  }
}

extension Session {
  /// Returns the responder at which the search for an action begins (R7): `from`, else the first responder, else the
  /// sender when that is a responder (and there still), else the key window, else the application.
  func searchStart(from: ResponderID?, sender: SenderDescription?) -> ResponderID? {
    from ?? firstResponder
      ?? sender?.responder.flatMap { graph.position(of: $0) == nil ? nil : $0 }
      ?? focusOfKeyWindow ?? graph.application
  }

  /// The responder at which a search in the key window begins when there is no first responder: the window; in
  /// AppKit's search the responder that has focus in it (R7, R10).
  var focusOfKeyWindow: ResponderID? {
    switch search {
    case .uikit: keyWindow
    case .appkit: keyWindow.map(graph.focus(of:))
    }
  }
}

/// A part that one window of a session can have.
package enum WindowRole: String, CaseIterable, Sendable, Codable, CodingKeyRepresentable {
  /// Keys go to it; a search begins in it when there is no first responder (R7).
  case key
  /// The window that is worked on while another one, such as a panel, is key (R10).
  case main
  /// It stops all others, and takes the main window's place in a search (R10).
  case modal

  /// The name of the member that says which window it is: `keyWindow`.
  package var member: String { "\(rawValue)Window" }

  /// The change to another window, or to none.
  func change(to id: ResponderID?) -> Outcome.Change {
    switch self {
    case .key: .keyWindow(id)
    case .main: .mainWindow(id)
    case .modal: .modalWindow(id)
    }
  }
}

extension Session {
  /// The window that has a part.
  package func window(_ role: WindowRole) -> ResponderID? { windows[role] }

  /// The window that keys go to.
  package var keyWindow: ResponderID? { windows[.key] }

  /// The window that is worked on.
  package var mainWindow: ResponderID? { windows[.main] }

  /// The window that stops all others.
  package var modalWindow: ResponderID? { windows[.modal] }

  /// Gives a part to a window, or to none.
  @discardableResult
  mutating func make(
    _ id: ResponderID?, _ role: WindowRole
  ) throws(MutationFault) -> [Outcome.Change] {
    try checkWindow(id, as: role)
    guard windows[role] != id else { return [] }
    let carried = role == .key ? carryFocus(toKey: id) : []
    windows[role] = id
    return [role.change(to: id)] + carried
  }

  /// Takes all parts from a responder that is a window no more.
  mutating func dismissWindow(_ id: ResponderID) -> [Outcome.Change] {
    guard graph.kind(of: id) != .window else { return [] }
    return WindowRole.allCases.filter { windows[$0] == id }.map { role in
      windows[role] = nil
      return role.change(to: nil)
    }
  }
}

extension Inquiry {
  /// Returns the responders that a search asks as long as nobody answers: the chain, or in AppKit's
  /// search those on the way from window to window (R10).
  func order(from: ResponderID?) -> [ResponderID] {
    let start = start(from: from)
    return switch session.search {
    case .uikit: start.map { session.graph.chain(from: $0) } ?? []
    case .appkit: WindowOrder(of: session, from: start).stops.map(\.responder)
    }
  }

  /// An explicit target (R7); in AppKit's search, one that does not respond is asked for another.
  mutating func explicit(_ receiver: Receiver, for action: Selector) -> Target {
    let target = explicitTarget(receiver, for: action)
    guard target.handler == nil, session.search == .appkit, case .responder(let id) = receiver
    else {
      return target
    }
    var fault: RuleFault?
    return supplement(of: id, for: action, &fault) ?? target
  }

  /// Returns the answer of a responder in AppKit's search (R10): itself if it responds, else the
  /// one it names in its place.
  ///
  /// It is asked nothing but `respondsToSelector`, as AppKit does (a decision): neither a `canPerform`
  /// rule nor a coordinator's forwarder, which does not respond (F3), has a part in it.
  mutating func windowAnswer(
    at position: Int, to action: Selector, _ fault: inout RuleFault?
  ) -> Target? {
    let id = session.graph.responders[position].id
    if trace.isRecording, let coordinator = session.graph.responders[position].coordinator,
      coordinator.forwarding == .catchAll, coordinator[action] != nil
    {
      trace.note(.respondsToSelector, .forwarder(host: id), about: action, answer: .bool(false))
    }
    let handler = implementation(of: action, at: position)
    if handler == nil, session.graph.responders[position].proxy != nil {
      return proxyTarget(of: id, for: action, &fault) ?? supplement(of: id, for: action, &fault)
    }
    noteResponds(id, to: action, with: handler)
    if let handler { return Target(receiver: .responder(id), handler: handler) }
    return supplement(of: id, for: action, &fault)
  }

  /// Returns the responder that another one names for what it does not respond to itself, if that
  /// one does; it is not asked for another one in turn.
  private mutating func supplement(
    of id: ResponderID, for action: Selector, _ fault: inout RuleFault?
  ) -> Target? {
    guard let supplement = supplementalTarget(of: id, for: action, &fault) else { return nil }
    let handler = implementation(of: action, in: supplement)
    if handler == nil, session.graph[supplement]?.proxy != nil {
      return proxyTarget(of: supplement, for: action, &fault)
    }
    noteResponds(supplement, to: action, with: handler)
    return handler.map { Target(receiver: .responder(supplement), handler: $0) }
  }

  private mutating func supplementalTarget(
    of id: ResponderID, for action: Selector, _ fault: inout RuleFault?
  ) -> ResponderID? {
    guard let responder = session.graph[id] else { return nil }
    guard let rule = responder.supplementalTargetRule else {
      guard let link = responder.links[.supplementalTarget] else { return nil }
      trace.note(.supplementalTarget, .responder(id), about: action, answer: .string(link.rawValue))
      return link
    }
    readings.note(rule)
    let context = supplementalContext(of: id, for: action)
    let place = Self.supplementalPlace
    do throws(RuleFault) {
      let named = try supplementalTarget(rule, of: id, for: action)
      trace.note(
        .supplementalTarget, .responder(id), about: action,
        answer: named.map { .string($0.rawValue) } ?? .null,
        rules: context.explained(rule, at: place))
      return named
    } catch {
      trace.note(
        .supplementalTarget, .responder(id), about: action, answer: .null, fault: error,
        rules: context.explained(rule, at: place))
      fault = fault ?? error
      return nil
    }
  }

  /// Returns the responder that the rule names, if it is there. The rule reads the action as its
  /// only argument.
  func supplementalTarget(
    _ rule: Rule, of id: ResponderID, for action: Selector
  ) throws(RuleFault) -> ResponderID? {
    let context = supplementalContext(of: id, for: action)
    let place = Self.supplementalPlace
    let value = try context.value(of: rule, at: place)
    if case .null = value { return nil }
    guard case .string(let text) = value, let named = ResponderID(text) else {
      throw context.fault(rule, at: place, answering: value, expecting: .identifier)
    }
    return session.graph[named]?.id
  }

  private static let supplementalPlace = "supplementalTargetRule"

  private func supplementalContext(of id: ResponderID, for action: Selector) -> RuleContext {
    var context = context(for: id)
    context.arguments = [.string(action.rawValue)]
    return context
  }
}

/// The focus of each window (R11).
///
/// The key window's is the session's first responder. Every other window remembers its own in its link
/// `firstResponder`.
extension Session {
  /// Returns the first responder of a window: the session's in the key window, else the one that the
  /// window remembers; nil for none.
  ///
  /// A responder that is not in the window any more is none.
  func firstResponder(in window: ResponderID) -> ResponderID? {
    if window == keyWindow { return firstResponder }
    if let firstResponder, graph.window(of: firstResponder) == window { return firstResponder }
    return graph.rememberedFocus(of: window)
  }

  /// Returns the first responder of a window; for nil that of the key window.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.notAWindow`.
  package func firstResponder(ofWindow window: ResponderID?) throws(MutationFault) -> ResponderID? {
    try checkWindow(window, as: .key)
    return window.map { firstResponder(in: $0) } ?? firstResponder
  }

  /// Returns the session as it would be if a window were key (R11), for questions; the same for nil.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.notAWindow`.
  package func withKeyWindow(_ window: ResponderID?) throws(MutationFault) -> Session {
    guard let window, window != keyWindow else { return self }
    try checkWindow(window, as: .key)
    return seen(from: window)
  }

  /// The session as it would be if a window that is there were key; the responders are the same, so that
  /// plans know them again.
  func seen(from window: ResponderID) -> Session {
    guard window != keyWindow else { return self }
    var session = self
    session.firstResponder = focus(makingKey: window)
    session.focusBehind = firstResponder
    session.windows[.key] = window
    return session
  }

  /// Refuses a name of nobody, and one of a responder that is no window.
  func checkWindow(_ id: ResponderID?, as role: WindowRole) throws(MutationFault) {
    guard let id else { return }
    guard let kind = graph.kind(of: id) else { throw .unknownResponder(id) }
    guard kind == .window else { throw .focus(.notAWindow(id, kind, as: role)) }
  }

  /// Returns the first responder that the session has when a window becomes key, or none does. One that
  /// is in no window keeps focus, unless the window remembers its own.
  func focus(makingKey window: ResponderID?) -> ResponderID? {
    let free = firstResponder.flatMap { graph.window(of: $0) == nil ? $0 : nil }
    guard let window else { return free }
    return firstResponder(in: window) ?? free
  }

  /// Lets the windows remember their focus before another one becomes key, and brings back that one's.
  mutating func carryFocus(toKey window: ResponderID?) -> [Outcome.Change] {
    let (old, new) = (firstResponder, focus(makingKey: window))
    let home = old.flatMap { graph.window(of: $0) }
    var changes: [Outcome.Change] = []
    if let keyWindow { changes += remember(home == keyWindow ? old : nil, in: keyWindow) }
    if let home, home != keyWindow, home != window { changes += remember(old, in: home) }
    if let window { changes += remember(nil, in: window) }
    guard new != old else { return changes }
    firstResponder = new
    return changes + [.firstResponder(new)]
  }

  /// Notes the focus of a window that is not key.
  mutating func remember(
    _ id: ResponderID?, in window: ResponderID
  ) -> [Outcome.Change] {
    guard graph.link(.firstResponder, of: window) != id else { return [] }
    graph.relink(.firstResponder, of: window, to: id)
    return [.link(window, .firstResponder, id)]
  }

  /// The window whose focus a responder takes; nil for the session's: of the key window, or of a
  /// responder that is in none.
  func windowOfFocus(takenBy id: ResponderID) -> ResponderID? {
    guard let keyWindow, let window = graph.window(of: id), window != keyWindow
    else { return nil }
    return window
  }
}

extension ResponderGraph {
  /// Returns the responder that a window remembers, if it is still in it (R8).
  func rememberedFocus(of window: ResponderID) -> ResponderID? {
    guard let focus = link(.firstResponder, of: window), self.window(of: focus) == window else {
      return nil
    }
    return focus
  }
}
