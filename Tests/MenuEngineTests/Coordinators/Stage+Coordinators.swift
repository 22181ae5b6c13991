import JSONText
import Testing

@testable import MenuEngine

extension Stage {
  /// A window with a navigation controller, five pages for its stack, and more responders.
  static func navigation(
    classes: JSON = [:], _ more: JSONObject = [:], stack: JSON = [], focus: String? = nil
  ) throws -> Stage {
    var responders: JSONObject = [
      "app": ["kind": "application"],
      "window": ["kind": "window", "rootViewController": "nav"],
      "nav": controller("UINavigationController", stack),
    ]
    for id in ["a", "b", "c", "d", "e"] { responders[id] = controller() }
    for member in more.members { responders[member.name] = member.value }
    return try Stage(classes: classes, responders: .object(responders), focus: focus)
  }

  /// Tells a coordinator something.
  @discardableResult
  mutating func coordinate(_ mutation: Mutation) throws -> Outcome {
    try apply(mutation)
  }

  /// Returns the owner of a view controller, or the parent of a coordinator.
  func owner(of id: ResponderID) -> ResponderID? {
    session.graph[id]?.links[.parentCoordinator]
  }

  func isStarted(_ id: ResponderID) -> Bool {
    session.graph[id]?.coordinating?.isStarted == true
  }

  /// The list of a navigation coordinator.
  func list(of id: ResponderID) -> [ResponderID] {
    session.graph[id]?.coordinating?.viewControllers ?? []
  }

  /// The children of a coordinator: `identifier id`.
  func childCoordinators(of id: ResponderID) -> [String] {
    session.graph.childCoordinators(of: id).map { "\($0.identifier) \($0.id)" }
  }
}

/// A coordinator's document.
func coordinator(
  root: String?, kind: String = "coordinator", identifier: String? = nil,
  parent: String? = nil, list: JSON? = nil, isStarted: Bool? = nil, _ handlers: JSON = [:]
) -> JSON {
  var coordinating: JSONObject = ["kind": .string(kind)]
  coordinating["rootViewController"] = root.map(JSON.string)
  coordinating["identifier"] = identifier.map(JSON.string)
  coordinating["isStarted"] = isStarted.map(JSON.bool)
  coordinating["viewControllers"] = list
  var object: JSONObject = ["kind": "responder", "handlers": handlers]
  object["coordinating"] = .object(coordinating)
  object["parentCoordinator"] = parent.map(JSON.string)
  return .object(object)
}

/// Handlers that note each message that tells a coordinator something, as `MARK SELECTOR`.
func telling(_ mark: String) -> JSON {
  var handlers = JSONObject()
  for selector in ["didStart", "didStop", "didActivate"] {
    handlers[selector] = logging("\(mark) \(selector)")
  }
  for selector in ["coordinatorDidFinish:", "handlePopBackToViewController:"] {
    handlers[selector] = [
      "perform": [
        ["op": "add", "path": "/log/-", "value": .string("'\(mark) \(selector) ' + arguments[0]")]
      ]
    ]
  }
  return .object(handlers)
}
