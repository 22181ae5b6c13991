import JSONText

/// The part of a responder that is a coordinator: it owns view controllers and receives their messages (C4).
///
/// Its root view controller, its parent and its continuation are links of the responder: `coordinatedRoot`,
/// `parentCoordinator` and `continuation`. They are cleared when their destination is removed. A coordinator keeps its
/// root and the view controllers in its list alive, but not its parent or its children.
package struct Coordinating: Equatable, Sendable, Codable {
  /// The name by which its parent finds it. The default is the responder's id.
  package let identifier: CoordinatorIdentifier
  /// The kind, which decides if it has a list of view controllers. The default is `coordinator`, without a
  /// list.
  package let kind: Kind
  /// True if it is part of the coordinating chain; if false, the chain ends before it (C3). The default is true.
  package let isResponder: Bool
  /// True if it was started and not stopped since (C4). The default is false.
  package internal(set) var isStarted = false
  /// The view controllers of a navigation coordinator, parallel to the stack of its navigation controller (C5). It
  /// keeps them alive. The default is none.
  package internal(set) var viewControllers: [ResponderID] = []

  /// The parent under which another coordinator with the same identifier replaced it (C4); nil for none.
  var replacedUnder: ResponderID?

  package enum Kind: String, CaseIterable, Sendable, Codable {
    /// A coordinator of a single root view controller (C4).
    case coordinator
    /// A coordinator of a navigation controller's stack (C5).
    case navigation
  }
}

extension Responder {
  /// True if another coordinator with the same identifier replaced it among the children of its parent (C4). It keeps
  /// working and keeps its link to the parent. Under a new parent it is a child again.
  package var isReplaced: Bool {
    guard let parent = coordinating?.replacedUnder else { return false }
    return links[.parentCoordinator] == parent
  }
}

/// The name by which a coordinator is found among the children of its parent (C4).
package typealias CoordinatorIdentifier = Identifier<Coordinating>

extension Coordinating {
  /// Reads the coordinator part of a responder's document; nil if there is none. The root view controller is
  /// stored in the links.
  ///
  /// Only plain responders can be coordinators, and of those only coordinators have a parent coordinator or a
  /// continuation.
  init?(
    _ reader: inout ObjectReader, of id: ResponderID, kind: ResponderKind?,
    _ links: inout ResponderLinks
  ) {
    guard let json = reader.json("coordinating") else {
      if kind == .responder, links[.parentCoordinator] != nil || links[.continuation] != nil {
        reader.log.note(.missingMember("coordinating"), at: reader.pointer)
      }
      return nil
    }
    let place = reader.place(of: "coordinating")
    if let kind, kind != .responder {
      reader.log.note(
        .memberOfOtherKind("coordinating", kind: kind, kinds: [.responder]), at: place)
    }
    guard let coordinating = Self.read(json, at: place, log: reader.log, of: id, &links) else {
      return nil
    }
    self = coordinating
  }

  private static func read(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog, of id: ResponderID,
    _ links: inout ResponderLinks
  ) -> Coordinating? {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let identifier: CoordinatorIdentifier? = reader.member("identifier", Read.identifier)
    links[.coordinatedRoot] = reader.member("rootViewController", Read.identifier)
    let kind: Kind? = reader.member("kind", Read.word)
    let isResponder = reader.member("isResponder", Read.bool)
    let isStarted = reader.member("isStarted", Read.bool)
    let isReplaced = reader.member("isReplaced", Read.bool)
    let viewControllers: [ResponderID]? = reader.list("viewControllers", Read.identifier)
    if viewControllers != nil, (kind ?? .coordinator) == .coordinator {
      reader.log.note(.conflictingMembers("kind", "viewControllers"), at: pointer)
    }
    if isReplaced == true, links[.parentCoordinator] == nil {
      log.note(.missingMember("parentCoordinator"), at: JSONPointer(pointer.tokens.dropLast() + []))
    }
    reader.finish()
    return Coordinating(
      identifier: identifier ?? CoordinatorIdentifier(unchecked: id.rawValue),
      kind: kind ?? .coordinator, isResponder: isResponder ?? true,
      isStarted: isStarted ?? false, viewControllers: viewControllers ?? [],
      replacedUnder: isReplaced == true ? links[.parentCoordinator] : nil)
  }
}

extension Responder {
  /// Writes the coordinator part.
  func writeCoordinating(to object: inout JSONObject) {
    guard let coordinating else { return }
    var value = JSONObject()
    value["identifier"] = .string(coordinating.identifier.rawValue)
    value["rootViewController"] = links[.coordinatedRoot].map { .string($0.rawValue) }
    value["kind"] = .string(coordinating.kind.rawValue)
    if !coordinating.isResponder { value["isResponder"] = false }
    if coordinating.isStarted { value["isStarted"] = true }
    if isReplaced { value["isReplaced"] = true }
    if !coordinating.viewControllers.isEmpty {
      value["viewControllers"] = .array(
        coordinating.viewControllers.map { .string($0.rawValue) })
    }
    object["coordinating"] = .object(value)
  }

  /// The coordinator as rules see it in `responder.coordinating`, with its links and without its children; nil
  /// for other responders.
  fileprivate var coordinatingRuleValue: JSONObject? {
    guard let coordinating else { return nil }
    func text(_ link: ResponderLink) -> JSON { links[link].map { .string($0.rawValue) } ?? .null }
    var value = JSONObject()
    value["identifier"] = .string(coordinating.identifier.rawValue)
    value["kind"] = .string(coordinating.kind.rawValue)
    value["rootViewController"] = text(.coordinatedRoot)
    value["parentCoordinator"] = text(.parentCoordinator)
    value["continuation"] = text(.continuation)
    value["isStarted"] = .bool(coordinating.isStarted)
    value["isReplaced"] = .bool(isReplaced)
    value["viewControllers"] = .array(
      coordinating.viewControllers.map { .string($0.rawValue) })
    return value
  }
}

extension ResponderGraph {
  /// Returns the number of other responders that the rule value of a responder reads.
  func ruleMemberCount(of id: ResponderID) -> Int {
    guard let responder = self[id] else { return 0 }
    guard let coordinating = responder.coordinating else { return responder.viewControllers.count }
    return coordinating.viewControllers.count + (holders[id]?.count ?? 0)
  }

  /// Returns a coordinator as rules see it in `responder.coordinating`; nil for other responders.
  func coordinatingRuleValue(of responder: Responder) -> JSON? {
    guard var value = responder.coordinatingRuleValue else { return nil }
    var children = JSONObject()
    for child in childCoordinators(of: responder.id) {
      children[child.identifier.rawValue] = .string(child.id.rawValue)
    }
    value["childCoordinators"] = .object(children)
    return .object(value)
  }
}

/// The coordinating chain: the way of messages up through containers and coordinators (C1).
extension ResponderGraph {
  /// Returns the next receiver of a message after a responder; nil at the end of the chain.
  package func coordinatingNext(of id: ResponderID) -> ResponderID? {
    coordinatingStep(from: id).next
  }

  /// Returns the coordinating chain from `start`, itself included, and its cycle, with the first responder
  /// repeated at the end; nil without a cycle (R9).
  ///
  /// Links of coordinators that would close a cycle are refused; an explicit `next` inside a container can
  /// close one.
  package func coordinatingChain(
    from start: ResponderID
  ) -> (members: [ResponderID], cycle: [ResponderID]?) {
    var members: [ResponderID] = []
    var positions: [ResponderID: Int] = [:]
    var current = self[start]?.id
    while let id = current {
      if let position = positions[id] { return (members, Array(members[position...]) + [id]) }
      positions[id] = members.count
      members.append(id)
      current = coordinatingNext(of: id)
    }
    return (members, nil)
  }

  /// Returns the next step of the coordinating chain after a responder.
  ///
  /// From a view controller to its coordinator, else its container, else its presenter, else the superview of
  /// its view; from a coordinator to its parent, else its continuation; from others to the next responder. An
  /// owner that is not a responder ends the chain (C3).
  ///
  /// **Decision:** a view controller or coordinator without any of these links continues to its `next` as other
  /// responders do; so the root of a window continues to the window, in UIKit the superview of its view.
  func coordinatingStep(from id: ResponderID) -> CoordinatingStep {
    positions[id].map { coordinatingStep(from: $0) } ?? .end
  }

  /// Returns the step after the responder at a position.
  func coordinatingStep(from position: Int) -> CoordinatingStep {
    let links = responders[position].links
    for link in [ResponderLink.parentCoordinator, .continuation] {
      guard let owner = links[link], let position = positions[owner] else { continue }
      let isResponder = responders[position].coordinating?.isResponder ?? true
      return isResponder ? .to(owner, by: link) : .cut(owner, by: link)
    }
    if responders[position].kind == .viewController {
      for link in [ResponderLink.parent, .presentingViewController] {
        if let container = links[link] { return .to(container, by: link) }
      }
      if let superview = links[.view].flatMap({ self.link(.superview, of: $0) }) {
        return .to(superview, by: .superview)
      }
    }
    return nextPositions[position].map { .to(responders[$0].id, by: .next) } ?? .end
  }
}

/// A step of the coordinating chain.
enum CoordinatingStep: Equatable {
  /// A step to a responder by a link, or `superview` for its view.
  case to(ResponderID, by: ResponderLink)
  /// The end, since the owner or continuation is not a responder (C3).
  case cut(ResponderID, by: ResponderLink)
  /// The end.
  case end

  var next: ResponderID? {
    switch self {
    case .to(let id, by: _): id
    case .cut, .end: nil
    }
  }
}

/// Problems of a session's coordinating chains and message queue.
package struct CoordinatingDiagnostics: Equatable, Sendable {
  /// The cycles of coordinating chains (R9). Links of coordinators that would close a cycle are refused;
  /// containers with an explicit `next` inside can close one.
  package let cycles: [[ResponderID]]
  /// The responders after which a chain ends because the owner is not a responder (C3).
  package let cut: [ResponderID]
  /// The coordinators without a root view controller, or whose root was removed (C4).
  package let rootless: [ResponderID]
  /// The removed senders of queued messages (C6).
  package let goneSenders: [ResponderID]
  /// The coordinators replaced among the children of their parent by one with the same identifier (C4).
  package internal(set) var replaced: [ResponderID] = []
  /// The started coordinators that no message reaches (C4).
  package internal(set) var dead: [DeadCoordinator] = []
}

extension Session {
  /// The problems of coordinators and queued messages.
  var coordinatingDiagnostics: CoordinatingDiagnostics {
    let responders = graph.responders
    var met: Set<ResponderID> = []
    return CoordinatingDiagnostics(
      cycles: graph.coordinatingCycle.map { [$0] } ?? [],
      cut: responders.map(\.id).filter { graph.coordinatingStep(from: $0).isCut },
      rootless: responders.filter { $0.coordinating != nil && $0.links[.coordinatedRoot] == nil }
        .map(\.id),
      goneSenders: messageQueue.messages.map(\.from)
        .filter { !graph.contains($0) && met.insert($0).inserted },
      replaced: responders.filter(\.isReplaced).map(\.id),
      dead: graph.deadCoordinators)
  }
}

extension CoordinatingStep {
  fileprivate var isCut: Bool {
    switch self {
    case .cut: true
    case .to, .end: false
    }
  }
}
