import Synchronization

/// A number that any thread adds to without waiting, for operators to read.
package final class Counter: Sendable {
  private let number = Atomic(0)

  /// One that is 0.
  package init() {}

  package func add(_ amount: Int = 1) { number.wrappingAdd(amount, ordering: .relaxed) }

  package var value: Int { number.load(ordering: .relaxed) }
}

/// Such numbers in a row, without a dictionary and without memory of their own for each.
package final class Counters: Sendable {
  /// The number of counters in a row.
  package static let capacity = 32
  private let numbers = InlineArray<32, Atomic<Int>> { _ in Atomic(0) }

  /// All of them 0.
  package init() {}

  package func add(_ amount: Int = 1, at index: Int) {
    numbers[index].wrappingAdd(amount, ordering: .relaxed)
  }

  package subscript(index: Int) -> Int { numbers[index].load(ordering: .relaxed) }
}

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
