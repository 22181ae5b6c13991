import Locks

/// The answers to requests with an idempotency key, so that none of these is carried out twice.
///
/// Each lies in the journal too, in one transaction with what its request did. It is forgotten when
/// its time has come, and when there are too many: then the oldest one, but never the newest.
///
/// **Decision:** A time here is that of a ``RetentionClock``.
package final class KeptAnswers: Sendable {
  /// How many answers are kept, and for how long.
  package struct Bounds: Hashable, Sendable {
    /// For how many seconds; the default is a day.
    package var retention = 86_400
    /// How many; the default is 100,000.
    package var count = 100_000
    /// How many bytes, with about 256 for each beside its own; the default is 64 MiB.
    package var size = 64 << 20

    /// The defaults.
    package init() {}
  }

  /// An answer, and its ticket.
  struct Kept: Sendable {
    let entry: IdempotencyEntry
    /// Tells it from older and newer ones under its key.
    let number: Int
    /// Settled when it cannot be lost any more.
    var ticket: Ticket
  }

  package let bounds: Bounds
  /// The clock by which they expire.
  package let clock: RetentionClock
  private let contents = Lock(AnswerQueue())
  /// Held while an answer is added here and in the journal, or taken back, so that both forget in the
  /// same order.
  private let order = Lock(())
  private let turns = (0..<64).map { _ in Turn() }

  init(_ bounds: Bounds, by clock: RetentionClock, recovered entries: [IdempotencyEntry] = []) {
    self.bounds = bounds
    self.clock = clock
    contents.withLock { contents in
      for entry in entries.sorted(by: { $0.expiry < $1.expiry }) {
        _ = contents.add(entry, .durable, within: bounds, at: .min)
      }
    }
  }

  /// The answer kept under a key, and its ticket; nil when there is none, or not any more.
  package func answer(under key: [UInt8]) -> (entry: IdempotencyEntry, ticket: Ticket)? {
    let now = clock.now
    return contents.withLock { contents in
      guard let kept = contents[key], kept.entry.expiry > now else { return nil }
      return (kept.entry, kept.ticket)
    }
  }

  /// Does something while nobody else does with the same key; never inside another one.
  ///
  /// A second request with the key waits, as for a session that is being changed, and then finds the
  /// answer to the first.
  package func inTurn<Result: Sendable, Fault: Error>(
    _ key: [UInt8], _ body: () throws(Fault) -> Result
  ) throws(Fault) -> Result {
    let place = key.first.map { Int($0) % turns.count } ?? 0
    return try turns[place].lock.withLock { (_) throws(Fault) in try body() }
  }

  /// How many answers are kept.
  package var count: Int { contents.withLock(\.count) }

  /// All answers that are kept, the oldest first.
  var entries: [IdempotencyEntry] { contents.withLock(\.entries) }

  private final class Turn: Sendable {
    let lock = Lock(())
  }
}

extension KeptAnswers {
  /// Adds an answer in memory.
  func add(_ entry: IdempotencyEntry) {
    contents.withLock { contents in
      _ = contents.add(entry, .durable, within: bounds, at: creation(of: entry))
      // Nobody has them beside memory.
      contents.forgotten = []
    }
  }

  /// Adds an answer that `append` gives to the journal, with the keys of those that give way, and with
  /// what takes it back.
  ///
  /// It is there before that, since what fails is taken back by another thread at any time after.
  func add(
    _ entry: IdempotencyEntry,
    append: (_ forgotten: [[UInt8]], _ undo: @escaping @Sendable () -> Void) throws(JournalFault) ->
      Ticket
  ) throws(JournalFault) -> Ticket {
    try order.withLock { (_) throws(JournalFault) -> Ticket in
      // No ticket yet: but nobody looks for the key in the meantime, since it is this request's turn.
      let added = contents.withLock { contents in
        contents.addTakingForgotten(entry, within: bounds, at: creation(of: entry))
      }
      do throws(JournalFault) {
        let ticket = try append(added.forgotten) { [self] in order.withLock { _ in undo(added) } }
        contents.withLock { $0.set(ticket, of: entry.key, added.number) }
        return ticket
      } catch {
        undo(added)
        throw error
      }
    }
  }

  private func undo(_ added: AnswerQueue.Added) {
    contents.withLock { $0.undo(added) }
  }

  private func creation(of entry: IdempotencyEntry) -> Int64 {
    entry.expiry.subtractingReportingOverflow(clock.retention).partialValue
  }
}
