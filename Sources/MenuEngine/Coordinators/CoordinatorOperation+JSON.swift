import JSONText

/// The words for what coordinators are told, which mutations and effects have in common.
enum CoordinatorOp: String, CaseIterable {
  case startCoordinator
  case startChildCoordinator
  case stopChildCoordinator
  case stopCoordinator
  case activateCoordinator
  case takeoverCoordinator
  case coordinatorDidFinish
  case coordinatorShow
  case coordinatorRoot
  case coordinatorTop
  case coordinatorPop
}

extension CoordinatorOp {
  /// The member that it has beside `coordinator` in any case.
  fileprivate var otherMember: String? {
    switch self {
    case .startChildCoordinator: "parentCoordinator"
    case .coordinatorShow, .coordinatorRoot, .coordinatorTop: "viewController"
    case .startCoordinator, .stopChildCoordinator, .stopCoordinator, .activateCoordinator,
      .takeoverCoordinator, .coordinatorDidFinish, .coordinatorPop:
      nil
    }
  }
}

extension CoordinatorOperation {
  /// The operation with the members that `name` reads, or nil when one of them is missing or at fault.
  init?(_ op: CoordinatorOp, to destination: Name?, _ name: (_ member: String) -> Name?) {
    let id = name("coordinator")
    let other = op.otherMember.flatMap(name)
    guard let id, let operation = Self.make(op, id, other, to: destination) else { return nil }
    self = operation
  }

  private static func make(
    _ op: CoordinatorOp, _ id: Name, _ other: Name?, to destination: Name?
  ) -> Self? {
    switch op {
    case .startCoordinator: .start(id)
    case .startChildCoordinator: other.map { .startChild(id, of: $0) }
    case .stopChildCoordinator: .stopChild(id)
    case .stopCoordinator: .stop(id)
    case .activateCoordinator: .activate(id)
    case .takeoverCoordinator: .takeover(id)
    case .coordinatorDidFinish: .didFinish(id)
    case .coordinatorShow: other.map { .show($0, by: id) }
    case .coordinatorRoot: other.map { .root($0, of: id) }
    case .coordinatorTop: other.map { .top($0, of: id) }
    case .coordinatorPop: .pop(id, to: destination)
    }
  }

  /// The operation as a document.
  fileprivate func document(_ name: (Name) -> JSON?) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op.rawValue)
    for (member, value) in members { object[member] = value.flatMap(name) }
    return .object(object)
  }

  private var op: CoordinatorOp {
    switch self {
    case .start: .startCoordinator
    case .startChild: .startChildCoordinator
    case .stopChild: .stopChildCoordinator
    case .stop: .stopCoordinator
    case .activate: .activateCoordinator
    case .takeover: .takeoverCoordinator
    case .didFinish: .coordinatorDidFinish
    case .show: .coordinatorShow
    case .root: .coordinatorRoot
    case .top: .coordinatorTop
    case .pop: .coordinatorPop
    }
  }

  /// The names in it.
  var names: [Name] { members.compactMap(\.1) }

  private var members: [(String, Name?)] {
    switch self {
    case .start(let id), .stopChild(let id), .stop(let id), .activate(let id), .takeover(let id),
      .didFinish(let id):
      [("coordinator", id)]
    case .startChild(let id, of: let parent):
      [("coordinator", id), ("parentCoordinator", parent)]
    case .show(let shown, by: let id), .root(let shown, of: let id), .top(let shown, of: let id):
      [("coordinator", id), ("viewController", shown)]
    case .pop(let id, to: let destination): [("coordinator", id), ("to", destination)]
    }
  }
}

extension CoordinatorMutation {
  /// The mutation with the members of a document, or nil and the faults.
  init?(_ op: CoordinatorOp, _ reader: inout ObjectReader) {
    let destination: ResponderID? =
      op == .coordinatorPop ? reader.member("to", Read.identifier) : nil
    let mutation = CoordinatorMutation(op, to: destination) { member in
      reader.required(member, Read.identifier)
    }
    guard let mutation else { return nil }
    self = mutation
  }

  /// The mutation as a document.
  var json: JSON { document { .string($0.rawValue) } }
}

extension CoordinatorEffect {
  /// The effect with the members of a document; faults are noted.
  ///
  /// The coordinator may be left out, except where a child is started or stopped, and so may the parent
  /// of a child.
  init?(_ op: CoordinatorOp, _ reader: inout ObjectReader) {
    let destination = op == .coordinatorPop ? reader.member("to", Read.stringRule) : nil
    let isOfChild = op == .startChildCoordinator || op == .stopChildCoordinator
    let effect = CoordinatorEffect(op, to: destination.map(Rule?.some)) { member in
      let isRequired = member == "viewController" || member == "coordinator" && isOfChild
      return .some(
        isRequired
          ? reader.required(member, Read.stringRule) : reader.member(member, Read.stringRule))
    }
    guard let effect else { return nil }
    self = effect
  }

  /// The effect as a document.
  var json: JSON { document { $0?.json } }
}
