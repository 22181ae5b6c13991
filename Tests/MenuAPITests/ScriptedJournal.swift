import Locks
import MenuEngine
import MicroHTTP
import Testing

@testable import MenuAPI
@testable import MenuStore

/// A journal that keeps nothing, and makes durable what it was given, or has it taken back, when a test
/// says so.
final class ScriptedJournal: Journal {
  private struct Batch: Sendable {
    var writes: [JournalWrite] = []
    var ticket = Ticket()
  }

  private let batch = Lock(Batch())
  let figures = JournalFigures()
  let clock = RetentionClock { 0 }
  var fault: JournalFault? { nil }

  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery { JournalRecovery() }

  func append(_ write: JournalWrite) throws(JournalFault) -> Ticket {
    batch.withLock { batch in
      batch.writes.append(write)
      return batch.ticket
    }
  }

  func startWriting() {}

  /// All that it was given is durable.
  func succeed() { take().ticket.settle(.durable) }

  /// All that it was given is taken back, the last first, and something happens after each of them.
  func fail(meanwhile act: () -> Void = {}) {
    let batch = take()
    for write in batch.writes.reversed() {
      write.undo()
      act()
    }
    batch.ticket.settle(.failed(.noRoom(path: "nowhere")))
  }

  func close() {}

  private func take() -> Batch {
    batch.withLock { batch in
      defer { batch = Batch() }
      return batch
    }
  }
}

/// The answer to a request so far.
final class Asked: Sendable {
  private let answered = Lock<Response?>(nil)

  init(_ answer: EventualResponse) {
    answer.whenFulfilled { [self] response in answered.withLock { $0 = response } }
  }

  /// The response; nil as long as it waits.
  var response: Response? { answered.withLock(\.self) }

  /// Its status; nil as long as it waits.
  var status: Status? { response?.status }
}

extension SampleService {
  /// Asks without waiting for the answer.
  func ask(
    _ method: MicroHTTP.Method, _ target: String, _ body: String? = nil,
    headers: [(String, String)] = []
  ) throws -> Asked {
    var fields = Headers()
    if body != nil { fields.append("Content-Type", "application/json") }
    for (name, value) in headers { fields.append(name, value) }
    let request = try Request(method, target, headers: fields, body: Array((body ?? "").utf8))
    return Asked(replicas.ask(request))
  }
}
