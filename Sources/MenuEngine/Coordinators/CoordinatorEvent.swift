import JSONText

/// An event of a coordinator; listeners with a method for it are told (C4, C5).
public enum CoordinatorEvent: Equatable, Sendable {
  /// It was started: `didStart`.
  case didStart(ResponderID)
  /// It was stopped: `didStop`.
  case didStop(ResponderID)
  /// It became the owner of its root view controller again: `didActivate`.
  case didActivate(ResponderID)
  /// It finished, and this is told to its parent, who has stopped it, else to its continuation:
  /// `coordinatorDidFinish:` with its name.
  case didFinish(ResponderID, to: ResponderID?)
  /// The user went back to one of its view controllers: `handlePopBackToViewController:` with the name
  /// of that one.
  case handlePopBack(ResponderID, to: ResponderID)

  /// The coordinator of the event.
  public var coordinator: ResponderID {
    switch self {
    case .didStart(let id), .didStop(let id), .didActivate(let id), .didFinish(let id, to: _),
      .handlePopBack(let id, to: _):
      id
    }
  }

  /// The message that tells it.
  public var selector: Selector {
    switch self {
    case .didStart: "didStart"
    case .didStop: "didStop"
    case .didActivate: "didActivate"
    case .didFinish: "coordinatorDidFinish:"
    case .handlePopBack: "handlePopBackToViewController:"
    }
  }

  /// The listener: the coordinator itself, or the one that hears that it finished.
  var listener: ResponderID? {
    switch self {
    case .didStart(let id), .didStop(let id), .didActivate(let id), .handlePopBack(let id, to: _):
      id
    case .didFinish(_, to: let listener): listener
    }
  }

  var arguments: [JSON] {
    switch self {
    case .didStart, .didStop, .didActivate: []
    case .didFinish(let id, to: _), .handlePopBack(_, to: let id): [.string(id.rawValue)]
    }
  }
}

extension Performer {
  /// Tells of a coordinator; the sender is the coordinator itself.
  mutating func tell(_ event: CoordinatorEvent) throws(MutationFault) {
    try countEffect()
    let inquiry = session.inquiry(in: context)
    let told = event.listener.flatMap {
      inquiry.implementation(of: event.selector, in: $0) == nil ? nil : $0
    }
    events.append(.coordinator(event, told: told))
    let sender = Sender(
      command: nil,
      description: SenderDescription(
        responder: event.coordinator, members: ["action": .string(event.selector.rawValue)]))
    _ = try ask(
      told, event.selector, arguments: event.arguments, sending: Sending(by: sender))
  }
}
