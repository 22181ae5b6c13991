/// The answers to requests with an idempotency key, so that none of these is carried out twice.
///
/// Each is in the journal too, in one transaction with the change of its request. An answer is evicted once
/// it has expired, and when there are too many: then the oldest first, but never the newest.
package struct KeptAnswers: Sendable {
  /// The number of answers that are kept, and for how long.
  package struct Bounds: Hashable, Sendable {
    /// The seconds for which an answer is kept; the default is a day.
    package var retention = 86_400
    /// The number of answers; the default is 100,000.
    package var count = 100_000
    /// The bytes of all answers, with about 256 for each beside its own; the default is 64 MiB.
    package var size = 64 << 20

    /// The defaults.
    package init() {}
  }

  /// An answer, and its ticket.
  struct Kept: Sendable {
    let entry: IdempotencyEntry
    /// The number that tells it from older and newer ones under its key.
    let number: Int
    /// Settled once it is durable.
    var ticket: Ticket
  }

  private var byKey: [[UInt8]: Kept] = [:]
  /// The keys in the order in which their answers came, some of which have newer ones by now or none.
  private(set) var order: [(key: [UInt8], number: Int)] = []
  /// The number of keys at the beginning of the order that are done with.
  private var passed = 0
  private var last = 0
  private(set) var size = 0
  /// The keys of evicted answers that the journal still has.
  private var forgotten: Set<[UInt8]> = []

  /// No answers.
  init() {}

  /// The answers that a journal has, of which the oldest are evicted if they are too many.
  init(recovering entries: [IdempotencyEntry], within bounds: Bounds) {
    for entry in entries.sorted(by: { $0.expiry < $1.expiry }) {
      _ = add(entry, within: bounds, at: .min)
    }
  }

  /// The answer under a key, unless it has expired.
  func answer(under key: [UInt8], at now: Int64) -> Kept? {
    byKey[key].flatMap { $0.entry.expiry > now ? $0 : nil }
  }

  var count: Int { byKey.count }

  /// All of them, the oldest first.
  var entries: [IdempotencyEntry] {
    byKey.values.sorted { $0.number < $1.number }.map(\.entry)
  }

  /// Adds an answer in the place of an older one under its key, and forgets those that are too old or
  /// too many; answers its number.
  private mutating func add(
    _ entry: IdempotencyEntry, within bounds: Bounds, at now: Int64
  ) -> Int {
    last += 1
    if let old = byKey[entry.key] { size -= old.entry.size }
    byKey[entry.key] = Kept(entry: entry, number: last, ticket: .durable)
    size += entry.size
    order.append((entry.key, last))
    // What the journal is to forget it must not be told to keep.
    forgotten.remove(entry.key)
    trim(within: bounds, at: now)
    return last
  }

  /// The effects of an addition, by which it is rolled back.
  struct Added: Sendable {
    let key: [UInt8]
    let number: Int
    /// The keys that the journal forgets with it.
    let forgotten: [[UInt8]]
    /// True if the journal has an older answer under its key.
    let wasForgotten: Bool
  }

  /// Adds an answer, and hands over the keys of all that gave way.
  mutating func addTakingForgotten(
    _ entry: IdempotencyEntry, within bounds: Bounds, at now: Int64
  ) -> Added {
    let wasForgotten = forgotten.contains(entry.key) || byKey[entry.key] != nil
    let number = add(entry, within: bounds, at: now)
    defer { forgotten = [] }
    return Added(
      key: entry.key, number: number,
      // In an order, so that the same changes make the same file.
      forgotten: forgotten.sorted { $0.lexicographicallyPrecedes($1) }, wasForgotten: wasForgotten)
  }

  /// Removes an answer that the journal did not take; what gave way is still to be forgotten there.
  mutating func undo(_ added: Added) {
    remove(added.key, added.number)
    forgotten.formUnion(added.forgotten)
    if added.wasForgotten { forgotten.insert(added.key) }
  }

  /// Removes an answer, when it is still that one.
  private mutating func remove(_ key: [UInt8], _ number: Int) {
    guard let kept = byKey[key], kept.number == number else { return }
    byKey[key] = nil
    size -= kept.entry.size
    // The last goes first when several are taken back: while nothing can be kept, nothing gathers.
    while let last = order.last, byKey[last.key]?.number != last.number { order.removeLast() }
    passed = min(passed, order.count)
  }

  /// Sets the ticket of an answer that was just added; until then it is durable.
  mutating func set(_ ticket: Ticket, of added: Added) { byKey[added.key]?.ticket = ticket }

  private mutating func trim(within bounds: Bounds, at now: Int64) {
    while passed < order.count - 1 {
      let (key, number) = order[passed]
      if let kept = byKey[key], kept.number == number {
        let isTooMuch = byKey.count > bounds.count || size > bounds.size
        guard isTooMuch || kept.entry.expiry <= now else { break }
        remove(key, number)
        forgotten.insert(key)
      }
      passed += 1
    }
    // Half of it at once, so that each is moved once on average.
    guard passed > 64, passed > order.count / 2 else { return }
    order.removeFirst(passed)
    passed = 0
  }
}

extension IdempotencyEntry {
  /// About how many bytes of memory it takes.
  fileprivate var size: Int {
    key.count + fingerprint.count + headers.count + body.count + 256
  }
}
