public import JSONText

/// A node of a session's object graph (R1), as a front end described it.
public struct Responder: Equatable, Sendable, Codable {
  /// Its name in the session.
  public internal(set) var id: ResponderID
  /// The kind.
  public let kind: ResponderKind
  /// Its class. The default is UIKit's class for its kind.
  public internal(set) var className: ClassName
  /// The responders that it leads to.
  public internal(set) var links: ResponderLinks
  /// The properties that rules read, a JSON object. The default is empty.
  public internal(set) var properties: JSON
  /// The rule that decides if it may become first responder (R8). The default is true.
  public let canBecomeFirstResponder: Rule?
  /// The rule that decides if it gives up being first responder (R8). The default is true.
  public let canResignFirstResponder: Rule?
  /// Of a view controller: its children, in order. A navigation controller's stack from the bottom
  /// to the top, a tab bar controller's tabs, a split view controller's columns (V4).
  public internal(set) var viewControllers: [ResponderID] = []
  /// Of a split view controller: whether it shows one column only (A8). The default is no.
  public internal(set) var isCollapsed = false
  /// The rules that decide if it can perform actions (R4), whichever class implements these; they
  /// replace those of its class.
  public internal(set) var canPerform: [Selector: Rule] = [:]
  /// The handlers of its own, apart from its class.
  public internal(set) var handlers: [Selector: Handler]
  /// The keys it listens to, apart from those of its class (K1).
  public internal(set) var keyCommands: [KeyCommand]
  /// Its coordinator, when it hosts one (F2).
  public internal(set) var coordinator: MenuCoordinator?
  /// The method that gets the messages it has none for (F10).
  public let catchAll: CatchAll?
  /// Names whom to ask in its place for what it does not respond to, or null (R10); in place of the
  /// link `supplementalTarget`.
  public let supplementalTargetRule: Rule?
  /// Its weight among late responders; the lightest is asked first (L3). The default is 0.
  public let weight: Int
  /// The part that makes it a proxy of another responder (L8); nil when it is none.
  public internal(set) var proxy: Proxy?
  /// Its late responders, when it hosts a registry (L1).
  public internal(set) var lateResponders: LateRegistry?
  /// The part that makes it a coordinator of view controllers (C4); nil when it is none.
  public internal(set) var coordinating: Coordinating?
  /// The declaration of an undo manager of its own (U1); nil when it has none.
  public internal(set) var undoManager: UndoManagerDeclaration?
  /// The activity of its user, for other devices to go on with (L13).
  public let userActivity: UserActivity?
  /// The items that it adds to the touch bar (L13).
  public let touchBar: TouchBar?
  /// The scene that it is an instance of (V2); nil when no storyboard describes it.
  public internal(set) var scene: SceneReference?
  /// The events of others that it wants to be told of (V9).
  public let observes: [Observation]
  /// The mark in its document of an instance that the session made itself (V2); nil when a front end put
  /// it, and in a graph, since the session has noted it then (``Session/responder(_:)``).
  public internal(set) var instance: MadeInstance?
  /// True when its document has a list of children, which then replaces the present one; else those stay.
  var listsViewControllers: Bool?
}

extension ResponderGraph {
  /// Returns a responder as rules see it; null when it is not there.
  func ruleValue(of id: ResponderID) -> JSON {
    guard let responder = self[id] else { return .null }
    var object = responder.ruleValue
    if responder.kind == .viewController { writeContainment(of: responder, to: &object) }
    if let coordinating = coordinatingRuleValue(of: responder) {
      object["coordinating"] = coordinating
      object["parentCoordinator"] =
        responder.links[.parentCoordinator].map { .string($0.rawValue) } ?? .null
    }
    return .object(object)
  }
}

extension Responder {
  /// The responder as rules see it, apart from how it is contained.
  fileprivate var ruleValue: JSONObject {
    var object = JSONObject()
    object["id"] = .string(id.rawValue)
    object["kind"] = .string(kind.rawValue)
    object["class"] = .string(className.rawValue)
    object["properties"] = properties
    if let coordinator {
      let selectors = coordinator.registrations.map { JSON.string($0.selector.rawValue) }
      var value = JSONObject()
      value["handlers"] = .array(selectors)
      object["coordinator"] = .object(value)
    }
    return object
  }
}
