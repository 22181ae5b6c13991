import Testing

@testable import MenuStore

struct HistogramTests {
  @Test func `an empty one has no values`() {
    let reading = Histogram(bounds: [1, 10]).reading
    #expect(reading.counts == [0, 0, 0])
    #expect((reading.count, reading.sum) == (0, 0))
  }

  @Test func `a value is in the first class whose bound it does not exceed`() {
    let histogram = Histogram(bounds: [1, 10])
    for value in [-1, 0, 1, 2, 10, 11, .max] { histogram.note(value) }
    #expect(histogram.reading.counts == [3, 2, 2])
  }

  @Test func `a sum that is too large goes around and ends nothing`() {
    let histogram = Histogram(bounds: [])
    for value in [Int.max, 1] { histogram.note(value) }
    #expect(histogram.reading == .init(bounds: [], counts: [2], sum: .min))
  }

  @Test func `the bounds of durations grow from 50 µs to 10 s`() {
    let bounds = Histogram.durations
    #expect(bounds == bounds.sorted() && Set(bounds).count == bounds.count)
    #expect((bounds.first, bounds.last) == (50_000, 10_000_000_000))
    #expect(bounds.count < Counters.capacity)
  }

  @Test func `many threads lose nothing`() async {
    let histogram = Histogram(bounds: [5])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { for value in 0..<1000 { histogram.note(value % 10) } }
      }
    }
    #expect(histogram.reading.counts == [4800, 3200])
    #expect(histogram.reading.sum == 36_000)
  }
}
