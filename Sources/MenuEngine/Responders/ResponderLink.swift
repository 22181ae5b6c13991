/// A link from one responder to another, named as the property of UIKit that it stands for.
public enum ResponderLink: String, CaseIterable, Sendable, Codable, CodingKeyRepresentable {
  /// Of any responder: the next one, whatever the other links say (R2).
  case next
  /// Of a view: the view, or the window, it is in.
  case superview
  /// Of a view controller: its root view.
  case view
  /// Of a view controller: the container it is a child of.
  case parent
  /// Of a view controller: the one that presents it.
  case presentingViewController
  /// Of a container: the child that it shows, when it shows one of them (a tab bar controller).
  case selectedViewController
  /// Of a window: its root view controller.
  case rootViewController
  /// Of a window: the scene it is in.
  case windowScene
  /// Of any responder but a scene or a delegate: its delegate, which it does not keep (V7).
  case delegate
  /// Of a window: who has focus in it while another window is key (R10, R11).
  case firstResponder
  /// Of any responder: its substitute for actions that it does not respond to (R10).
  case supplementalTarget
  /// Of any responder: who gets the messages that it has no method for (F4, F10).
  case forwardingTarget
  /// Of a proxy: the responder that it stands for (L8).
  case proxied
  /// Of a view controller: the coordinator that it belongs to; of a coordinator: the one it is a child
  /// of (C1). Neither keeps it (C3).
  case parentCoordinator
  /// Of a coordinator without parent: where messages go on (C1).
  case continuation
  /// Of a coordinator: the view controller whose owner it is while it is started (C4).
  case coordinatedRoot = "coordinating/rootViewController"

  /// The kinds of responders that have this link.
  package var holders: [ResponderKind] {
    switch self {
    case .next, .supplementalTarget, .forwardingTarget, .proxied: ResponderKind.allCases
    case .parentCoordinator: [.viewController, .responder]
    case .continuation, .coordinatedRoot: [.responder]
    case .superview: [.view]
    case .view, .parent, .presentingViewController, .selectedViewController: [.viewController]
    case .rootViewController, .windowScene, .firstResponder: [.window]
    case .delegate: [.application, .window, .viewController, .view, .responder]
    }
  }

  /// The kinds of responders that it can lead to.
  package var destinations: [ResponderKind] {
    switch self {
    case .next, .delegate, .firstResponder, .supplementalTarget, .forwardingTarget, .proxied,
      .continuation:
      ResponderKind.allCases
    case .parentCoordinator: [.responder]
    case .superview: [.view, .window]
    case .view: [.view]
    case .parent, .presentingViewController, .selectedViewController, .rootViewController,
      .coordinatedRoot:
      [.viewController]
    case .windowScene: [.scene]
    }
  }

  /// True if one destination can have one such link to it only.
  var isExclusive: Bool {
    switch self {
    case .view, .rootViewController, .presentingViewController: true
    case .next, .superview, .parent, .selectedViewController, .windowScene, .delegate,
      .firstResponder, .supplementalTarget, .forwardingTarget, .proxied, .parentCoordinator,
      .continuation, .coordinatedRoot:
      false
    }
  }

  /// The place of the link in the document of a responder, as a pointer's tokens.
  package var path: [String] {
    switch self {
    case .coordinatedRoot: ["coordinating", "rootViewController"]
    case .next, .superview, .view, .parent, .presentingViewController, .selectedViewController,
      .rootViewController, .windowScene, .delegate, .firstResponder, .supplementalTarget,
      .forwardingTarget, .proxied, .parentCoordinator, .continuation:
      [rawValue]
    }
  }

  /// True if a part of the document beside the links reads and writes it.
  var isOfPart: Bool { self == .proxied || self == .coordinatedRoot }
}

extension ResponderLink {
  /// The number of links that are declared before this one.
  var order: Int { Self.inOrder.firstIndex(of: self) ?? 0 }

  private static let inOrder = allCases
}

extension ResponderLink: CustomStringConvertible {
  /// The link as answers name it.
  public var description: String { rawValue }
}

/// A link that was cleared because the responder it led to is gone.
public struct ClearedLink: Equatable, Sendable {
  /// The responder that had the link.
  public let holder: ResponderID
  /// The link.
  public let link: ResponderLink
  /// The destination that it had.
  public let destination: ResponderID
}

/// The links of a responder, in the order in which `ResponderLink` declares them.
///
/// A responder has few, so that each is found by looking at one after the other.
package struct ResponderLinks: Sendable {
  private var links: [(link: ResponderLink, destination: ResponderID)] = []

  /// No links.
  package init() {}

  /// The responder that a link leads to; nil when there is no such link.
  package subscript(link: ResponderLink) -> ResponderID? {
    get {
      let links = links.span
      for index in links.indices where links[index].link == link { return links[index].destination }
      return nil
    }
    set {
      let index = links.firstIndex { $0.link.order >= link.order } ?? links.count
      let isThere = index < links.count && links[index].link == link
      switch newValue {
      case let destination? where isThere: links[index].destination = destination
      case let destination?: links.insert((link, destination), at: index)
      case nil: if isThere { links.remove(at: index) }
      }
    }
  }
}

extension ResponderLinks: Sequence {
  /// The links with what they lead to.
  package func makeIterator() -> IndexingIterator<[(link: ResponderLink, destination: ResponderID)]>
  {
    links.makeIterator()
  }
}

extension ResponderLinks: Equatable {
  /// True if both have the same links to the same responders.
  package static func == (a: ResponderLinks, b: ResponderLinks) -> Bool {
    a.links.elementsEqual(b.links, by: ==)
  }
}

extension ResponderLinks: ExpressibleByDictionaryLiteral {
  /// Links that are written in any order, each once.
  package init(dictionaryLiteral links: (ResponderLink, ResponderID)...) {
    for (link, destination) in links { self[link] = destination }
  }
}

/// They are stored as a dictionary.
extension ResponderLinks: Codable {
  /// Encodes the links by their names.
  package func encode(to encoder: any Encoder) throws {
    try Dictionary(uniqueKeysWithValues: links.map { ($0.link, $0.destination) })
      .encode(to: encoder)
  }

  /// Decodes links by their names.
  package init(from decoder: any Decoder) throws {
    for (link, destination) in try [ResponderLink: ResponderID](from: decoder) {
      self[link] = destination
    }
  }
}

/// The kinds of responders (R1).
public enum ResponderKind: String, CaseIterable, Sendable, Codable {
  /// The `UIApplication`; a session has one at most.
  case application
  /// The delegate of the application or of a scene.
  case delegate
  /// A `UIScene`.
  case scene
  /// A `UIWindow`.
  case window
  /// A `UIViewController`.
  case viewController
  /// A `UIView`.
  case view
  /// Any other `UIResponder`.
  case responder

  /// The class of a responder of this kind that names none.
  package var defaultClass: ClassName {
    switch self {
    case .application: ClassName(unchecked: "UIApplication")
    case .scene: ClassName(unchecked: "UIScene")
    case .window: ClassName(unchecked: "UIWindow")
    case .viewController: ClassName(unchecked: "UIViewController")
    case .view: ClassName(unchecked: "UIView")
    case .delegate, .responder: ClassName(unchecked: "UIResponder")
    }
  }
}
