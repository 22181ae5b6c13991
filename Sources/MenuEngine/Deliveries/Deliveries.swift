package import JSONText

/// The deliveries of a session, ordered by number (D1): open, claimed and recently settled ones.
///
/// One word, since sessions are copied often and most have no deliveries.
package struct Deliveries: Sendable, Codable {
  /// One value; empty before the first delivery.
  private var cell: [Contents] = []

  init() {}

  fileprivate struct Contents: Sendable {
    var all: [Delivery] = []
    var lastID = 0
    /// The numbers of open deliveries by command.
    var open: [CommandID: [Int]] = [:]
    var totals = Totals()
  }

  /// The numbers of deliveries, and their sizes in bytes of written JSON.
  struct Totals: Equatable, Sendable {
    var open = 0
    var openSize = 0
    var settled = 0
    var settledSize = 0
  }

  /// All deliveries.
  package var all: [Delivery] { cell.first?.all ?? [] }

  package var isEmpty: Bool { cell.isEmpty || cell[0].all.isEmpty }

  /// The numbers and sizes of deliveries.
  var totals: Totals { cell.first?.totals ?? Totals() }

  /// The earliest deadline of a claim; nil if there is no claim.
  package var earliestDeadline: Int64? { all.lazy.compactMap(\.claim?.until).min() }

  /// True if a claim has expired at `time`, or a delivery was settled before `past`.
  package func isDue(at time: Int64, settledBefore past: Int64) -> Bool {
    all.contains { delivery in
      delivery.claim.map { $0.until <= time }
        ?? (delivery.state.isSettled && (delivery.settledAt ?? .min) < past)
    }
  }

  /// The delivery of a number; nil if it does not exist.
  package subscript(id: Int) -> Delivery? { position(of: id).map { cell[0].all[$0] } }

  /// True if both are copies of one value without later changes. False means unknown.
  func isIdentical(to other: Deliveries) -> Bool {
    cell.isEmpty && other.cell.isEmpty || cell.span.isIdentical(to: other.cell.span)
  }

  private func position(of id: Int) -> Int? {
    guard !cell.isEmpty else { return nil }
    let position = cell[0].all.partitioningIndex { $0.id >= id }
    return position < cell[0].all.count && cell[0].all[position].id == id ? position : nil
  }
}

extension Deliveries {
  /// Adds an open delivery with the next number.
  mutating func add(_ content: Delivery.Content) -> Delivery {
    if cell.isEmpty { cell = [Contents()] }
    cell[0].lastID += 1
    let delivery = Delivery(id: cell[0].lastID, content)
    cell[0].all.append(delivery)
    cell[0].count(delivery, 1)
    return delivery
  }

  /// Replaces the delivery of the same number.
  mutating func replace(by delivery: Delivery) {
    guard let position = position(of: delivery.id) else { return }
    cell[0].count(cell[0].all[position], -1)
    cell[0].all[position] = delivery
    cell[0].count(delivery, 1)
  }

  /// Removes settled deliveries that satisfy a condition, and returns their numbers.
  mutating func forget(where isForgotten: (Delivery) -> Bool) -> [Int] {
    let forgotten = all.filter { $0.state.isSettled && isForgotten($0) }
    guard !forgotten.isEmpty else { return [] }
    let ids = Set(forgotten.map(\.id))
    for delivery in forgotten { cell[0].count(delivery, -1) }
    cell[0].all.removeAll { ids.contains($0.id) }
    return forgotten.map(\.id)
  }

  /// Removes the oldest settled deliveries beyond the limits, and returns their numbers. The last settled one,
  /// `kept`, stays.
  mutating func trimSettled(keeping kept: Int) -> [Int] {
    var (count, size) = (totals.settled, totals.settledSize)
    guard count > Limits.settledDeliveries || size > Limits.settledSize else { return [] }
    return forget { delivery in
      guard delivery.id != kept, count > Limits.settledDeliveries || size > Limits.settledSize
      else { return false }
      count -= 1
      size -= delivery.size
      return true
    }
  }
}

extension Deliveries.Contents {
  /// Adds a delivery to the totals, or subtracts it.
  fileprivate mutating func count(_ delivery: Delivery, _ sign: Int) {
    guard !delivery.state.isSettled else {
      totals.settled += sign
      totals.settledSize += sign * delivery.size
      return
    }
    totals.open += sign
    totals.openSize += sign * delivery.size
    guard let command = delivery.command else { return }
    var ids = open[command] ?? []
    if sign > 0 {
      ids.insert(delivery.id, at: ids.firstIndex { $0 > delivery.id } ?? ids.count)
    } else {
      ids.removeAll { $0 == delivery.id }
    }
    open[command] = ids.isEmpty ? nil : ids
  }
}

extension Deliveries {
  /// Returns the unsettled deliveries of a command, as rules see them (D4).
  func ruleValues(of command: CommandID) -> [JSON] { open(of: command).map(\.ruleValue) }

  /// Returns the unsettled deliveries of a command.
  func open(of command: CommandID) -> [Delivery] {
    guard !cell.isEmpty, let ids = cell[0].open[command] else { return [] }
    return ids.compactMap { self[$0] }
  }

  /// Returns the commands whose unsettled deliveries differ as rules see them.
  func commands(differingFrom other: Deliveries) -> [CommandID] {
    guard !isIdentical(to: other) else { return [] }
    let commands = Set((cell.first?.open ?? [:]).keys).union((other.cell.first?.open ?? [:]).keys)
    return commands.filter { command in
      let (mine, others) = (ruleValues(of: command), other.ruleValues(of: command))
      return !JSON.array(mine).isWritten(as: .array(others))
    }
  }
}

/// The coded form has the deliveries and the last number; the rest is derived.
extension Deliveries.Contents: Codable {
  private enum CodingKeys: String, CodingKey {
    case all
    case lastID
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(all, forKey: .all)
    try container.encode(lastID, forKey: .lastID)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    all = try container.decode([Delivery].self, forKey: .all)
    lastID = try container.decode(Int.self, forKey: .lastID)
    for delivery in all { count(delivery, 1) }
  }
}

/// A message that was handed to the application, for work that no effect can do (D1).
package struct Delivery: Sendable, Codable {
  /// The states of a delivery.
  package enum State: String, CaseIterable, Sendable, Codable {
    /// It waits to be claimed.
    case open
    /// A client works on it.
    case claimed
    /// A client works on it, and is asked to abort (D6).
    case cancelling
    /// Settled with a result.
    case replied
    /// Settled with a problem.
    case failed
    /// Settled without a result; no work is needed.
    case cancelled

    /// True if the state is final.
    package var isSettled: Bool {
      switch self {
      case .open, .claimed, .cancelling: false
      case .replied, .failed, .cancelled: true
      }
    }
  }

  /// The exclusive right to settle a delivery, until a deadline.
  package struct Claim: Sendable, Codable {
    /// The number among the claims of the delivery, from 1.
    package let number: Int
    /// The name of the claimer; nil if none was given.
    package let by: String?
    /// The deadline, in milliseconds since 1970-01-01T00:00:00Z.
    package internal(set) var until: Int64
    /// The deadline as it was when the claim began; nil until it is renewed.
    package internal(set) var firstUntil: Int64?
    /// The fraction of the work that is done, from 0 to 1 (D6); nil until the claimer reports it.
    package internal(set) var progress: Double?
    /// A text about the work, for people (D6); nil until the claimer reports it.
    package internal(set) var message: String?
  }

  /// The immutable parts of a delivery.
  struct Content: Equatable, Sendable, Codable {
    let invocation: Invocation
    let value: JSON
    let title: String?
    /// The name of the undo group of a reply; nil for none.
    let actionName: String?
    let responder: ResponderID
    let size: Int
  }

  /// The number in its session, from 1.
  package let id: Int
  package internal(set) var state = State.open
  /// The valid claim; nil for none.
  package internal(set) var claim: Claim?
  /// The number of claims so far.
  package internal(set) var claimCount = 0
  /// The time at which it was settled, in milliseconds since 1970-01-01T00:00:00Z; nil if unknown.
  package internal(set) var settledAt: Int64?
  /// The name of the claimer that settled it; nil if none was given, or if it was cancelled.
  package internal(set) var settledBy: String?
  /// The result or the problem.
  var answer: JSON?
  private let content: Shared<Content>

  init(id: Int, _ content: Content) {
    self.id = id
    self.content = Shared(content)
  }
}

extension Delivery {
  /// The message as it arrived at the delivering handler (F9).
  package var invocation: Invocation { content.value.invocation }

  /// The value from the handler for the application.
  package var value: JSON { content.value.value }

  /// The title of the performed item; nil for none.
  package var title: String? { content.value.title }

  /// The name of the undo group of a reply; nil for none.
  var actionName: String? { content.value.actionName }

  /// The performed command; nil for an action sent without one.
  package var command: CommandID? { content.value.invocation.sender?.command?.id }

  /// The result; nil unless replied.
  package var result: JSON? {
    guard state == .replied else { return nil }
    return answer ?? .null
  }

  /// The problem; nil unless failed.
  package var problem: JSON? {
    guard state == .failed else { return nil }
    return answer ?? .null
  }

  /// The responder whose handler delivered it. Its undo manager registers the changes of a reply.
  var responder: ResponderID { content.value.responder }

  /// The size, in bytes of written JSON.
  var size: Int { content.value.size + (answer?.writtenSize ?? 0) }

  /// The delivery as rules see it (D4). Until the claimer reports otherwise, its progress is 0 and its message empty
  /// (D6).
  var ruleValue: JSON {
    [
      "id": .int(Int64(id)), "value": value, "state": .string(state.rawValue),
      "progress": .double(claim?.progress ?? 0), "message": .string(claim?.message ?? ""),
    ]
  }
}

extension Delivery.Claim: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.until == right.until && left.progress == right.progress
      && left.by.hasSameBytes(as: right.by) && left.message.hasSameBytes(as: right.message)
  }
}

extension Delivery: Equatable {
  /// True if both have the same content and are in the same state.
  package static func == (left: Delivery, right: Delivery) -> Bool {
    left.id == right.id && left.state == right.state && left.claim == right.claim
      && left.claimCount == right.claimCount && left.settledAt == right.settledAt
      && left.settledBy.hasSameBytes(as: right.settledBy)
      && left.answer == right.answer
      && (left.content.isIdentical(to: right.content) || left.content.value == right.content.value)
  }
}

/// A reason why a delivery is not claimed, renewed or settled (D2).
package enum DeliveryFault: Equatable, Sendable {
  /// The session has no delivery of this number, either from the start or because it was settled and removed.
  case unknown(Int)
  /// The delivery is claimed.
  case alreadyClaimed(Int, by: String?, until: Int64)
  /// The delivery is settled.
  case alreadySettled(Int, Delivery.State)
  /// No claim had this number.
  case notClaimed(Int, claim: Int)
  /// The claim of this number has expired.
  case claimLost(Int, claim: Int)
}

extension DeliveryFault {
  package var delivery: Int {
    switch self {
    case .unknown(let id), .alreadyClaimed(let id, by: _, until: _), .alreadySettled(let id, _),
      .notClaimed(let id, claim: _), .claimLost(let id, claim: _):
      id
    }
  }

  /// The reason as a stable identifier.
  package var reason: String {
    switch self {
    case .unknown: "unknownDelivery"
    case .alreadyClaimed: "alreadyClaimed"
    case .alreadySettled: "alreadySettled"
    case .notClaimed: "notClaimed"
    case .claimLost: "claimLost"
    }
  }
}
