import Foundation
import JSONText
import MenuAPI
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuEngine

/// The answers to the journal of `RecoveredBytesTests`, which has every operation: they stay the same, to
/// the byte.
///
/// `MENUD_WRITE_FIXTURE=1` writes the fixture anew, from that of the engine.
@Suite struct RecoveredAnswersTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "..").standardized
  private static let file = tests.appending(path: "MenuAPITests/Fixtures/every-answer.json")

  /// A session as it was opened, and what happened to it.
  private struct Run {
    let name: String
    let catalog: Catalog
    let opened: Session
    let records: [SessionRecord]
  }

  private static func list(_ json: JSON, _ name: String) throws -> [JSON] {
    guard case .array(let list)? = json[JSONPointer([name])], !list.isEmpty else {
      throw StoredFault.notStored
    }
    return list
  }

  private static func stored<Value: Codable>(_ json: JSON, _ name: String) throws -> Value {
    try StoredFormat.value(from: #require(json[JSONPointer([name])]).bytes)
  }

  private static func runs() throws -> [Run] {
    let file = tests.appending(path: "MenuEngineTests/Fixtures/every-operation.json")
    return try list(JSON(parsing: Array(Data(contentsOf: file))), "runs").map { run in
      Run(
        name: try #require(run[JSONPointer(["name"])]).text(),
        catalog: try stored(run, "catalog"), opened: try stored(run, "opened"),
        records: try list(run, "steps").map { try stored($0, "record") })
    }
  }

  /// The answers of a service with one session, which goes through a run.
  private static func answers(to run: Run) throws -> [JSON] {
    let service = try Service.ofOne(run.opened, in: run.catalog)
    return try run.records.map { record in
      let body: JSON = ["mutations": .array(record.mutations.map(\.json)), "explain": true]
      let response = service.respond(
        to: try Request(
          .post, "/sessions/s/mutations", headers: ["Content-Type": "application/json"],
          body: body.bytes))
      return try JSON(parsing: response.body)
    }
  }

  @Test func `every answer is as it was`() throws {
    let runs = try Self.runs()
    if ProcessInfo.processInfo.environment["MENUD_WRITE_FIXTURE"] != nil {
      let answers = try runs.map { run in
        ["name": try JSON(parsing: run.name), "answers": .array(try Self.answers(to: run))] as JSON
      }
      try Data(JSON.object(["runs": .array(answers)]).bytes).write(to: Self.file)
    }
    let fixture = try Self.list(JSON(parsing: Array(Data(contentsOf: Self.file))), "runs")
    try #require(fixture.count == runs.count)
    for (run, wanted) in zip(runs, fixture) {
      #expect(wanted[JSONPointer(["name"])]?.text() == run.name)
      let answers = try Self.answers(to: run)
      let lines = try Self.list(wanted, "answers")
      try #require(answers.count == lines.count)
      for (index, (answer, line)) in zip(answers, lines).enumerated() {
        #expect(answer.text() == line.text(), "\(run.name) \(index)")
      }
    }
  }
}
