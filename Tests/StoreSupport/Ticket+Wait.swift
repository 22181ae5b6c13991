@testable package import MenuStore

extension Ticket {
  /// Waits until it is settled.
  package func wait() -> Outcome { outcome() ?? .failed(.closed) }
}
