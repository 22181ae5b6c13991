import JSONText

extension ViewControllerMutation {
  /// The words for the kinds of mutations.
  enum Op: String, CaseIterable {
    case pushViewController
    case popViewController
    case popToViewController
    case popToRootViewController
    case setViewControllers
    case selectViewController
    case present
    case dismiss
    case removeFromParent
    case collapse
    case expand
  }

  /// The mutation with the members of a document, or nil and the faults.
  init?(_ op: Op, _ reader: inout ObjectReader) {
    let mutation: ViewControllerMutation?
    switch op {
    case .pushViewController:
      mutation = reader.two("viewController", "navigationController", Self.push)
    case .popViewController: mutation = reader.pop(op, "navigationController", Self.pop)
    case .popToViewController: mutation = reader.pop(op, "viewController", Self.popTo)
    case .popToRootViewController:
      mutation = reader.pop(op, "navigationController", Self.popToRoot)
    case .setViewControllers:
      let container: ResponderID? = reader.required("container", Read.identifier)
      let children: [ResponderID]? = reader.required("viewControllers") {
        Read.list($0, $1, $2, of: Read.identifier)
      }
      if let container, let children {
        mutation = .setViewControllers(children, of: container)
      } else {
        mutation = nil
      }
    case .selectViewController: mutation = reader.one("viewController", Self.select)
    case .present: mutation = reader.two("viewController", "from", Self.present)
    case .dismiss: mutation = reader.one("viewController", Self.dismiss)
    case .removeFromParent: mutation = reader.one("viewController", Self.removeFromParent)
    case .collapse: mutation = reader.one("splitViewController", Self.collapse)
    case .expand: mutation = reader.one("splitViewController", Self.expand)
    }
    guard let mutation else { return nil }
    self = mutation
  }

  /// The mutation as a document.
  var json: JSON {
    switch self {
    case .push(let id, let container):
      document(.pushViewController, ("viewController", id), ("navigationController", container))
    case .pop(let container): document(.popViewController, ("navigationController", container))
    case .popTo(let id): document(.popToViewController, ("viewController", id))
    case .popToRoot(let container):
      document(.popToRootViewController, ("navigationController", container))
    case .popByUser(let pop): pop.json
    case .setViewControllers(let children, let container):
      [
        "op": .string(Op.setViewControllers.rawValue), "container": .string(container.rawValue),
        "viewControllers": .array(children.map { .string($0.rawValue) }),
      ]
    case .select(let id): document(.selectViewController, ("viewController", id))
    case .present(let id, let presenter):
      document(.present, ("viewController", id), ("from", presenter))
    case .dismiss(let id): document(.dismiss, ("viewController", id))
    case .removeFromParent(let id): document(.removeFromParent, ("viewController", id))
    case .collapse(let id): document(.collapse, ("splitViewController", id))
    case .expand(let id): document(.expand, ("splitViewController", id))
    }
  }

  private func document(_ op: Op, _ members: (String, ResponderID)...) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op.rawValue)
    for (name, id) in members { object[name] = .string(id.rawValue) }
    return .object(object)
  }
}

extension ObjectReader {
  fileprivate mutating func one(
    _ name: String, _ make: (ResponderID) -> ViewControllerMutation
  ) -> ViewControllerMutation? {
    required(name, Read.identifier).map(make)
  }

  fileprivate mutating func two(
    _ name: String, _ other: String, _ make: (ResponderID, ResponderID) -> ViewControllerMutation
  ) -> ViewControllerMutation? {
    let first: ResponderID? = required(name, Read.identifier)
    let second: ResponderID? = required(other, Read.identifier)
    guard let first, let second else { return nil }
    return make(first, second)
  }
}
