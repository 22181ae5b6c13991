/// A reason why a message is not sent or queued.
package enum MessageFault: Error, Equatable, Sendable {
  /// The receiver neither has a handler nor forwards the message (F4); with the trace, if requested. `isRegistered` is
  /// true if the receiver's coordinator has a handler, which only its forwarder finds (F3).
  case doesNotRecognizeSelector(
    Receiver, Selector, isRegistered: Bool = false, trace: Trace = Trace(isRecording: false))
  /// The sender of `handleAction:` carries no action (F6).
  case senderCarriesNoAction(Receiver, Selector)
  /// The number of arguments differs from the number of colons in the selector.
  case argumentCount(Selector, given: Int)
  /// The queue of messages is full (C6).
  case messageQueueFull(count: Int)
  /// A queued message could not be sent, so none was sent (C6).
  indirect case queuedMessage(index: Int, Selector, from: ResponderID, MutationFault)
}
