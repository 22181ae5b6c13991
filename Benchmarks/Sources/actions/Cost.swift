import Counters

/// The cost of an activity.
struct Cost {
  let microseconds: Double
  let allocations: Double

  /// Runs `body` at least three times and for at least a fifth of a second, but not more than `most`
  /// times; the answer is the mean of one.
  init(atMost most: Int = 1 << 16, of body: () throws -> Void) rethrows {
    var count = 0
    let (start, allocated) = (thread_nanoseconds(), allocation_count())
    while count < most, count < 3 || thread_nanoseconds() - start < 200_000_000 {
      try body()
      count += 1
    }
    microseconds = Double(thread_nanoseconds() - start) / 1000 / Double(count)
    allocations = Double(allocation_count() - allocated) / Double(count)
  }
}
