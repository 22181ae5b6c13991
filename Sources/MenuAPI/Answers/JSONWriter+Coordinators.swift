import JSONText
import MenuEngine

extension JSONWriter {
  /// Writes the members of what became of a coordinator.
  mutating func members(_ event: CoordinatorEvent, _ told: ResponderID?) {
    member("event", event.name)
    member("coordinator", event.coordinator.rawValue)
    switch event {
    case .didStart, .didStop, .didActivate: break
    case .didFinish(_, to: let listener): member("to", listener)
    case .handlePopBack(_, to: let id): member("viewController", id.rawValue)
    }
    member("told", .array([told].compactMap { $0.map { .string($0.rawValue) } }))
  }

  /// Writes the member with the children of a coordinator by their identifiers.
  mutating func members(_ children: [ChildCoordinator]) {
    member("childCoordinators")
    beginObject()
    for child in children { member(child.identifier.rawValue, child.id.rawValue) }
    endObject()
  }
}

extension CoordinatorEvent {
  fileprivate var name: String {
    switch self {
    case .didStart: "coordinatorDidStart"
    case .didStop: "coordinatorDidStop"
    case .didActivate: "coordinatorDidActivate"
    case .didFinish: "coordinatorDidFinish"
    case .handlePopBack: "handlePopBack"
    }
  }
}
