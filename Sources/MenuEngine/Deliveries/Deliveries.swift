import JSONText

/// The deliveries of a session in the order of their numbers (D1): those that are open or claimed, and those
/// that were settled lately.
///
/// One word, since sessions are copied often and most have none.
public struct Deliveries: Sendable, Codable {
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
  public var all: [Delivery] { cell.first?.all ?? [] }

  /// True if there are none.
  public var isEmpty: Bool { cell.isEmpty || cell[0].all.isEmpty }

  /// The number of deliveries, and their size.
  var totals: Totals { cell.first?.totals ?? Totals() }

  /// The number of those that are not settled.
  public var openCount: Int { totals.open }

  /// The earliest deadline of a claim; nil if there is no claim.
  public var earliestDeadline: Int64? { all.lazy.compactMap(\.claim?.until).min() }

  /// True if a claim has expired at a moment, or something was settled before another one.
  public func isDue(at time: Int64, settledBefore past: Int64) -> Bool {
    all.contains { delivery in
      delivery.claim.map { $0.until <= time }
        ?? (delivery.state.isSettled && (delivery.settledAt ?? .min) < past)
    }
  }

  /// The delivery of a number; nil if there is none any more.
  public subscript(id: Int) -> Delivery? { position(of: id).map { cell[0].all[$0] } }

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
