import JSONText

/// The operations on containers (V4). Each checks everything first, and returns the changes.
extension Session {
  /// Pushes a view controller onto a navigation controller's stack.
  mutating func push(
    _ id: ResponderID, onto navigationController: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try check(.navigation, navigationController, in: catalog)
    let stack = graph[navigationController]?.viewControllers ?? []
    guard !stack.contains(id) else {
      throw .containment(.repeated(id, in: navigationController))
    }
    return try setViewControllers(stack + [id], of: navigationController, in: catalog)
  }

  /// Pops a navigation controller's stack to a view controller, by default by one; the bottom always stays.
  mutating func pop(
    _ navigationController: ResponderID, to id: ResponderID? = nil, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try check(.navigation, navigationController, in: catalog)
    let stack = graph[navigationController]?.viewControllers ?? []
    guard let id else {
      guard stack.count > 1 else { return [] }
      return try setViewControllers(
        stack.dropLast() + [], of: navigationController, in: catalog)
    }
    guard let index = stack.firstIndex(of: id) else {
      throw .containment(.notAChild(id, of: navigationController))
    }
    return try setViewControllers(stack[...index] + [], of: navigationController, in: catalog)
  }

  /// Pops a navigation controller's stack to its bottom.
  mutating func popToRoot(
    _ navigationController: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try check(.navigation, navigationController, in: catalog)
    guard let root = graph[navigationController]?.viewControllers.first else { return [] }
    return try pop(navigationController, to: root, in: catalog)
  }

  mutating func setViewControllers(
    _ children: [ResponderID], of container: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    let kind = try checkViewController(container)
    let present = graph[container]?.viewControllers ?? []
    let those = Set(present)
    var met: Set<ResponderID> = []
    for child in children {
      guard met.insert(child).inserted else {
        throw .containment(.repeated(child, in: container))
      }
      if !those.contains(child) { try checkCandidate(child, in: container) }
    }
    if catalog.classes.containerKind(of: kind) == .split, children.count > 2 {
      throw .containment(.tooManyColumns(container, children.count))
    }
    guard children != present else { return [] }
    let parents = children.compactMap { graph[$0]?.links[.parent] }
    return try rearranging([container] + parents, in: catalog) { (session) throws(MutationFault) in
      try session.graph.setViewControllers(children, of: container)
    }
  }

  /// Selects a child of a tab bar controller.
  mutating func select(
    _ id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try checkViewController(id)
    guard let container = graph.link(.parent, of: id),
      containerKind(of: container, in: catalog) == .tabBar
    else { throw .containment(.notInA(.tabBar, id)) }
    guard graph.selectedViewController(of: container) != id else { return [] }
    return try rearranging([container], in: catalog) { (session) throws(MutationFault) in
      try session.graph.setLink(.selectedViewController, of: container, to: id)
    }
  }

  /// Removes a child from its container; has no effect without a container.
  mutating func removeFromParent(
    _ id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try checkViewController(id)
    guard let container = graph.link(.parent, of: id), let parent = graph[container] else {
      return []
    }
    return try setViewControllers(
      parent.viewControllers.filter { $0 != id }, of: container, in: catalog)
  }
}

extension Session {
  /// Returns the class of a responder, which must be a view controller.
  @discardableResult
  func checkViewController(_ id: ResponderID) throws(MutationFault) -> ClassName {
    guard let responder = graph[id] else { throw .unknownResponder(id) }
    guard responder.kind == .viewController else {
      throw .containment(.notAViewController(id, responder.kind))
    }
    return responder.className
  }

  /// Throws unless the responder is a container of the kind.
  func check(
    _ kind: ContainerKind, _ id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) {
    let name = try checkViewController(id)
    guard catalog.classes.containerKind(of: name) == kind else {
      throw .containment(.notA(kind, id, name))
    }
  }

  /// Throws if a view controller cannot become a child of a container: it is on screen otherwise, or it is the
  /// container or around it (R9).
  private func checkCandidate(
    _ id: ResponderID, in container: ResponderID
  ) throws(MutationFault) {
    try checkViewController(id)
    try checkUnbound(id)
    try checkAncestry(of: container, below: id, along: .parent)
  }

  /// Throws if a split view controller, put or joined by a put responder, has more than two columns (A6).
  func checkColumns(around id: ResponderID, in catalog: Catalog) throws(MutationFault) {
    try checkColumns(of: id, in: catalog)
    if let parent = graph.link(.parent, of: id) { try checkColumns(of: parent, in: catalog) }
  }

  private func checkColumns(
    of container: ResponderID, in catalog: Catalog
  ) throws(MutationFault) {
    guard let position = graph.position(of: container) else { return }
    let count = graph.responders[position].viewControllers.count
    guard count > 2, containerKind(of: container, in: catalog) == .split else { return }
    throw .containment(.tooManyColumns(container, count))
  }

  /// Throws if a document would collapse or expand a split view controller (A8).
  func checkCollapsed(
    _ responder: Responder, since before: ResponderGraph, in catalog: Catalog
  ) throws(MutationFault) {
    let id = responder.id
    guard let old = before[id], old.isCollapsed != responder.isCollapsed,
      containerKind(of: id, in: catalog) == .split
    else { return }
    throw .presentation(.changesCollapsed(id, to: responder.isCollapsed))
  }

  /// Throws if a view controller is presented or the root of a window.
  func checkUnbound(_ id: ResponderID) throws(MutationFault) {
    if let presenter = graph.link(.presentingViewController, of: id) {
      throw .presentation(.isPresented(id, by: presenter))
    }
    if let window = graph.owners[.rootViewController][id] {
      throw .presentation(.isRoot(id, of: window))
    }
  }

  /// Throws if a link from `ancestor` to `start` would close a cycle of containers and presenters (R9).
  func checkAncestry(
    of start: ResponderID, below ancestor: ResponderID, along link: ResponderLink
  ) throws(MutationFault) {
    var path: [ResponderID] = []
    var current = graph[start]
    while let here = current, path.count <= graph.count {
      path.append(here.id)
      if here.id == ancestor { throw .link(.cycle([ancestor] + path, along: link)) }
      current = (here.links[.parent] ?? here.links[.presentingViewController])
        .flatMap { graph[$0] }
    }
  }
}

extension Responder {
  /// Reads the members about containment.
  static func containment(
    _ reader: inout ObjectReader, _ kind: ResponderKind?
  ) -> ([ResponderID], isCollapsed: Bool) {
    let viewControllers: [ResponderID]? = reader.list("viewControllers", Read.identifier)
    let isCollapsed = reader.member("isCollapsed", Read.bool)
    for (name, isGiven) in [
      ("viewControllers", viewControllers != nil), ("isCollapsed", isCollapsed != nil),
    ] {
      guard isGiven, let kind, kind != .viewController else { continue }
      reader.log.note(
        .memberOfOtherKind(name, kind: kind, kinds: [.viewController]), at: reader.place(of: name))
    }
    return (viewControllers ?? [], isCollapsed ?? false)
  }
}

extension ResponderGraph {
  /// Writes the members that rules see of view controllers only.
  func writeContainment(of responder: Responder, to object: inout JSONObject) {
    object["parent"] = text(responder.links[.parent])
    object["presentingViewController"] = text(responder.links[.presentingViewController])
    object["presentedViewController"] = text(presentedViewController(of: responder.id))
    object["viewControllers"] = .array(responder.viewControllers.map { .string($0.rawValue) })
    object["topViewController"] = text(responder.viewControllers.last)
    object["selectedViewController"] = text(selectedViewController(of: responder.id))
    object["delegate"] = text(responder.links[.delegate])
    object["isCollapsed"] = .bool(responder.isCollapsed)
    object["parentCoordinator"] = text(responder.links[.parentCoordinator])
  }

  private func text(_ id: ResponderID?) -> JSON { id.map { .string($0.rawValue) } ?? .null }
}

extension ResponderGraph {
  /// Returns the view controller that a view controller presents.
  package func presentedViewController(of id: ResponderID) -> ResponderID? {
    owners[.presentingViewController][id]
  }

  /// Returns the selected child of a container, else its first one.
  package func selectedViewController(of id: ResponderID) -> ResponderID? {
    self[id].flatMap { $0.links[.selectedViewController] ?? $0.viewControllers.first }
  }

  /// Returns a view controller and its containers, innermost first, without presenters (A1).
  package func containers(from id: ResponderID) -> [ResponderID] {
    var containers: [ResponderID] = []
    var current = self[id]
    while let here = current, containers.count < count {
      containers.append(here.id)
      current = here.links[.parent].flatMap { self[$0] }
    }
    return containers
  }
}

extension Handler {
  /// Reads `canPerform` rules by selector (R4).
  static func canPerform(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [Selector: Rule]? {
    Read.named(json, at: pointer, log: log, by: Read.selector) {
      Read.boolRule(reading: $1, at: $2, log: $3)
    }.map { Dictionary($0) { _, last in last } }
  }

  /// Returns rules as a document, sorted by selector.
  static func document(_ rules: [Selector: Rule]) -> JSON {
    var object = JSONObject()
    for (selector, rule) in rules.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      object[selector.rawValue] = rule.json
    }
    return .object(object)
  }
}

extension ObjectReader {
  /// Rejects a `canPerform` rule for an action whose handler has one of its own.
  func refuseRepeated(_ rules: [Selector: Rule], _ handlers: [Selector: Handler]) {
    for selector in rules.keys.sorted(by: { $0.rawValue < $1.rawValue })
    where handlers[selector]?.canPerform != nil {
      let member = "handlers/\(selector)/canPerform"
      log.note(
        .conflictingMembers("canPerform/\(selector)", member),
        at: place(of: "canPerform").appending(selector.rawValue))
    }
  }
}

/// A reason why view controllers cannot be arranged as requested (V4).
package enum ContainmentFault: Error, Equatable, Sendable {
  /// A container lists a missing child.
  case unknownChild(ResponderID, of: ResponderID)
  /// The responder is not a view controller.
  case notAViewController(ResponderID, ResponderKind)
  /// The view controller is not a container of the required kind.
  case notA(ContainerKind, ResponderID, ClassName)
  /// The view controller is in no container of the required kind.
  case notInA(ContainerKind, ResponderID)
  /// A container would have a child twice.
  case repeated(ResponderID, in: ResponderID)
  /// The view controller is a child of another container.
  case hasParent(ResponderID, ResponderID, not: ResponderID)
  /// The view controller is not a child of this one.
  case notAChild(ResponderID, of: ResponderID)
  /// A split view controller has two columns at most.
  case tooManyColumns(ResponderID, Int)
}

extension ContainmentFault {
  /// The view controller at fault, with its place in a session document.
  var blame: Blame {
    switch self {
    case .unknownChild(let id, of: let container), .repeated(let id, in: let container),
      .hasParent(let id, _, not: let container):
      Blame(id, at: Blame.responder(container, ["viewControllers"]))
    case .notAChild(let id, of: let container):
      Blame(id, at: Blame.responder(container, ["selectedViewController"]))
    case .notAViewController(let id, _), .notA(_, let id, _), .notInA(_, let id),
      .tooManyColumns(let id, _):
      Blame(id, at: Blame.responder(id))
    }
  }
}

/// A reason why a view controller cannot be shown or presented (A4, A8).
package enum PresentationFault: Error, Equatable, Sendable {
  /// A child cannot be presented.
  case isChild(ResponderID, of: ResponderID)
  /// A presented view controller can neither be presented again nor become a child.
  case isPresented(ResponderID, by: ResponderID)
  /// The root view controller of a window can neither be presented nor become a child.
  case isRoot(ResponderID, of: ResponderID)
  /// The view controller presents another one.
  case isPresenting(ResponderID, ResponderID)
  /// Only collapsing and expanding change `isCollapsed` of a split view controller (A8), because its delegate then
  /// decides about the secondary.
  case changesCollapsed(ResponderID, to: Bool)
  /// There is nothing to show.
  case nothingToShow
}

extension PresentationFault {
  /// The view controller at fault, and its place in a session document.
  var blame: Blame {
    switch self {
    case .isChild(let id, of: _), .isPresented(let id, by: _), .isRoot(let id, of: _),
      .isPresenting(let id, _), .changesCollapsed(let id, to: _):
      Blame(id, at: Blame.responder(id))
    case .nothingToShow: Blame(at: ["responders"])
    }
  }
}
