/// The kinds of responders (R1).
public enum ResponderKind: String, CaseIterable, Sendable, Codable {
  case application
  case delegate
  case scene
  case window
  case viewController
  case view
  case responder

  /// The class of a responder of this kind that names none.
  public var defaultClass: ClassName {
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
