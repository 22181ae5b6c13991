import JSONText

/// The result of a segue (V3, V6).
public struct SegueOutcome: Equatable, Sendable {
  /// The outcome of a segue: it was performed, or was not, which is no error.
  public enum Reason: String, CaseIterable, Sendable {
    /// It was performed.
    case performed
    /// The source, or the segue's own rule, says that it should not be (V3).
    case refused
    /// It pushes, but its source is in no navigation controller (V4).
    case noNavigationController
    /// Nobody it could unwind to has a method for its action (V6).
    case noDestination
  }

  /// Its identifier, when it has one.
  public let identifier: SegueIdentifier?
  /// The kind.
  public let kind: Segue.Kind
  /// The view controller at which it began.
  public let source: ResponderID
  /// Its destination; nil when it came to nothing.
  public let destination: ResponderID?
  /// The reason for which it was performed, or not.
  public let reason: Reason
  /// True if the destination is gone again, since nothing kept it when the segue was over (V9).
  public internal(set) var isDestinationGone = false
  /// The steps of unwinding, in order.
  public internal(set) var path: [UnwindStep] = []
  /// The trace, when that was wanted.
  public internal(set) var trace = Trace(isRecording: false)

  init(_ segue: SegueInProgress, _ reason: Reason, path: [UnwindStep] = []) {
    identifier = segue.identifier
    kind = segue.kind
    source = segue.source
    destination = reason == .performed ? segue.destination : nil
    self.reason = reason
    self.path = path
  }
}

extension SegueOutcome {
  /// Notes that the destination is gone when it is not among the responders any more.
  fileprivate mutating func noteDestination(goneFrom responders: ResponderGraph) {
    guard let destination, responders[destination] == nil else { return }
    isDestinationGone = true
    trace.note(.kept, .responder(destination), answer: .bool(false))
  }
}

extension Outcome {
  /// Says of each segue whose destination nothing kept that it is gone.
  mutating func noteDestinations(goneFrom responders: ResponderGraph) {
    segue?.noteDestination(goneFrom: responders)
    for index in events.indices {
      guard case .segue(var told) = events[index] else { continue }
      told.noteDestination(goneFrom: responders)
      events[index] = .segue(told)
    }
  }
}

/// A step of one view controller to unwind (V6).
public enum UnwindStep: Equatable, Sendable {
  /// It dismisses what it presents.
  case dismiss(ResponderID, by: ResponderID)
  /// A navigation controller pops to one of its stack.
  case pop(to: ResponderID, in: ResponderID)
  /// A tab bar controller selects one of its tabs.
  case select(ResponderID, in: ResponderID)
}

/// A segue to perform.
public struct SegueRequest: Equatable, Sendable, Codable {
  /// The triggers of segues.
  public enum Trigger: String, CaseIterable, Sendable, Codable {
    /// The user; the source is asked whether (V3).
    case user
    /// A program; nobody is asked.
    case code
  }

  /// The segue.
  public let identifier: SegueIdentifier
  /// The view controller at which it begins.
  public let source: ResponderID
  /// The trigger. The default is the user.
  public let trigger: Trigger
  /// The sender, handed through as it is (V5).
  public let sender: SenderDescription?
  /// The name of the destination. The default is that of its scene, or the first one like it that is
  /// free.
  public let id: ResponderID?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  public var when: Int64?

  /// A segue.
  public init(
    _ identifier: SegueIdentifier, from source: ResponderID, by trigger: Trigger = .user,
    sender: SenderDescription? = nil, as id: ResponderID? = nil, when: Int64? = nil
  ) {
    self.identifier = identifier
    self.source = source
    self.trigger = trigger
    self.sender = sender
    self.id = id
    self.when = when
  }
}

/// A way back to take (V6).
public struct UnwindRequest: Equatable, Sendable, Codable {
  /// The action that is sent to the view controller that is unwound to.
  public let action: Selector
  /// The view controller at which it begins.
  public let source: ResponderID
  /// The sender, handed through as it is.
  public let sender: SenderDescription?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  public var when: Int64?

  /// A way back.
  public init(
    _ action: Selector, from source: ResponderID, sender: SenderDescription? = nil,
    when: Int64? = nil
  ) {
    self.action = action
    self.source = source
    self.sender = sender
    self.when = when
  }
}
