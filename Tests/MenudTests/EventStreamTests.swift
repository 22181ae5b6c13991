import Foundation
import Glibc
import JSONText
import Testing

/// Events as curl gets them from the built program.
@Suite(Program.isBuilt) struct EventStreamTests {
  /// A curl that prints into a file what it is sent.
  private final class Subscriber {
    private let process = Process()
    private let output: URL

    init(_ url: String, in folder: TemporaryFolder, named name: String, _ options: [String] = [])
      throws
    {
      output = URL(filePath: folder.path).appending(path: name)
      try Data().write(to: output)
      process.executableURL = URL(filePath: "/usr/bin/curl")
      process.arguments = ["--silent", "--no-buffer"] + options + [url]
      process.standardOutput = try FileHandle(forWritingTo: output)
      try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    var hasEnded: Bool { !process.isRunning }
  }

  @Test func `E1–E5: a change is told, a broken stream goes on, and the end says why`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningProgram([
      "serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db",
    ])
    let port = try server.port()
    let connection = try Connection(port: port)
    let url = "http://localhost:\(port)/sessions/demo/events?document=true&commands=zoomIn:"
    let first = try Subscriber(url, in: folder, named: "first")
    #expect(eventually { first.text.contains("event: reset") && first.text.hasSuffix("\n\n") })
    #expect(first.text.hasPrefix("retry: 2000\nid: "))
    let change = #"{"mutations":[{"op":"mergeState","patch":{"n":1}}]}"#
    #expect(try connection.ask("POST", "/sessions/demo/mutations", change).status == 200)
    #expect(eventually { first.text.contains(#""patch":{"n":1}"#) })
    let ids = first.text.matches(of: /id: (\S+)/).map { String($0.output.1) }
    #expect(ids.count == 2)
    // From the reset on there is one change, and from the change on nothing.
    let second = try Subscriber(
      url, in: folder, named: "second", ["--header", "Last-Event-ID: \(ids[0])"])
    #expect(eventually { second.text.contains("event: change") })
    #expect(!second.text.contains("event: reset"))
    let unknown = try Subscriber(
      url, in: folder, named: "unknown", ["--header", "Last-Event-ID: nobody-knows"])
    #expect(eventually { unknown.text.contains("event: reset") })
    server.signal(SIGTERM)
    #expect(try server.outcome().status == 0)
    for subscriber in [first, second, unknown] {
      #expect(eventually { subscriber.hasEnded })
      #expect(
        subscriber.text.hasSuffix(
          "event: closed\ndata: {\"session\":\"demo\",\"reason\":\"draining\"}\n\n"))
    }
  }

  @Test func `a closed session ends its streams, and who comes back is told to stop`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(["serve", "--port", "0", "--log-format", "json"])
    let port = try server.port()
    let connection = try Connection(port: port)
    let url = "http://localhost:\(port)/sessions/demo/events"
    let subscriber = try Subscriber(url, in: folder, named: "subscriber")
    #expect(eventually { subscriber.text.contains("event: reset") })
    #expect(try connection.ask("DELETE", "/sessions/demo").status == 204)
    #expect(eventually { subscriber.hasEnded })
    #expect(
      subscriber.text.hasSuffix(
        "event: closed\ndata: {\"session\":\"demo\",\"reason\":\"sessionClosed\"}\n\n"))
    let last = try #require(subscriber.text.matches(of: /id: (\S+)/).last?.output.1)
    let back = try Subscriber(
      url, in: folder, named: "back",
      ["--write-out", "%{http_code}", "--header", "Last-Event-ID: \(last)"])
    #expect(eventually { back.hasEnded && back.text == "204" })
    #expect(try connection.ask("GET", "/sessions/demo/events").status == 404)
  }
}
