import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import Testing

@testable import MenuAPI

/// Subscribers of a process that was killed, who go on with the one that is started in its place (E5).
@Suite(.inOneProcess("A journal in memory is that of one process."))
struct RestartedFollowingTests {
  private let storage = MemoryJournal.Storage()

  /// A process on the journal; the one before ends without a word.
  private func start() throws -> SampleService {
    let clock = RetentionClock { 0 }
    return try SampleService(journal: MemoryJournal(on: storage, clock: clock))
  }

  private func subscribe(
    _ target: String, _ sample: SampleService, after id: String? = nil
  ) throws -> StreamedAnswer {
    var fields = Headers()
    if let id { fields.append("Last-Event-ID", id) }
    let request = try Request(.get, target, headers: fields, body: [])
    return StreamedAnswer(sample.replicas.answer(to: request))
  }

  private func change(_ sample: SampleService, to value: Int) throws {
    let answer = try sample.send(
      .patch, "/sessions/demo/state", #"{"n":\#(value)}"#, type: "application/merge-patch+json")
    #expect(answer.status == .ok)
  }

  @Test func `E5: after a restart over changes of the catalogue a subscriber gets what it missed`()
    throws
  {
    let before = try start()
    let target = "/sessions/demo/events?document=true&commands=zap:,copy:"
    let first = try subscribe(target, before)
    let reset = try #require(first.events.first)
    #expect(reset.event == "reset")
    let other = try subscribe(target, before)
    #expect(other.events.map(\.event) == ["reset"])
    try change(before, to: 1)
    #expect(
      try before.send(.put, "/commands/zap:", #"{"title":"Zap","action":"zap:"}"#).status
        == .created)
    // Another client has read as far as here, under the new catalogue.
    let known = try #require(other.events.last)
    #expect(known.event == "change")
    try change(before, to: 2)
    #expect(
      try before.send(.put, "/commands/zip:", #"{"title":"Zip","action":"zip:"}"#).status
        == .created)
    // It is killed. The client has read the reset alone.
    let after = try start()
    let again = try subscribe(target, after, after: reset.id)
    let events = again.events
    #expect(events.allSatisfy { $0.event == "change" })
    let data = try events.map { try JSON(parsing: $0.text) }
    #expect(data.first?[JSONPointer(["from"])] == 0)
    #expect(data.last?[JSONPointer(["revision"])] == 2)
    let zap = data.compactMap { $0[JSONPointer(["items", "0", "title"])] }
    #expect(zap == ["Zap"])
    var mirror = DocumentMirror(
      try #require(try JSON(parsing: reset.text)[JSONPointer(["document"])]))
    for event in data { try mirror.apply(changesOf: event) }
    #expect(mirror.document == (try after.send(.get, "/sessions/demo").json))
    let rest = try subscribe(target, after, after: known.id).events
    #expect(rest.map(\.event) == ["change"])
    #expect(
      try JSON(parsing: try #require(rest.first).text)[JSONPointer(["from"])] == 1)
    // They go on with what happens since.
    try change(after, to: 3)
    #expect(again.events.map(\.event) == ["change"])
  }
}
