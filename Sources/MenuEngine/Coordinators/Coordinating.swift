/// What makes a responder a coordinator, which owns view controllers and gets their messages (C4).
///
/// Its root view controller, its parent and what follows the topmost one are links of the responder,
/// `coordinatedRoot`, `parentCoordinator` and `continuation`: none of them is kept by it, and they are
/// cleared when the other one goes.
public struct Coordinating: Equatable, Sendable {
  /// What its parent finds it by. The default is the responder's id.
  public let identifier: CoordinatorIdentifier
  /// Whether it keeps a list of view controllers. The default is `coordinator`, which does not.
  public let kind: Kind
  /// Whether it takes part in the coordinating chain, which otherwise ends before it (C3). The default
  /// is yes.
  public let isResponder: Bool

  /// Which kinds of coordinators there are.
  public enum Kind: String, CaseIterable, Sendable {
    /// One of a single root view controller (C4).
    case coordinator
    /// One of a navigation controller, whose stack it fills (C5).
    case navigation
  }
}

/// The name by which a coordinator is found among the children of its parent (C4).
public typealias CoordinatorIdentifier = Identifier<Coordinating>
