import Locks

/// A clock that begins with the system's, when it is asked first, and then only grows, whatever people do to that.
final class SteadyClock: Sendable {
  private let dependencies: Service.Dependencies
  private let beginning = Lock<(time: Int64, ticks: Int)?>(nil)

  init(_ dependencies: Service.Dependencies) { self.dependencies = dependencies }

  /// Begins at a time that others go by, in milliseconds since 1970-01-01T00:00:00Z, unless it was asked already.
  func begin(at time: Int64) {
    let ticks = dependencies.nanoseconds()
    beginning.withLock { $0 = $0 ?? (time, ticks) }
  }

  /// The time in milliseconds since 1970-01-01T00:00:00Z.
  var now: Int64 {
    let ticks = dependencies.nanoseconds()
    let begin = beginning.withLock { beginning in
      let begin = beginning ?? (dependencies.now(), ticks)
      beginning = begin
      return begin
    }
    return begin.time &+ Int64((ticks &- begin.ticks) / 1_000_000)
  }
}
