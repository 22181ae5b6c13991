import Foundation
import Glibc
import JSONText
import StoreSupport
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

  @Test(arguments: [620, 1130])
  func `E5: after a kill a subscriber goes on that is 300 revisions old, also over a new command`(
    revision: Int
  ) throws {
    let folder = try TemporaryFolder()
    let arguments = [
      "serve", "--port", "0", "--log-format", "json", "--journal-path", folder.path + "/menud.db",
    ]
    let environment = ["MENUD_JOURNAL_DURABILITY": "off"]
    let server = try RunningProgram(arguments, environment: environment)
    let connection = try Connection(port: server.port())
    let change = #"{"op":"mergeState","patch":{"n":1}}"#
    for number in 1...revision {
      let mutation = change.replacing("1", with: String(number))
      let answer = try connection.ask(
        "POST", "/sessions/demo/mutations", #"{"mutations":[\#(mutation)]}"#)
      #expect(answer.status == 200)
      guard number == revision - 100 else { continue }
      let command = #"{"title":"Zap","action":"zap:"}"#
      #expect(try connection.ask("PUT", "/commands/zap:", command).status == 201)
    }
    let told = try connection.ask("GET", "/sessions/demo/changes?document=true")
    guard case .string(let id)? = told["/0/id"] else {
      Issue.record("\(told.json)")
      return
    }
    server.signal(SIGKILL)
    _ = try server.outcome()
    let again = try RunningProgram(arguments, environment: environment)
    // The id of 300 revisions before, under the catalogue before.
    let parts = id.split(separator: ".")
    let old = "\(parts[0]).\((Int(parts[1]) ?? 0) - 1).\(revision - 300)"
    let subscriber = try Subscriber(
      "http://localhost:\(try again.port())/sessions/demo/events?document=true&commands=zap:",
      in: folder, named: "subscriber", ["--header", "Last-Event-ID: \(old)"])
    #expect(eventually { subscriber.text.contains(#""n":\#(revision)}"#) })
    #expect(!subscriber.text.contains("event: reset"))
    #expect(subscriber.text.contains(#""from":\#(revision - 300),"#))
    #expect(subscriber.text.contains(#""title":"Zap""#))
  }

  @Test func `R11: two clients work on one session, each in a window with a focus of its own`()
    throws
  {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(["serve", "--port", "0", "--log-format", "json"])
    let port = try server.port()
    let (left, right) = (try Connection(port: port), try Connection(port: port))
    let session = #"""
      {"id":"two","template":false,"state":{"log":[]},"keyWindow":"left","responders":{
       "left":{"kind":"window"},"right":{"kind":"window"},
       "a":{"kind":"view","superview":"left","handlers":{"copy:":{"perform":[{"op":"add","path":"/log/-","value":"'a'"}]}}},
       "b":{"kind":"view","superview":"right","handlers":{"copy:":{"perform":[{"op":"add","path":"/log/-","value":"'b'"}]}}},
       "c":{"kind":"view","superview":"right"}}}
      """#
    #expect(try left.ask("POST", "/sessions", session).status == 201)
    let url = "http://localhost:\(port)/sessions/two/events?commands=copy:&window="
    let first = try Subscriber(url + "left", in: folder, named: "left")
    let second = try Subscriber(url + "right", in: folder, named: "right")
    #expect(
      eventually { first.text.contains("event: reset") && second.text.contains("event: reset") })
    let focus = "/sessions/two/first-responder"
    #expect(try left.ask("PUT", focus, #"{"responder":"a"}"#).status == 200)
    #expect(eventually { first.text.contains(#""target":"a""#) })
    #expect(try right.ask("PUT", focus, #"{"responder":"b"}"#).status == 200)
    #expect(eventually { second.text.contains(#""target":"b""#) })
    for (client, window) in [(left, "left"), (right, "right"), (left, "left")] {
      let body = #"{"session":"two","command":"copy:","window":"\#(window)"}"#
      #expect(try client.ask("POST", "/commands/perform", body).status == 200)
    }
    #expect(try left.ask("GET", "/sessions/two")["/state/log"] == ["a", "b", "a"])
    // What one takes away from its window, the other one keeps.
    #expect(try right.ask("PUT", focus, #"{"responder":"c"}"#).status == 200)
    #expect(
      eventually {
        second.text.contains("event: change") && second.text.contains(#""target":null"#)
      })
    let body = #"{"session":"two","command":"copy:","window":"left"}"#
    #expect(try left.ask("POST", "/commands/perform", body).status == 200)
    #expect(!first.text.contains(#""target":"b""#) && !second.text.contains(#""target":"a""#))
  }

  @Test func `a closed session ends its streams, and returning clients are told to stop`() throws {
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

  @Test func `a token that is taken out of its file ends its streams, and no log shows a ticket`()
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("first-administrator\nsecond-administrator\n", to: "tokens")
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json", "--log-requests", "--log-level", "debug"],
      environment: ["MENUD_AUTH_ADMINISTRATOR_TOKEN_FILE": folder.path + "/tokens"])
    let port = try server.port()
    let url = "http://localhost:\(port)/sessions/demo/events"
    let connection = try Connection(port: port)
    connection.send(
      "POST /sessions/demo/tickets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
        + "Authorization: Bearer second-administrator\r\n\r\n")
    guard case .string(let ticket)? = try connection.answer()["/ticket"] else {
      Issue.record("There is no ticket.")
      return
    }
    let bearer = { (token: String) in ["--header", "Authorization: Bearer \(token)"] }
    let kept = try Subscriber(url, in: folder, named: "kept", bearer("first-administrator"))
    let revoked = try Subscriber(url, in: folder, named: "revoked", bearer("second-administrator"))
    let ticketed = try Subscriber("\(url)?ticket=\(ticket)", in: folder, named: "ticketed")
    for subscriber in [kept, revoked, ticketed] {
      #expect(eventually { subscriber.text.contains("event: reset") })
    }
    let used = try Subscriber(
      "\(url)?ticket=\(ticket)", in: folder, named: "used", ["--write-out", "%{http_code}"])
    #expect(eventually { used.hasEnded && used.text.hasSuffix("401") })
    try folder.write("first-administrator\n", to: "tokens")
    server.signal(SIGHUP)
    for subscriber in [revoked, ticketed] {
      #expect(eventually { subscriber.hasEnded })
      #expect(subscriber.text.contains("\"reason\":\"tokenRevoked\""))
    }
    #expect(!kept.hasEnded)
    #expect(eventually { server.events.contains { $0.isNamed("tokens reloaded") } })
    try folder.write("short\n", to: "tokens")
    server.signal(SIGHUP)
    #expect(eventually { server.events.contains { $0.isNamed("tokens not reloaded") } })
    #expect(!kept.hasEnded)
    #expect(server.requests.count > 4)
    #expect(!server.errors.contains(ticket))
  }

  @Test func `beyond so many streams the answer is 503, and requests are answered`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["MENUD_SERVER_MAXIMUM_STREAMS": "2"])
    let port = try server.port()
    let url = "http://localhost:\(port)/sessions/demo/events"
    let taken = try ["a", "b"].map { try Subscriber(url, in: folder, named: $0) }
    for subscriber in taken {
      #expect(eventually { subscriber.text.contains("event: reset") })
    }
    let refused = try Subscriber(
      url, in: folder, named: "refused", ["--write-out", "%{http_code}"])
    #expect(eventually { refused.hasEnded && refused.text.hasSuffix("503") })
    let connection = try Connection(port: port)
    #expect(try connection.ask("GET", "/sessions/demo").status == 200)
  }

  @Test(arguments: ["MENUD_SERVER_MAXIMUM_STREAMS", "MENUD_SERVER_MAXIMUM_STREAMS_PER_ADDRESS"])
  func `E5: beyond so many streams a subscriber that resumes waits`(limit: String) throws {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"], environment: [limit: "1"])
    let url = "http://localhost:\(try server.port())/sessions/demo/events"
    let taken = try Subscriber(url, in: folder, named: "taken")
    #expect(eventually { taken.text.contains("event: reset") })
    let id = try #require(taken.text.firstMatch(of: /id: (\S+)/)).output.1
    for (name, query, options) in [
      ("field", "", ["--header", "Last-Event-ID: \(id)"]), ("query", "?since=\(id)", []),
    ] {
      let resumed = try Subscriber(
        url + query, in: folder, named: name, options + ["--write-out", "%{http_code}"])
      #expect(eventually { resumed.hasEnded })
      #expect(resumed.text == "retry: 10000\n\n200")
    }
  }

  @Test func `E6: a subscriber that reads nothing delays nobody, and is cut off`() throws {
    let folder = try TemporaryFolder()
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["MENUD_SERVER_RESPONSE_TIMEOUT": "1"])
    let port = try server.port()
    let target = "/sessions/demo/events?document=true"
    let reading = try Subscriber("http://localhost:\(port)\(target)", in: folder, named: "reading")
    let deaf = try Connection(port: port)
    deaf.send(Connection.request("GET", target))
    #expect(eventually { reading.text.contains("event: reset") })
    let connection = try Connection(port: port)
    let text = String(repeating: "x", count: 1 << 16)
    // More than the system takes off menud's hands.
    for number in 0..<200 {
      let body = #"{"mutations":[{"op":"mergeState","patch":{"text":"\#(number) \#(text)"}}]}"#
      #expect(try connection.ask("POST", "/sessions/demo/mutations", body).status == 200)
    }
    #expect(eventually { reading.text.contains("199 xxx") })
    let streams = { try? connection.ask("GET", "/metrics") }
    #expect(
      eventually {
        let page = streams().map { String(decoding: $0.body, as: UTF8.self) } ?? ""
        return page.contains("\nmenud_http_streams 1\n")
      })
    #expect(!reading.hasEnded)
  }
}
