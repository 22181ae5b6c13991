/// The part of a responder that is a coordinator: it owns view controllers and gets their messages
/// (C4).
///
/// Its root view controller, its parent and what follows the topmost one are links of the responder,
/// `coordinatedRoot`, `parentCoordinator` and `continuation`, which are cleared when the other one goes.
/// It keeps instances that are its root or in its list, and neither its parent nor its children.
public struct Coordinating: Equatable, Sendable, Codable {
  /// The name by which its parent finds it. The default is the responder's id.
  public let identifier: CoordinatorIdentifier
  /// The kind, which decides whether it keeps a list of view controllers. The default is
  /// `coordinator`, without a list.
  public let kind: Kind
  /// True if it takes part in the coordinating chain, which otherwise ends before it (C3). The default
  /// is yes.
  public let isResponder: Bool
  /// True if it was started, and not stopped since (C4). The default is false.
  public internal(set) var isStarted = false
  /// The view controllers of a navigation coordinator, beside the stack of its navigation controller
  /// (C5). It keeps them. The default is none.
  public internal(set) var viewControllers: [ResponderID] = []

  /// The parent among whose children another coordinator with the same identifier took its place (C4); nil
  /// for none.
  var replacedUnder: ResponderID?

  /// The kinds of coordinators.
  public enum Kind: String, CaseIterable, Sendable, Codable {
    /// One of a single root view controller (C4).
    case coordinator
    /// One of a navigation controller, whose stack it fills (C5).
    case navigation
  }
}

extension Responder {
  /// True if another coordinator with the same identifier took its place among the children of its parent
  /// (C4). Its link to the parent stays, and it goes on working. Under another parent it is a child again.
  public var isReplaced: Bool {
    guard let parent = coordinating?.replacedUnder else { return false }
    return links[.parentCoordinator] == parent
  }
}

/// The name by which a coordinator is found among the children of its parent (C4).
public typealias CoordinatorIdentifier = Identifier<Coordinating>
