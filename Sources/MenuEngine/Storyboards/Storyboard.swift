/// View controllers as a designer laid them out, and how one leads to another (V2).
///
/// Whatever it names is in it, so that nothing is found missing when it is used (a decision): a segue
/// leads to a scene of the same storyboard, and a handler that wants one of another instantiates it by
/// name and shows it.
public struct Storyboard: Sendable, Codable {
  /// Its name.
  public let name: StoryboardName
  /// The scene that a launch begins with (V1).
  public let initialViewController: SceneName
  /// The scenes, in the order of the document.
  public let scenes: [Scene]

  /// The scene of a name.
  public func scene(_ name: SceneName) -> Scene? { scenes.first { $0.name == name } }
}

/// The name of a storyboard in the catalogue.
public typealias StoryboardName = Identifier<Storyboard>
/// The name of a scene in its storyboard.
public typealias SceneName = Identifier<Scene>
/// The identifier of a segue in its scene.
public typealias SegueIdentifier = Identifier<Segue>

/// One view controller of a storyboard: what each instance of it is like (V2).
public struct Scene: Sendable, Codable {
  /// Its name in the storyboard, and by default that of its first instance.
  public let name: SceneName
  /// The prototype of its instances; it has no links yet.
  public let viewController: Responder
  /// The prototype of its view. The default is an empty one.
  public let view: SceneView
  /// The scenes of its children: the root of a navigation controller, the tabs of a tab bar
  /// controller, the columns of a split view controller (V2).
  public let viewControllers: [SceneName]
  /// The segues that lead on from it (V3).
  public let segues: [Segue]

  /// The segue of an identifier.
  public func segue(_ identifier: SegueIdentifier) -> Segue? {
    segues.first { $0.identifier == identifier }
  }

  /// The scenes that are instantiated with it: its children, and what it embeds (V4).
  var relatives: [SceneName] {
    viewControllers + segues.filter { $0.kind == .embed }.compactMap(\.destination)
  }
}

/// A view of a scene.
public struct SceneView: Sendable, Codable {
  /// Its name in the scene; an instance is called `CONTROLLER.NAME`.
  public let name: Identifier<SceneView>
  /// The prototype of its instances; it has no links yet.
  public let prototype: Responder
  /// The views in it.
  public let subviews: [SceneView]
}

/// The way from one scene to another (V3).
public struct Segue: Equatable, Sendable, Codable {
  /// The kinds of segues (V4).
  public enum Kind: String, CaseIterable, Sendable, Codable {
    /// Sends `showViewController:sender:` to the source (A4).
    case show
    /// Sends `showDetailViewController:sender:` to the source (A4).
    case showDetail
    /// The source presents the destination.
    case present
    /// Pushes onto the stack of the navigation controller around the source; without one, nothing
    /// happens.
    case push
    /// The source presents the destination as a popover.
    case popover
    /// The destination is a child of the source from its instantiation on.
    case embed
    /// Its own effects.
    case custom
    /// Leads back to a view controller that is there already (V6).
    case unwind
  }

  /// By which it is performed; two segues of one scene never have the same. Only what is embedded
  /// needs none.
  public let identifier: SegueIdentifier?
  /// The kind.
  public let kind: Kind
  /// The scene that it leads to; nil for one that unwinds.
  public let destination: SceneName?
  /// The action that is sent to the view controller that it unwinds to.
  public let action: Selector?
  /// The rule that decides if it is performed when the user triggers it, before the source is
  /// asked.
  public let shouldPerform: Rule?
  /// The effects before it is performed, and before the source prepares (V5).
  public let prepare: [Effect]
  /// The effects of a custom one.
  public let perform: [Effect]
}

/// The scene that a view controller is an instance of.
public struct SceneReference: Hashable, Sendable, Codable {
  /// The storyboard.
  public let storyboard: StoryboardName
  /// The scene in it.
  public let scene: SceneName

  /// A scene of a storyboard.
  public init(storyboard: StoryboardName, scene: SceneName) {
    self.storyboard = storyboard
    self.scene = scene
  }
}
