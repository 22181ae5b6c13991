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
