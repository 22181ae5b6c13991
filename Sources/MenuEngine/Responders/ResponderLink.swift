/// A link from one responder to another, named as the property of UIKit that it stands for.
public enum ResponderLink: String, CaseIterable, Sendable {
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
  /// Of a window: its root view controller.
  case rootViewController
  /// Of a window: the scene it is in.
  case windowScene
  /// Of an application: its delegate.
  case delegate
  /// Of a proxy: the responder that it stands for (L8).
  case proxied

  /// The kinds of responders that have this link.
  public var holders: [ResponderKind] {
    switch self {
    case .next, .proxied: ResponderKind.allCases
    case .superview: [.view]
    case .view, .parent, .presentingViewController: [.viewController]
    case .rootViewController, .windowScene: [.window]
    case .delegate: [.application]
    }
  }

  /// The kinds of responders that it can lead to.
  public var destinations: [ResponderKind] {
    switch self {
    case .next, .delegate, .proxied: ResponderKind.allCases
    case .superview: [.view, .window]
    case .view: [.view]
    case .parent, .presentingViewController, .rootViewController: [.viewController]
    case .windowScene: [.scene]
    }
  }

  /// Whether one destination can have one such link to it only.
  var isExclusive: Bool {
    switch self {
    case .view, .rootViewController: true
    case .next, .superview, .parent, .presentingViewController, .windowScene, .delegate, .proxied:
      false
    }
  }
}
