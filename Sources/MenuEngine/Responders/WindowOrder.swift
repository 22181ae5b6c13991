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
