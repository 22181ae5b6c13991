public import JSONText

/// A message that was handed to the application, which does what no effect can do (D1).
public struct Delivery: Sendable, Codable {
  /// The states of a delivery.
  public enum State: String, CaseIterable, Sendable, Codable {
    /// It waits to be claimed.
    case open
    /// Somebody works on it.
    case claimed
    /// It is settled: there is a result.
    case replied
    /// It is settled: there is a problem.
    case failed
    /// It is settled: nobody is to work on it any more.
    case cancelled

    /// True if nothing can become of it any more.
    public var isSettled: Bool {
      switch self {
      case .open, .claimed: false
      case .replied, .failed, .cancelled: true
      }
    }
  }

  /// The right to settle a delivery, until a moment.
  public struct Claim: Equatable, Sendable, Codable {
    /// The number among the claims of the delivery, from 1.
    public let number: Int
    /// The name that the claimer gave; nil if it gave none.
    public let by: String?
    /// The deadline, in milliseconds since 1970-01-01T00:00:00Z.
    public let until: Int64
  }

  /// The parts of a delivery that never change.
  struct Content: Equatable, Sendable, Codable {
    let invocation: Invocation
    let value: JSON
    let title: String?
    /// Nil in a session of the rules before the fifth version.
    var actionName: String?
    let responder: ResponderID
    let size: Int
  }

  /// The number in its session, from 1.
  public let id: Int
  /// The state.
  public internal(set) var state = State.open
  /// The claim that holds; nil if none does.
  public internal(set) var claim: Claim?
  /// The number of claims so far.
  public internal(set) var claimCount = 0
  /// The time at which it was settled, in milliseconds since 1970-01-01T00:00:00Z; nil if nobody said.
  public internal(set) var settledAt: Int64?
  /// The name of the claimer that replied to it or let it fail; nil if that gave none, or nobody did.
  public internal(set) var settledBy: String?
  /// The result, or the problem.
  var answer: JSON?
  private let content: Shared<Content>

  init(id: Int, _ content: Content) {
    self.id = id
    self.content = Shared(content)
  }
}

extension Delivery {
  /// The message as it arrived at the handler that delivered it (F9).
  public var invocation: Invocation { content.value.invocation }

  /// The value that the handler gave for the application.
  public var value: JSON { content.value.value }

  /// The title of what was performed; nil for none.
  public var title: String? { content.value.title }

  /// The name of the undo group of a reply; nil for none.
  var actionName: String? { content.value.actionName }

  /// The command that was performed; nil when an action was sent without one.
  public var command: CommandID? { content.value.invocation.sender?.command?.id }

  /// The result; nil unless it was replied to.
  public var result: JSON? {
    guard state == .replied else { return nil }
    return answer ?? .null
  }

  /// The problem; nil unless it failed.
  public var problem: JSON? {
    guard state == .failed else { return nil }
    return answer ?? .null
  }

  /// The responder whose handler delivered it. Its undo manager registers the changes of a reply.
  var responder: ResponderID { content.value.responder }

  /// The size, in bytes of written JSON.
  var size: Int { content.value.size + (answer?.writtenSize ?? 0) }

  /// The delivery as rules see it (D4).
  var ruleValue: JSON {
    ["id": .int(Int64(id)), "value": value, "state": .string(state.rawValue)]
  }
}

extension Delivery: Equatable {
  /// True if both have the same content and are in the same state.
  public static func == (left: Delivery, right: Delivery) -> Bool {
    left.id == right.id && left.state == right.state && left.claim == right.claim
      && left.claimCount == right.claimCount && left.settledAt == right.settledAt
      && left.settledBy.map { Array($0.utf8) } == right.settledBy.map { Array($0.utf8) }
      && left.answer == right.answer
      && (left.content.isIdentical(to: right.content) || left.content.value == right.content.value)
  }
}
