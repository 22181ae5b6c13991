import Locks
package import MenuEngine

@testable package import MenuStore

/// The outcome of something that is made durable or read later, which a test can wait for.
package final class Ticket: Sendable {
  package enum Outcome: Hashable, Sendable {
    case durable
    case failed(JournalFault)
  }

  private let result = Monitor<Outcome?>(nil)

  package init() {}

  /// The outcome; nil until there is one.
  package var outcome: Outcome? { result.withLock(\.self) }

  /// Waits for the outcome.
  package func wait() -> Outcome { result.wait { $0 } ?? .failed(.closed) }

  package func settle(_ outcome: Outcome) {
    result.withLock { $0 = outcome }
    result.signal()
  }
}

extension SessionStore {
  /// Reads what other processes committed before now; durable once it is there.
  package func refresh(_ sessions: some Sequence<SessionID>, keys: [[UInt8]] = []) -> Ticket {
    let ticket = Ticket()
    refresh(sessions, keys: keys) { ticket.settle($0.map { .failed($0) } ?? .durable) }
    return ticket
  }
}
