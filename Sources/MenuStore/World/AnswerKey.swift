/// An idempotency key with its hash, which is computed once and under no lock.
struct AnswerKey: Hashable, Sendable {
  let bytes: [UInt8]
  private let hash: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    hash = bytes.hashValue
  }

  func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// Returns the index of the part that contains the key, out of `count` parts; `count` is a power of two.
  func part(of count: Int) -> Int { hash & (count - 1) }
}

/// An answer to keep, with its key.
struct KeyedAnswer: Sendable {
  let key: AnswerKey
  let entry: IdempotencyEntry

  init(_ entry: IdempotencyEntry) {
    key = AnswerKey(entry.key)
    self.entry = entry
  }
}
