import StoreSupport
import Testing

@testable import MenuStore

struct FlushFigureTests {
  @Test func `each write of a batch is timed, and every change is in one of them`() throws {
    let place = try Place()
    let model = try place.model()
    for _ in 0..<3 { try model.change("a", [1]) }
    #expect(try model.change("a", [2]).wait() == .durable)
    model.close()
    let figures = model.journal.figures
    #expect(figures.batches.reading.sum == 4)
    #expect(figures.flushes.reading.count == figures.batches.reading.count)
    #expect((1...4).contains(figures.flushes.reading.count))
    #expect(figures.flushes.reading.sum > 0)
  }

  @Test func `a journal without changes has written nothing`() throws {
    let model = try Place().model()
    model.close()
    #expect(model.journal.figures.flushes.reading.count == 0)
    #expect(model.journal.figures.failures.value == 0)
  }
}
