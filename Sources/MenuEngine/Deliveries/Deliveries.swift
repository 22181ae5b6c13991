package import JSONText

/// The deliveries of a session in the order of their numbers (D1): those that are open or claimed, and those
/// that were settled lately.
///
/// One word, since sessions are copied often and most have none.
package struct Deliveries: Sendable, Codable {
  /// One value, or none as long as nothing was delivered.
  private var cell: [Contents] = []

  /// No deliveries.
  init() {}

  fileprivate struct Contents: Sendable {
    var all: [Delivery] = []
    var lastID = 0
    /// The numbers of those that are not settled, by their commands.
    var open: [CommandID: [Int]] = [:]
    var totals = Totals()
  }

  /// The number of deliveries, and their size in bytes of written JSON.
  struct Totals: Equatable, Sendable {
    var open = 0
    var openSize = 0
    var settled = 0
    var settledSize = 0
  }

  /// All of them.
  package var all: [Delivery] { cell.first?.all ?? [] }

  /// True if there are none.
  package var isEmpty: Bool { cell.isEmpty || cell[0].all.isEmpty }

  /// The number of deliveries, and their size.
  var totals: Totals { cell.first?.totals ?? Totals() }

  /// The earliest deadline of a claim; nil if there is no claim.
  package var earliestDeadline: Int64? { all.lazy.compactMap(\.claim?.until).min() }

  /// True if a claim has expired at a moment, or something was settled before another one.
  package func isDue(at time: Int64, settledBefore past: Int64) -> Bool {
    all.contains { delivery in
      delivery.claim.map { $0.until <= time }
        ?? (delivery.state.isSettled && (delivery.settledAt ?? .min) < past)
    }
  }

  /// The delivery of a number; nil if there is none any more.
  package subscript(id: Int) -> Delivery? { position(of: id).map { cell[0].all[$0] } }

  /// True if both are copies of one value, and neither was changed since. A no says nothing.
  func isIdentical(to other: Deliveries) -> Bool {
    cell.isEmpty && other.cell.isEmpty || cell.span.isIdentical(to: other.cell.span)
  }

  private func position(of id: Int) -> Int? {
    guard !cell.isEmpty else { return nil }
    var (low, high) = (0, cell[0].all.count)
    while low < high {
      let middle = (low + high) / 2
      if cell[0].all[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < cell[0].all.count && cell[0].all[low].id == id ? low : nil
  }
}

extension Deliveries {
  /// Adds an open delivery under the next number.
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

  /// Removes settled ones that satisfy a condition, and returns their numbers.
  mutating func forget(where isForgotten: (Delivery) -> Bool) -> [Int] {
    let forgotten = all.filter { $0.state.isSettled && isForgotten($0) }
    guard !forgotten.isEmpty else { return [] }
    let ids = Set(forgotten.map(\.id))
    for delivery in forgotten { cell[0].count(delivery, -1) }
    cell[0].all.removeAll { ids.contains($0.id) }
    return forgotten.map(\.id)
  }

  /// Removes the oldest settled deliveries beyond the limits of number and size, and returns their
  /// numbers. The one settled last, `kept`, stays.
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
  /// Counts a delivery in, or out again.
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
  /// Those of a command that are not settled, as rules see them (D4).
  func ruleValues(of command: CommandID) -> [JSON] { open(of: command).map(\.ruleValue) }

  /// Those of a command that are not settled.
  func open(of command: CommandID) -> [Delivery] {
    guard !cell.isEmpty, let ids = cell[0].open[command] else { return [] }
    return ids.compactMap { self[$0] }
  }

  /// The commands whose deliveries rules see otherwise than in another session, or at another time.
  func commands(differingFrom other: Deliveries) -> [CommandID] {
    guard !isIdentical(to: other) else { return [] }
    let commands = Set((cell.first?.open ?? [:]).keys).union((other.cell.first?.open ?? [:]).keys)
    return commands.filter { command in
      let (mine, others) = (ruleValues(of: command), other.ruleValues(of: command))
      return !JSON.array(mine).isWritten(as: .array(others))
    }
  }
}

/// Only the deliveries and the last number are stored; the rest follows from them.
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
    package var isSettled: Bool {
      switch self {
      case .open, .claimed: false
      case .replied, .failed, .cancelled: true
      }
    }
  }

  /// The right to settle a delivery, until a moment.
  package struct Claim: Equatable, Sendable, Codable {
    /// The number among the claims of the delivery, from 1.
    package let number: Int
    /// The name that the claimer gave; nil if it gave none.
    package let by: String?
    /// The deadline, in milliseconds since 1970-01-01T00:00:00Z.
    package let until: Int64
  }

  /// The parts of a delivery that never change.
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
  /// The state.
  package internal(set) var state = State.open
  /// The claim that holds; nil if none does.
  package internal(set) var claim: Claim?
  /// The number of claims so far.
  package internal(set) var claimCount = 0
  /// The time at which it was settled, in milliseconds since 1970-01-01T00:00:00Z; nil if nobody said.
  package internal(set) var settledAt: Int64?
  /// The name of the claimer that replied to it or let it fail; nil if that gave none, or nobody did.
  package internal(set) var settledBy: String?
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
  package var invocation: Invocation { content.value.invocation }

  /// The value that the handler gave for the application.
  package var value: JSON { content.value.value }

  /// The title of what was performed; nil for none.
  package var title: String? { content.value.title }

  /// The name of the undo group of a reply; nil for none.
  var actionName: String? { content.value.actionName }

  /// The command that was performed; nil when an action was sent without one.
  package var command: CommandID? { content.value.invocation.sender?.command?.id }

  /// The result; nil unless it was replied to.
  package var result: JSON? {
    guard state == .replied else { return nil }
    return answer ?? .null
  }

  /// The problem; nil unless it failed.
  package var problem: JSON? {
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

/// A reason why a delivery is not claimed, renewed or settled (D2).
public enum DeliveryFault: Equatable, Sendable {
  /// The session has no delivery of this number: there never was one, or it was settled and forgotten.
  case unknown(Int)
  /// It is claimed already.
  case alreadyClaimed(Int, by: String?, until: Int64)
  /// It is settled already.
  case alreadySettled(Int, Delivery.State)
  /// Nobody had a claim of this number.
  case notClaimed(Int, claim: Int)
  /// The claim of this number has expired.
  case claimLost(Int, claim: Int)
}

extension DeliveryFault {
  /// The number of the delivery.
  package var delivery: Int {
    switch self {
    case .unknown(let id), .alreadyClaimed(let id, by: _, until: _), .alreadySettled(let id, _),
      .notClaimed(let id, claim: _), .claimLost(let id, claim: _):
      id
    }
  }

  /// The reason as a word that stays the same.
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
