/// The answers to requests with an idempotency key, so that a retry does not repeat the request.
///
/// Each is in the journal too, in the same transaction as its request's change. An answer is evicted once it has
/// expired. If there are too many, the oldest are evicted first, but never the newest.
package struct KeptAnswers: Sendable {
  /// The maximum number, size and age of kept answers.
  package struct Bounds: Hashable, Sendable {
    /// The time for which an answer is kept, in seconds; the default is a day.
    package var retention = 86_400
    /// The maximum number of answers; the default is 100,000.
    package var count = 100_000
    /// The maximum size of all answers in bytes, plus about 256 for each; the default is 64 MiB.
    package var size = 64 << 20

    /// The defaults.
    package init() {}
  }

  /// A kept answer.
  struct Kept: Sendable {
    let entry: IdempotencyEntry
    /// The number that distinguishes it from older and newer answers under its key.
    let number: Int
  }

  private var byKey = AnswerTable()
  /// The keys in the order of their answers. An entry may be stale: its key has a newer answer, or
  /// none.
  private(set) var order = PiecewiseQueue<(key: AnswerKey, number: Int)>()
  private var last = 0
  private(set) var size = 0
  /// The keys of evicted answers that the journal still has.
  private(set) var forgotten: Set<AnswerKey> = []

  /// Creates an empty collection.
  init() {}

  /// Creates the collection from a journal; the oldest answers that exceed the bounds are evicted.
  init(recovering entries: [IdempotencyEntry], within bounds: Bounds) {
    for entry in entries.sorted(by: { $0.expiry < $1.expiry }) {
      put(KeyedAnswer(entry), within: bounds, at: .min, isJournaled: true)
    }
  }

  /// Returns the answer under a key; nil if there is none, or it has expired.
  func answer(under key: AnswerKey, at now: Int64) -> IdempotencyEntry? {
    byKey[key].flatMap { $0.entry.expiry > now ? $0.entry : nil }
  }

  var count: Int { byKey.count }

  /// All answers, the oldest first.
  var entries: [IdempotencyEntry] {
    byKey.values.sorted { $0.number < $1.number }.map(\.entry)
  }

  /// Stores an answer, which replaces an older one under its key, and evicts those that exceed the bounds.
  ///
  /// - Parameter isJournaled: True if evicted answers must be removed from a journal too.
  mutating func put(
    _ answer: KeyedAnswer, within bounds: Bounds, at now: Int64, isJournaled: Bool
  ) {
    last += 1
    let kept = Kept(entry: answer.entry, number: last)
    if let old = byKey.insert(kept, under: answer.key) { size -= old.entry.size }
    size += answer.entry.size
    order.append((answer.key, last))
    // The journal has the new answer.
    forgotten.remove(answer.key)
    trim(within: bounds, at: now, isJournaled: isJournaled)
  }

  /// Records that the journal has removed evicted answers.
  mutating func endForgetting(_ keys: Set<AnswerKey>) { forgotten.subtract(keys) }

  /// Evicts the oldest answers, but never the newest.
  private mutating func trim(within bounds: Bounds, at now: Int64, isJournaled: Bool) {
    while let (key, number) = order.first, number != last {
      if let kept = byKey[key], kept.number == number {
        let isTooMuch = byKey.count > bounds.count || size > bounds.size
        guard isTooMuch || kept.entry.expiry <= now else { return }
        byKey.remove(key)
        size -= kept.entry.size
        if isJournaled { forgotten.insert(key) }
      }
      order.removeFirst()
    }
  }
}

extension IdempotencyEntry {
  /// The approximate memory that it takes, in bytes.
  fileprivate var size: Int {
    key.count + fingerprint.count + headers.count + body.count + 256
  }
}
