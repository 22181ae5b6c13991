/// The views that the view controllers of a session, those apart that it made, were told of last
/// (V9).
///
/// A session is opened with those on screen that its document describes: nothing becomes of them then,
/// and they are told nothing.
struct Appearances: Sendable {
  /// Those that were told that their view was loaded.
  var loaded = BlockSet<ResponderID>()
  /// Those that were told last that they came into view.
  var visible = BlockSet<ResponderID>()

  /// None was told anything.
  init() {}

  /// Forgets what a view controller was told that is gone.
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
  /// Notes once that those are on screen already with which the session was opened.
  mutating func noteOpeningAppearances(in catalog: Catalog) {
    guard appearances == nil else { return }
    var appearances = Appearances()
    for id in visibleViewControllers(in: catalog, besides: nil) where instances[id] == nil {
      appearances.loaded.insert(id)
      appearances.visible.insert(id)
    }
    self.appearances = appearances
  }

  /// True if a view controller was told last that it came into view.
  func wasToldVisible(_ id: ResponderID) -> Bool {
    instances[id]?.isVisible ?? appearances?.visible.contains(id) ?? false
  }

  /// Notes what a view controller is told.
  mutating func noteTold(_ id: ResponderID, isVisible: Bool) {
    if instances[id] != nil {
      instances[id]?.isVisible = isVisible
    } else if isVisible {
      appearances?.visible.insert(id)
    } else {
      appearances?.visible.remove(id)
    }
  }

  /// Notes that the view of a view controller is loaded; answers whether that is new.
  mutating func noteLoaded(_ id: ResponderID) -> Bool {
    if let instance = instances[id] {
      instances[id]?.isViewLoaded = true
      return !instance.isViewLoaded
    }
    guard appearances?.loaded.contains(id) == false else { return false }
    appearances?.loaded.insert(id)
    return true
  }

  /// Makes a responder the front end's, which keeps what it was told.
  mutating func release(_ id: ResponderID) {
    guard graph[id]?.kind == .viewController else {
      instances[id] = nil
      appearances?.forget(id)
      return
    }
    guard let instance = instances.removeValue(forKey: id) else { return }
    if instance.isViewLoaded { appearances?.loaded.insert(id) }
    if instance.isVisible { appearances?.visible.insert(id) }
  }

  /// Those that were told last that they came into view, and are not among `visible`; in the order in
  /// which they joined.
  func disappeared(besides visible: Set<ResponderID>) -> [ResponderID] {
    var gone = instances.filter { $0.value.isVisible && !visible.contains($0.key) }.map(\.key)
    gone += (appearances?.visible ?? BlockSet()).filter { !visible.contains($0) }
    return gone.sorted { graph.position(of: $0) ?? 0 < graph.position(of: $1) ?? 0 }
  }

  /// True if a view controller may have to be told something after a change.
  func mayAppear(by change: Outcome.Change) -> Bool {
    switch change {
    case .state, .mergedState, .properties, .handler, .handlerRemoved, .keyCommands,
      .registration, .registrationRemoved, .firstResponder, .superview:
      return false
    case .responder(let responder):
      let id = responder.id
      switch graph[id]?.kind {
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
