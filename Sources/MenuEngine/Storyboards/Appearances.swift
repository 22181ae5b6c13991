/// The lifecycle of a session's view controllers: the messages about their views that each has
/// received (V9).
///
/// View controllers that are on screen when a session is opened, as its document describes, receive
/// no message about it.
struct Appearances: Sendable {
  /// Those that were told that their view was loaded.
  var loaded = BlockSet<ResponderID>()
  /// Those that were told last that they came into view.
  var visible = BlockSet<ResponderID>()

  /// None was told anything.
  init() {}

  /// Forgets what a view controller was told that is gone, or hears nothing from now on.
  mutating func forget(_ id: ResponderID) {
    loaded.remove(id)
    visible.remove(id)
  }
}

extension Appearances: Codable {
  private enum CodingKeys: CodingKey {
    case loaded
    case visible
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(loaded.map(\.rawValue).sorted(by: precedes), forKey: .loaded)
    try container.encode(visible.map(\.rawValue).sorted(by: precedes), forKey: .visible)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    for id in try container.decode([ResponderID].self, forKey: .loaded) { loaded.insert(id) }
    for id in try container.decode([ResponderID].self, forKey: .visible) { visible.insert(id) }
  }

  /// True if an id comes first in a stored form, which is the same for equal sets.
  private func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }
}

extension Session {
  /// Notes once that those are on screen already, and the views of instances loaded, with which the session
  /// was opened.
  mutating func noteOpeningAppearances(in context: SessionContext) {
    guard appearances == nil else { return }
    var appearances = Appearances()
    // An instance without a view gets one, and is told then.
    for id in visibleViewControllers(in: context, besides: nil)
    where instances[id] == nil || graph.link(.view, of: id) != nil {
      appearances.loaded.insert(id)
      appearances.visible.insert(id)
    }
    for id in instances.keys where graph.link(.view, of: id) != nil {
      appearances.loaded.insert(id)
    }
    self.appearances = appearances
  }

  /// True if a responder hears what becomes of it, as view controllers do.
  func hearsOfItself(_ id: ResponderID) -> Bool { graph.kind(of: id) == .viewController }

  /// True if a view controller was told last that it came into view.
  func wasToldVisible(_ id: ResponderID) -> Bool { appearances?.visible.contains(id) == true }

  /// Notes what a view controller is told.
  mutating func noteTold(_ id: ResponderID, isVisible: Bool) {
    if isVisible {
      appearances?.visible.insert(id)
    } else {
      appearances?.visible.remove(id)
    }
  }

  /// Those that were told last that they came into view, and are not among `visible`; in the order in
  /// which they joined.
  func disappeared(besides visible: Set<ResponderID>) -> [ResponderID] {
    (appearances?.visible ?? BlockSet()).filter { !visible.contains($0) }.sorted {
      graph.position(of: $0) ?? 0 < graph.position(of: $1) ?? 0
    }
  }

  /// True if a view controller may have to be told something after a change.
  func mayAppear(by change: Outcome.Change) -> Bool {
    switch change {
    case .state, .mergedState, .properties, .handler, .handlerRemoved, .keyCommands,
      .registration, .registrationRemoved, .firstResponder, .superview:
      return false
    case .responder(let responder):
      let id = responder.id
      switch graph.kind(of: id) {
      case .view, .responder, .delegate, .scene, .application:
        return instances[id] != nil || appearances?.visible.contains(id) == true
      case .viewController, .window, nil: return true
      }
    default: return true
    }
  }

  /// True if there are view controllers that come into view and leave it, or instances that may go.
  var hasAppearances: Bool {
    !instances.isEmpty || appearances?.visible.isEmpty == false
      || graph.owners[.rootViewController]?.isEmpty == false
  }
}
