import Locks
import MenuEngine
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MenuStore

/// A journal that keeps nothing, and is its own writer's worker: changes are carried out when a test says so.
final class ScriptedJournal: Journal, WriterWorker {
  private struct State {
    var writer: Writer?
    var fails = false
  }

  private let state = Lock(State())
  let figures = JournalFigures()
  let clock = RetentionClock { 0 }

  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery { JournalRecovery() }

  func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    if state.withLock(\.fails) { throw .noRoom(path: "nowhere") }
    publish()
    return false
  }

  let histories: any Histories = NoHistories()

  func close() {}

  /// All changes that wait are carried out.
  func succeed() { step(failing: false) }

  /// None of the changes that wait can be made durable.
  func fail() { step(failing: true) }

  private func step(failing fails: Bool) {
    let writer = state.withLock { state in
      state.fails = fails
      return state.writer
    }
    _ = writer?.step(waiting: .zero)
  }

  func start(_ writer: Writer) { state.withLock { $0.writer = writer } }

  func finish() { state.withLock { $0.writer = nil } }

  func sleep(for time: Duration) {}

  var now: Duration { .zero }
}

/// The answer to a request so far.
final class Asked: Sendable {
  private let answered = Lock<Response?>(nil)

  init(_ answer: EventualResponse) {
    answer.whenMade { [self] response in answered.withLock { $0 = response } }
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

extension Service {
  /// The response to a request; of one that comes later, once it is there.
  func respond(to request: Request) -> Response { Replicas.response(of: answer(to: request)) }
}
