package import JSONText

@testable package import MenuEngine

/// Effects that applications declare as documents only, by their names.
extension Effect {
  /// The names of all operations of handlers, in order.
  package static var ops: [String] { Operations.effects.words }

  /// Sends an action, on the chain or to a receiver (R7), as `sendAction:to:from:forEvent:` does.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - to: The receiver. The default is the first one on the chain that can perform the action.
  ///   - arguments: As many values as the selector has colons. The default is the sender, then nulls.
  ///   - answers: True if its answer is the answer to the present message; null when nobody receives it.
  package static func send(
    _ action: Selector, to: Receiver? = nil, arguments: [JSON]? = nil, answers: Bool = false
  ) -> Effect {
    Effect(Operations.send, action, to, arguments, answers)
  }

  /// Passes the sender to the receiver's own coordinator (F8).
  package static var handleAction: Effect { Effect(Operations.handleAction) }

  /// Answers the message (F9), like `setReturnValue:` of an `NSInvocation`.
  package static func answer(_ value: JSON) -> Effect { Effect(Operations.answer, value) }

  /// Runs the next inherited implementation of the selector (A2) and returns its answer. The default is the
  /// same arguments.
  package static func callSuper(arguments: [JSON]? = nil) -> Effect {
    Effect(Operations.callSuper, arguments)
  }

  /// Passes the message on to the next implementation on the coordinating chain (C2) at once. The default is
  /// the same arguments.
  package static func passOn(arguments: [JSON]? = nil) -> Effect {
    Effect(Operations.passOn, arguments)
  }

  /// Sends or queues a message, by default from the receiver (C2, C6, V7).
  package static func message(
    _ message: Selector, _ destination: MessageRequest.Destination = .chain,
    from: ResponderID? = nil, arguments: [JSON]? = nil, answers: Bool = false, queue: Bool = false
  ) -> Effect {
    Effect(
      by: Operations.messageInEffect, .value(message), Term(orReceiver: from),
      .value(arguments), .value(destination), .value(answers), .value(queue))
  }

  /// Performs a segue, by default of the receiver. `shouldPerform` is not evaluated (V3).
  package static func segue(
    _ identifier: SegueIdentifier, source: ResponderID? = nil, sender: JSON? = nil
  ) -> Effect {
    Effect(by: Operations.segue, .value(identifier), Term(orReceiver: source), .value(sender))
  }

  /// Hands the message to the application, with a value; the answer is the number of the delivery (D1).
  package static func deliver(_ value: JSON = .null) -> Effect { Effect(Operations.deliver, value) }

  /// Asks the nearest container that overrides an action (A1) and returns its answer, else `otherwise` (A7).
  /// The defaults are the running action and its arguments.
  package static func target(
    action: Selector? = nil, arguments: [JSON]? = nil, otherwise: JSON = .null
  ) -> Effect {
    Effect(Operations.targetViewController, action, arguments, .value(otherwise))
  }

  /// Shows a view controller from another one, by default the receiver (A4).
  package static func show(
    _ id: ResponderID, from: ResponderID? = nil, sender: JSON? = nil
  ) -> Effect {
    Effect(by: Operations.show, .value(id), Term(orReceiver: from), .value(sender))
  }

  /// Presents a view controller on another one, by default the receiver.
  package static func present(_ id: ResponderID, from presenter: ResponderID? = nil) -> Effect {
    Effect(by: Operations.present, .value(id), Term(orReceiver: presenter))
  }

  /// Makes a window the key window (V1).
  package static func makeKeyAndVisible(
    window: ResponderID, rootViewController: ResponderID? = nil
  ) -> Effect {
    Effect(Operations.makeKeyAndVisible, window, rootViewController)
  }
}

extension Term where Value == ResponderID {
  fileprivate init(orReceiver id: ResponderID?) { self = id.map(Term.value) ?? .absent }
}
