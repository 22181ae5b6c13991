import Locks
import Synchronization

/// Tells when a shared journal has answered a question, or that it cannot.
package final class Ticket: Sendable {
  /// The end of a ticket.
  package enum Outcome: Hashable, Sendable {
    /// The answer is there.
    case durable
    case failed(JournalFault)
  }

  private struct State {
    var outcome: Outcome?
    var waiting: [@Sendable (Outcome) -> Void] = []
  }

  private let state: Lock<State>
  private let isDurableFlag: Atomic<Bool>

  init() {
    state = Lock(State())
    isDurableFlag = Atomic(false)
  }

  private init(_ outcome: Outcome) {
    state = Lock(State(outcome: outcome))
    isDurableFlag = Atomic(outcome == .durable)
  }

  /// The ticket of what needs no waiting.
  package static let durable = Ticket(.durable)

  /// True if the answer is there, so that nobody needs to wait.
  package var isDurable: Bool { isDurableFlag.load(ordering: .acquiring) }

  /// The outcome; nil until there is one.
  package var outcome: Outcome? { isDurable ? .durable : state.withLock(\.outcome) }

  /// Calls `act` once it is settled, on the thread that settles it; at once when it is already.
  package func whenSettled(_ act: @escaping @Sendable (Outcome) -> Void) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.waiting.append(act) }
      return state.outcome
    }
    if let outcome { act(outcome) }
  }

  /// Waits for the outcome; nil if there is none within that time. The default is to wait as long as it takes.
  func outcome(within time: Duration? = nil) -> Outcome? {
    let end = Monitor<Outcome?>(nil)
    whenSettled { outcome in
      end.withLock { $0 = outcome }
      end.signal()
    }
    return end.wait(time) { $0 }
  }

  /// Ends it. The second time it does nothing.
  func settle(_ outcome: Outcome) {
    let waiting = state.withLock { state in
      guard state.outcome == nil else { return [@Sendable (Outcome) -> Void]() }
      // Here, so that code that finds an outcome, or is called, finds it durable too.
      isDurableFlag.store(outcome == .durable, ordering: .releasing)
      state.outcome = outcome
      defer { state.waiting = [] }
      return state.waiting
    }
    for act in waiting { act(outcome) }
  }
}
