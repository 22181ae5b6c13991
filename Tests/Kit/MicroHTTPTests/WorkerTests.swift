import Locks
import MicroHTTP
import Synchronization
import Testing

struct WorkerTests {
  @Test func `jobs are done in their order`() throws {
    let worker = try Worker(capacity: 100)
    let done = Done()
    for number in 0..<100 {
      while !worker.run({ done.add(number) }) {}
    }
    #expect(eventually { done.numbers == Array(0..<100) })
    worker.stop()
  }

  @Test func `no more jobs wait than there is room for`() throws {
    let worker = try Worker(capacity: 2)
    let (done, isBlocked, mayGoOn) = (Done(), Flag(), Flag())
    #expect(
      worker.run {
        isBlocked.raise()
        mayGoOn.await()
        done.add(0)
      })
    isBlocked.await()
    #expect(worker.run { done.add(1) })
    #expect(worker.run { done.add(2) })
    #expect(!worker.run { done.add(3) })
    mayGoOn.raise()
    #expect(eventually { done.numbers == [0, 1, 2] })
    #expect(worker.run { done.add(4) })
    #expect(eventually { done.numbers == [0, 1, 2, 4] })
    worker.stop()
  }

  @Test func `a worker that was stopped does nothing more`() throws {
    let worker = try Worker(capacity: 2)
    let done = Done()
    worker.stop()
    #expect(!worker.run { done.add(0) })
    worker.stop()
    #expect(done.numbers == [])
  }

  private final class Done: Sendable {
    private let all = Lock<[Int]>([])
    var numbers: [Int] { all.withLock(\.self) }
    func add(_ number: Int) { all.withLock { $0.append(number) } }
  }

  private final class Flag: Sendable {
    private let isRaised = Atomic(false)
    func raise() { isRaised.store(true, ordering: .releasing) }
    func await() { _ = eventually { isRaised.load(ordering: .acquiring) } }
  }
}
