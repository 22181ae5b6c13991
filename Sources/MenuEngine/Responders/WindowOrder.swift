import CEL
import JSONText

/// The responders of AppKit's search (R10), in order and each once: from the start up to the window and its
/// delegate, the same in the main or modal window, then the application and its delegate. A window's late
/// responders follow its delegate; those of the application come before its delegate (L2).
struct WindowOrder {
  /// A responder, and the question that led to it.
  struct Stop {
    let responder: ResponderID
    let question: Trace.Question
    let origin: ResponderID?
  }

  private(set) var stops: [Stop] = []
  private var met: Set<ResponderID> = []
  private let graph: ResponderGraph
  private let key: (window: ResponderID?, responder: ResponderID?)
  private let focusBehind: FocusBehind?

  init(of session: Session, from start: ResponderID?) {
    graph = session.graph
    key = (session.keyWindow, session.firstResponder)
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

  /// Adds a window, unless it was visited, from its first responder on.
  private mutating func add(_ window: ResponderID, _ question: Trace.Question) {
    guard !met.contains(window) else { return }
    addWindow(on: focus(of: window), question)
    guard addStop(window, .next) else { return }
    addDelegate(of: window)
    addLateResponders(of: window)
  }

  /// Returns the first responder of a window, or the window itself (R8). For the key window, and for a window that
  /// another one replaces as key, it is the session's, whatever the window has stored (R11).
  private func focus(of window: ResponderID) -> ResponderID {
    let isOfSession = window == key.window || focusBehind == nil
    let present = isOfSession ? key.responder : focusBehind?.responder
    if let present, graph.window(of: present) == window { return present }
    return window == key.window || window == focusBehind?.window ? window : graph.focus(of: window)
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

  /// Adds the registry of a host, from its initial to its last responder.
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
  /// Returns the first responder of a window that is not key; the window itself if it has none, or if that
  /// responder left it (R8).
  fileprivate func focus(of window: ResponderID) -> ResponderID {
    rememberedFocus(of: window) ?? window
  }
}

extension Session {
  /// Returns the responder where the search for an action begins (R7): `from`, else the first responder, else
  /// the sender if it is an existing responder, else the key window, else the application.
  func searchStart(from: ResponderID?, sender: SenderDescription?) -> ResponderID? {
    from ?? firstResponder
      ?? sender?.responder.flatMap { graph.contains($0) ? $0 : nil }
      ?? focusOfKeyWindow ?? graph.application
  }

  /// The responder where a search in the key window begins without a first responder: the window, or in
  /// AppKit's search its own first responder (R7, R10).
  var focusOfKeyWindow: ResponderID? {
    switch search {
    case .uikit: keyWindow
    case .appkit: keyWindow.map(graph.focus(of:))
    }
  }
}

/// A role that one window of a session can have.
public enum WindowRole: String, CaseIterable, Sendable, Codable, CodingKeyRepresentable {
  /// The window that receives keys; a search begins in it if there is no first responder (R7).
  case key
  /// The window being worked on while another, such as a panel, is key (R10).
  case main
  /// The window that blocks all others, and replaces the main window in a search (R10).
  case modal

  /// The name of the member for the role: `keyWindow`.
  package var member: String { "\(rawValue)Window" }

  /// Returns the change that gives the role to another window, or none.
  func change(to id: ResponderID?) -> Outcome.Change {
    switch self {
    case .key: .keyWindow(id)
    case .main: .mainWindow(id)
    case .modal: .modalWindow(id)
    }
  }
}

extension Session {
  /// Returns the window that has a role; nil if none has it.
  package func window(_ role: WindowRole) -> ResponderID? { windows[role] }

  package var keyWindow: ResponderID? { windows[.key] }

  package var mainWindow: ResponderID? { windows[.main] }

  package var modalWindow: ResponderID? { windows[.modal] }

  /// Gives a role to a window, or to none.
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

  /// Takes all roles from a responder that is no longer a window.
  mutating func dismissWindow(_ id: ResponderID) -> [Outcome.Change] {
    guard graph.kind(of: id) != .window else { return [] }
    return WindowRole.allCases.filter { windows[$0] == id }.map { role in
      windows[role] = nil
      return role.change(to: nil)
    }
  }
}

extension Inquiry {
  /// Returns the responders of a search without a target: the chain, or in AppKit's search the responders from
  /// window to window (R10).
  func order(from: ResponderID?) -> [ResponderID] {
    let start = start(from: from)
    return switch session.search {
    case .uikit: start.map { session.graph.chain(from: $0) } ?? []
    case .appkit: WindowOrder(of: session, from: start).stops.map(\.responder)
    }
  }

  /// Returns an explicit target (R7). In AppKit's search, a receiver that does not respond is replaced by its
  /// supplemental target.
  mutating func explicit(_ receiver: Receiver, for action: Selector) -> Target {
    let target = explicitTarget(receiver, for: action)
    guard target.handler == nil, session.search == .appkit, case .responder(let id) = receiver
    else {
      return target
    }
    var fault: RuleFault?
    return supplement(of: id, for: action, &fault) ?? target
  }

  /// Returns the answer of a responder in AppKit's search (R10): itself if it responds, else its supplemental
  /// target.
  ///
  /// **Decision:** only `respondsToSelector` matters, as in AppKit. `canPerform` rules have no effect, nor has
  /// a coordinator's forwarder, which does not respond (F3).
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

  /// Returns the supplemental target of a responder, if that responds; its own supplemental target does not
  /// count.
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

  /// Returns the responder named by the rule, if it exists. The action is the rule's only argument.
  func supplementalTarget(
    _ rule: Rule, of id: ResponderID, for action: Selector
  ) throws(RuleFault) -> ResponderID? {
    let context = supplementalContext(of: id, for: action)
    let place = Self.supplementalPlace
    let value = try context.value(of: rule, at: place)
    if case .null = value { return nil }
    guard case .string(let text) = value, let named = ResponderID(text) else {
      throw rule.fault(at: place, answering: value, expecting: .identifier)
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
/// The key window's is the session's first responder. Every other window has its own in its link
/// `firstResponder`.
extension Session {
  /// Returns the first responder of a window: the session's in the key window, else the window's own. Nil for
  /// none, or if that responder left the window.
  func firstResponder(in window: ResponderID) -> ResponderID? {
    if window == keyWindow { return firstResponder }
    if let firstResponder, graph.window(of: firstResponder) == window { return firstResponder }
    return graph.rememberedFocus(of: window)
  }

  /// Returns the first responder of a window; nil stands for the key window.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.notAWindow`.
  package func firstResponder(ofWindow window: ResponderID?) throws(MutationFault) -> ResponderID? {
    try checkWindow(window, as: .key)
    return window.map { firstResponder(in: $0) } ?? firstResponder
  }

  /// Returns the session with a window treated as key (R11), for questions; nil for no change.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.notAWindow`.
  package func withKeyWindow(_ window: ResponderID?) throws(MutationFault) -> Session {
    guard let window, window != keyWindow else { return self }
    try checkWindow(window, as: .key)
    return seen(from: window)
  }

  /// Returns the session with an existing window treated as key. The responders are shared, so that plans
  /// recognize them.
  func seen(from window: ResponderID) -> Session {
    guard window != keyWindow else { return self }
    var session = self
    session.firstResponder = focus(makingKey: window)
    session.focusBehind = FocusBehind(window: keyWindow, responder: firstResponder)
    session.windows[.key] = window
    return session
  }

  /// Refuses unknown responders and those that are not windows.
  func checkWindow(_ id: ResponderID?, as role: WindowRole) throws(MutationFault) {
    guard let id else { return }
    guard let kind = graph.kind(of: id) else { throw .unknownResponder(id) }
    guard kind == .window else { throw .focus(.notAWindow(id, kind, as: role)) }
  }

  /// Returns the session's first responder once a window becomes key, or none. A first responder without a
  /// window keeps focus, unless the new key window has its own.
  func focus(makingKey window: ResponderID?) -> ResponderID? {
    let free = firstResponder.flatMap { graph.window(of: $0) == nil ? $0 : nil }
    guard let window else { return free }
    return firstResponder(in: window) ?? free
  }

  /// Stores the focus of the old key window before another one becomes key, and restores that one's.
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

  /// Stores the focus of a window that is not key.
  mutating func remember(
    _ id: ResponderID?, in window: ResponderID
  ) -> [Outcome.Change] {
    guard graph.link(.firstResponder, of: window) != id else { return [] }
    graph.relink(.firstResponder, of: window, to: id)
    return [.link(window, .firstResponder, id)]
  }

  /// The window that stores the focus of a responder; nil for the session, which has that of the key window and
  /// of responders without a window.
  func windowOfFocus(takenBy id: ResponderID) -> ResponderID? {
    guard let keyWindow, let window = graph.window(of: id), window != keyWindow
    else { return nil }
    return window
  }
}

extension ResponderGraph {
  /// Returns the first responder stored for a window, if it is still in the window (R8).
  func rememberedFocus(of window: ResponderID) -> ResponderID? {
    guard let focus = link(.firstResponder, of: window), self.window(of: focus) == window else {
      return nil
    }
    return focus
  }
}
