/// A link from one responder to another, named after the corresponding property of UIKit.
package enum ResponderLink: String, CaseIterable, Sendable, Codable, CodingKeyRepresentable {
  /// The next responder, whatever the other links are (R2). Any responder.
  case next
  /// The superview, or the window. Views.
  case superview
  /// The root view. View controllers.
  case view
  /// The container. View controllers.
  case parent
  /// The presenter. View controllers.
  case presentingViewController
  /// The child shown by a container that shows only one, such as a tab bar controller. Containers.
  case selectedViewController
  /// The root view controller. Windows.
  case rootViewController
  /// The scene. Windows.
  case windowScene
  /// The delegate, a weak link (V7). Any responder but a scene or a delegate.
  case delegate
  /// The first responder in it while another window is key (R10, R11). Windows.
  case firstResponder
  /// The substitute for actions it does not respond to (R10). Any responder.
  case supplementalTarget
  /// The receiver of messages it has no method for (F4, F10). Any responder.
  case forwardingTarget
  /// The responder it stands for (L8). Proxies.
  case proxied
  /// The coordinator of a view controller, or the parent of a coordinator (C1). A weak link (C3).
  case parentCoordinator
  /// The responder after a coordinator without parent, for messages (C1).
  case continuation
  /// The view controller that a coordinator owns while it is started (C4).
  case coordinatedRoot = "coordinating/rootViewController"

  /// The kinds of responders that can have this link.
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

  /// True if a destination can have only one such link to it.
  var isExclusive: Bool {
    self == .view || self == .rootViewController || self == .presentingViewController
  }

  /// The place of the link in the document of a responder, as tokens of a pointer.
  package var path: [String] {
    self == .coordinatedRoot ? ["coordinating", "rootViewController"] : [rawValue]
  }

  /// True if it is read and written in a part of the document other than `links`.
  var isOfPart: Bool { self == .proxied || self == .coordinatedRoot }
}

extension ResponderLink {
  /// The position of the link in declaration order.
  var order: Int { Self.inOrder.firstIndex(of: self) ?? 0 }

  private static let inOrder = allCases
}

extension ResponderLink: CustomStringConvertible {
  /// The link as answers name it.
  package var description: String { rawValue }
}

/// A link that was cleared because its destination was removed.
package struct ClearedLink: Equatable, Sendable {
  /// The responder that had the link.
  package let holder: ResponderID
  package let link: ResponderLink
  /// The former destination.
  package let destination: ResponderID
}

/// The links of a responder, in the order of `ResponderLink`.
///
/// A responder has few links, so look-up is linear.
package struct ResponderLinks: Sendable {
  private var links: [(link: ResponderLink, destination: ResponderID)] = []

  package init() {}

  /// The destination of a link; nil for none.
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

/// The holders of exclusive links, by destination.
///
/// Other links have no owners; setting one has no effect.
struct LinkOwners: Sendable {
  /// The view controllers of root views.
  private var viewControllers = BlockDictionary<ResponderID, ResponderID>()
  /// The windows of root view controllers.
  private var windows = BlockDictionary<ResponderID, ResponderID>()
  /// The presented view controllers of presenters.
  private var presented = BlockDictionary<ResponderID, ResponderID>()

  subscript(link: ResponderLink) -> BlockDictionary<ResponderID, ResponderID> {
    _read {
      switch link {
      case .view: yield viewControllers
      case .rootViewController: yield windows
      case .presentingViewController: yield presented
      case .next, .superview, .parent, .selectedViewController, .windowScene, .delegate,
        .firstResponder, .supplementalTarget, .forwardingTarget, .proxied, .parentCoordinator,
        .continuation, .coordinatedRoot:
        yield BlockDictionary()
      }
    }
    _modify {
      switch link {
      case .view: yield &viewControllers
      case .rootViewController: yield &windows
      case .presentingViewController: yield &presented
      case .next, .superview, .parent, .selectedViewController, .windowScene, .delegate,
        .firstResponder, .supplementalTarget, .forwardingTarget, .proxied, .parentCoordinator,
        .continuation, .coordinatedRoot:
        var none = BlockDictionary<ResponderID, ResponderID>()
        yield &none
      }
    }
  }
}

extension ResponderLinks: Sequence {
  package func makeIterator() -> IndexingIterator<[(link: ResponderLink, destination: ResponderID)]>
  {
    links.makeIterator()
  }
}

extension ResponderLinks: Equatable {
  package static func == (a: ResponderLinks, b: ResponderLinks) -> Bool {
    a.links.elementsEqual(b.links, by: ==)
  }
}

extension ResponderLinks: ExpressibleByDictionaryLiteral {
  /// Creates links from a literal in any order.
  package init(dictionaryLiteral links: (ResponderLink, ResponderID)...) {
    for (link, destination) in links { self[link] = destination }
  }
}

/// The coded form is a dictionary.
extension ResponderLinks: Codable {
  package func encode(to encoder: any Encoder) throws {
    try Dictionary(uniqueKeysWithValues: links.map { ($0.link, $0.destination) })
      .encode(to: encoder)
  }

  package init(from decoder: any Decoder) throws {
    for (link, destination) in try [ResponderLink: ResponderID](from: decoder) {
      self[link] = destination
    }
  }
}

/// The kinds of responders (R1).
package enum ResponderKind: String, CaseIterable, Sendable, Codable {
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

  /// The class of a responder of this kind without an explicit one.
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
