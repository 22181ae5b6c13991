import Synchronization

/// A lock-free counter for operators.
package final class Counter: Sendable {
  private let number = Atomic(0)

  /// Creates a counter at 0.
  package init() {}

  package func add(_ amount: Int = 1) { number.wrappingAdd(amount, ordering: .relaxed) }

  package var value: Int { number.load(ordering: .relaxed) }
}

/// A row of counters, stored inline.
package final class Counters: Sendable {
  /// The number of counters in a row.
  package static let capacity = 40
  private let numbers = InlineArray<40, Atomic<Int>> { _ in Atomic(0) }

  /// Creates counters at 0.
  package init() {}

  package func add(_ amount: Int = 1, at index: Int) {
    numbers[index].wrappingAdd(amount, ordering: .relaxed)
  }

  package subscript(index: Int) -> Int { numbers[index].load(ordering: .relaxed) }
}

/// The numbers of values between bounds; recording a value takes no lock.
package final class Histogram: Sendable {
  /// The highest value of each class except the last, which is unbounded; ascending.
  package let bounds: [Int]
  private let counts = Counters()
  private let total = Counter()

  /// Creates an empty histogram with these bounds, 39 at most.
  package init(bounds: [Int]) {
    precondition(bounds.count < Counters.capacity, "A histogram has no room for so many bounds.")
    self.bounds = bounds
  }

  /// Records a value. The first classes are found the fastest.
  package func note(_ value: Int) {
    var place = 0
    while place < bounds.count, value > bounds[place] { place += 1 }
    counts.add(at: place)
    total.add(value)
  }

  /// The values recorded so far. A value that is being recorded may be in the counts but not yet in the sum.
  package var reading: Reading {
    Reading(bounds: bounds, counts: (0...bounds.count).map { counts[$0] }, sum: total.value)
  }

  /// A histogram at a moment.
  package struct Reading: Hashable, Sendable {
    package let bounds: [Int]
    /// The number of values in each class; there is one class more than there are bounds.
    package let counts: [Int]
    /// The sum of all values.
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
