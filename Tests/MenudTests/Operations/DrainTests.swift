import Foundation
import Glibc
import JSONText
import Locks
import StoreSupport
import Synchronization
import Testing

/// A program that is told to stop while clients change sessions as fast as they can.
@Suite(Program.isBuilt) struct DrainTests {
  @Test(arguments: ["0", "0.3"])
  func `all that was acknowledged is there afterwards, and no answer is broken`(
    delay: String
  ) throws {
    let folder = try TemporaryFolder()
    let arguments = [
      "serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db",
    ]
    let server = try RunningProgram(arguments, environment: ["MENUD_SERVER_DRAIN_DELAY": delay])
    let port = try server.port()
    let clients = (0..<8).map { Client(port: port, session: "s\($0)") }
    let threads = clients.map { client in
      let thread = Thread { client.run() }
      thread.start()
      return thread
    }
    #expect(eventually { clients.allSatisfy { $0.acknowledged > 20 } })
    server.signal(SIGTERM)
    let outcome = try server.outcome()
    #expect(eventually { threads.allSatisfy(\.isFinished) })
    #expect(outcome.status == 0)
    #expect(server.events.last?["cutOff"] == .bool(false))
    #expect(clients.map(\.fault) == clients.map { _ in nil })
    // Everything was written back into the one file.
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files.sorted() == ["menud.db", "menud.db.lock"])

    let second = try RunningProgram(arguments)
    let connection = try Connection(port: second.port())
    for client in clients {
      let revision = try connection.ask("GET", "/sessions/\(client.session)")["/revision"]
      guard case .int(let revision)? = revision else {
        Issue.record("\(client.session) is not there.")
        continue
      }
      // The last request may have been done although its answer did not come any more.
      #expect((client.acknowledged...client.acknowledged + 1).contains(Int(revision)))
    }
  }
}

/// A client that changes its session until it is refused a connection.
private final class Client: Sendable {
  let session: String
  private let port: UInt16
  private let count = Atomic(0)
  private let broken = Lock<String?>(nil)

  init(port: UInt16, session: String) {
    self.port = port
    self.session = session
  }

  /// The number of its acknowledged changes.
  var acknowledged: Int { count.load(ordering: .relaxed) }

  /// The answer that was not whole; nil if there was none.
  var fault: String? { broken.withLock(\.self) }

  func run() {
    do {
      _ = try ask("POST", "/sessions", #"{"id":"\#(session)"}"#, on: Connection(port: port), 201)
      while true { try change(on: Connection(port: port)) }
    } catch let fault as Broken {
      broken.withLock { $0 = fault.what }
    } catch {
      // There is no connection any more, it was closed without a byte, or the request was refused.
    }
  }

  /// Changes the session until an answer closes the connection.
  private func change(on connection: Connection) throws {
    while true {
      let change = #"{"mutations":[{"op":"mergeState","patch":{"n":\#(acknowledged)}}]}"#
      let answer = try ask(
        "POST", "/sessions/\(session)/mutations", change, on: connection, 200)
      count.add(1, ordering: .relaxed)
      if answer.fields["connection"] == "close" { return }
    }
  }

  private func ask(
    _ method: String, _ target: String, _ body: String, on connection: Connection, _ status: Int
  ) throws -> Answer {
    do {
      let answer = try connection.ask(method, target, body)
      // A request that comes when the server is about to stop is refused, and does nothing.
      if answer.status == 503, answer["/type"] == Self.overloaded { throw Refused() }
      guard answer.status == status else {
        throw Broken(what: String(decoding: answer.body, as: UTF8.self))
      }
      return answer
    } catch let failure as Connection.Failure {
      guard connection.hasPartOfAnswer || failure == .silence else { throw failure }
      throw Broken(what: "\(failure) within an answer")
    }
  }

  private static let overloaded: JSON = "/problems/overloaded"

  private struct Broken: Error { let what: String }
  private struct Refused: Error {}
}
