/// The number of values between bounds; any thread notes one without waiting.
package final class Histogram: Sendable {
  /// The highest value of each class but the last, which has no bound; they grow.
  package let bounds: [Int]
  private let counts = Counters()
  private let total = Counter()

  /// Makes an empty histogram with these bounds, 31 at most.
  package init(bounds: [Int]) {
    precondition(bounds.count < Counters.capacity, "A histogram has no room for so many bounds.")
    self.bounds = bounds
  }

  /// Notes a value. The first classes are found the fastest.
  package func note(_ value: Int) {
    var place = 0
    while place < bounds.count, value > bounds[place] { place += 1 }
    counts.add(at: place)
    total.add(value)
  }

  /// The values recorded so far. One that is being recorded may be in the counts and not in the sum yet.
  package var reading: Reading {
    Reading(bounds: bounds, counts: (0...bounds.count).map { counts[$0] }, sum: total.value)
  }

  /// A histogram at one moment.
  package struct Reading: Hashable, Sendable {
    package let bounds: [Int]
    /// The number of values in each class; there is one class more than there are bounds.
    package let counts: [Int]
    /// All values together.
    package let sum: Int

    /// The number of values.
    package var count: Int { counts.reduce(0, +) }
  }

  /// Bounds of durations in nanoseconds, from 50 µs to 10 s.
  package static let durations = [
    50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000,
    50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000,
    5_000_000_000, 10_000_000_000,
  ]

  /// Bounds of durations in nanoseconds, from 100 ms to an hour.
  package static let longDurations = [
    100_000_000, 500_000_000, 1_000_000_000, 5_000_000_000, 15_000_000_000, 60_000_000_000,
    300_000_000_000, 900_000_000_000, 3_600_000_000_000,
  ]
}
