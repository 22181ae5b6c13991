/// A reason why a message is not sent, or does not wait.
package enum MessageFault: Error, Equatable, Sendable {
  /// The receiver neither has a handler nor forwards the message (F4); with what was asked, when
  /// that was wanted. `isRegistered` is true if the receiver's coordinator has a handler, which only
  /// its forwarder finds (F3).
  case doesNotRecognizeSelector(
    Receiver, Selector, isRegistered: Bool = false, trace: Trace = Trace(isRecording: false))
  /// `handleAction:` was sent by a sender that carries no action (F6).
  case senderCarriesNoAction(Receiver, Selector)
  /// There are more or fewer arguments than the selector has colons.
  case argumentCount(Selector, given: Int)
  /// So many messages wait already that there is no room for another one (C6).
  case messageQueueFull(count: Int)
  /// A message that waited could not be sent, and so none was (C6).
  indirect case queuedMessage(index: Int, Selector, from: ResponderID, MutationFault)
}
