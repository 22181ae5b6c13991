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

  private var byKey = AnswerTable()
  /// The keys in the order of their answers. An entry may be stale: its key has a newer answer, or
  /// none.
  private(set) var order = PiecewiseQueue<(key: AnswerKey, number: Int)>()
  private var last = 0
  private(set) var size = 0
  /// The keys of evicted answers that the journal still has.
  private var forgotten: Set<AnswerKey> = []

  /// No answers.
  init() {}

  /// The answers of a journal; beyond the bounds the oldest are evicted.
  init(recovering entries: [IdempotencyEntry], within bounds: Bounds) {
    for entry in entries.sorted(by: { $0.expiry < $1.expiry }) {
      _ = put(KeyedAnswer(entry), within: bounds, at: .min)
    }
  }

  /// Returns the answer under a key; nil if there is none, or it has expired.
  func answer(under key: AnswerKey, at now: Int64) -> Kept? {
    byKey[key].flatMap { $0.entry.expiry > now ? $0 : nil }
  }

  var count: Int { byKey.count }

  /// All of them, the oldest first.
  var entries: [IdempotencyEntry] {
    byKey.values.sorted { $0.number < $1.number }.map(\.entry)
  }

  /// Puts an answer in the place of an older one under its key, evicts those that are too old or too many, and
  /// returns its number.
  private mutating func put(_ answer: KeyedAnswer, within bounds: Bounds, at now: Int64) -> Int {
    last += 1
    let kept = Kept(entry: answer.entry, number: last, ticket: .durable)
    if let old = byKey.insert(kept, under: answer.key) { size -= old.entry.size }
    size += answer.entry.size
    order.append((answer.key, last))
    // What the journal is to forget it must not be told to keep.
    forgotten.remove(answer.key)
    trim(within: bounds, at: now)
    return last
  }

  /// Adds an answer that another process kept, which evicts others when its own come.
  mutating func follow(_ answer: KeyedAnswer, within bounds: Bounds, at now: Int64) {
    _ = put(answer, within: bounds, at: now)
  }

  /// The effects of an addition, by which it is rolled back.
  struct Added: Sendable {
    let key: AnswerKey
    let number: Int
    /// The keys that the journal forgets with it.
    let forgotten: [AnswerKey]
    /// True if the journal has an older answer under its key.
    let wasForgotten: Bool
  }

  /// Adds an answer, and hands over the keys of all that were evicted.
  mutating func add(_ answer: KeyedAnswer, within bounds: Bounds, at now: Int64) -> Added {
    let wasForgotten = forgotten.contains(answer.key) || byKey[answer.key] != nil
    let number = put(answer, within: bounds, at: now)
    defer { forgotten = [] }
    return Added(
      key: answer.key, number: number,
      // In an order, so that the same changes make the same file.
      forgotten: forgotten.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) },
      wasForgotten: wasForgotten)
  }

  /// Removes an answer that the journal did not take; what was evicted is still to be forgotten there.
  mutating func undo(_ added: Added) {
    remove(added.key, added.number)
    forgotten.formUnion(added.forgotten)
    if added.wasForgotten { forgotten.insert(added.key) }
  }

  /// Removes an answer, when it is still that one.
  private mutating func remove(_ key: AnswerKey, _ number: Int) {
    guard let kept = byKey[key], kept.number == number else { return }
    byKey.remove(key)
    size -= kept.entry.size
    // The last goes first when several are rolled back: while nothing can be kept, nothing gathers.
    while let last = order.last, byKey[last.key]?.number != last.number { order.removeLast() }
  }

  /// Sets the ticket of an answer that was just added; until then it is durable.
  mutating func set(_ ticket: Ticket, of added: Added) { byKey.set(ticket, under: added.key) }

  /// Evicts the oldest answers, but never the newest.
  private mutating func trim(within bounds: Bounds, at now: Int64) {
    while let (key, number) = order.first, number != last {
      if let kept = byKey[key], kept.number == number {
        let isTooMuch = byKey.count > bounds.count || size > bounds.size
        guard isTooMuch || kept.entry.expiry <= now else { return }
        byKey.remove(key)
        size -= kept.entry.size
        forgotten.insert(key)
      }
      order.removeFirst()
    }
  }
}

extension IdempotencyEntry {
  /// About how many bytes of memory it takes.
  fileprivate var size: Int {
    key.count + fingerprint.count + headers.count + body.count + 256
  }
}
