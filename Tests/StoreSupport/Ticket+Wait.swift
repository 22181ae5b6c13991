@testable package import MenuStore

extension Ticket {
  /// Waits until it is settled.
  package func wait() -> Outcome {
    let end = Monitor<Outcome?>(nil)
    whenSettled { outcome in
      end.withLock { $0 = outcome }
      end.signal()
    }
    return end.wait(until: \.self) ?? .failed(.closed)
  }
}
