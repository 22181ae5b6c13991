import Foundation
import JSONText
import StoreSupport
import Testing

/// Deliveries of the running program: its sample and worker, kills, and waits (D1 to D4).
@Suite(Program.isBuilt) struct DeliveryTests {
  private static let exporting = #"{"session":"demo","command":"exportPhotos:"}"#

  @Test func `D3: the worker of the sample exports, through a restart of menud`() throws {
    let folder = try TemporaryFolder()
    let first = try Self.serve(in: folder)
    let port = try first.port()
    let performed = try Connection(port: port).ask("POST", "/commands/perform", Self.exporting)
    #expect(performed.status == 200)
    #expect(performed["/deliveries/0/value/photos/0"] == .string("lake"))
    let worker = try Self.worker(in: folder, at: port)
    defer { worker.terminate() }
    #expect(
      eventually { (try? Self.state(of: 1, at: port)) == .string("claimed") })
    let item = try Connection(port: port).ask(
      "POST", "/commands/validate", #"{"session":"demo","commands":["exportPhotos:"]}"#)
    #expect(item["/items/0/title"] == .string("Exporting…"))
    #expect(item["/items/0/enabled"] == .bool(false))
    first.signal(SIGKILL)
    _ = try first.outcome()

    let second = try Self.serve(in: folder, "--port", "\(port)")
    #expect(try second.port() == port)
    worker.waitUntilExit()
    #expect(worker.terminationStatus == 0)
    #expect(try Self.state(of: 1, at: port) == .string("replied"))
    let session = try Connection(port: port).ask("GET", "/sessions/demo")
    #expect(session["/state/exported/lake"] == .string("\(folder.path)/exports/lake.jpg"))
    #expect(session["/deliveries/0/claims"] == .int(1))
    let file = try String(
      contentsOf: folder.url.appending(path: "exports/lake.jpg"), encoding: .utf8)
    #expect(file == "This could be the photo 'lake'.\n")
    let undone = try Connection(port: port).ask("POST", "/sessions/demo/undo", "{}")
    #expect(undone["/actionName"] == .string("Export"))
  }

  @Test func `D3: a client that performs waits, and stopping ends the wait`() throws {
    let program = try RunningProgram.serving()
    let port = try program.port()
    let waiting = try Connection(port: port)
    waiting.send(
      Connection.request("POST", "/commands/perform", Self.exporting)
        .replacing("Host: localhost", with: "Host: localhost\r\nPrefer: wait=20"))
    #expect(eventually { (try? Self.state(of: 1, at: port)) == .string("open") })
    program.signal(SIGTERM)
    let answer = try waiting.answer()
    #expect(answer.status == 202)
    #expect(answer["/deliveries/0/state"] == .string("open"))
    #expect(try program.outcome().status == 0)
  }

  @Test func `D2: with kills of menud and of workers, each delivery is settled exactly once`()
    throws
  {
    let outcome = try Self.check("--kills", "8", "--seconds", "0.6")
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.contains(" of workers, 0 violations\n"), "\(outcome.text)")
  }

  @Test func `D2: work that is noted before the reply is found to be done twice`() throws {
    let outcome = try Self.check("--kills", "8", "--seconds", "0.6", "--plant")
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.contains(try Regex("and was noted [2-9] times")))
  }

  private static func serve(in folder: TemporaryFolder, _ arguments: String...) throws
    -> RunningProgram
  {
    try RunningProgram(
      [
        "serve", "--log-format", "json", "--application", Program.path + "/Config/photo-app",
        "--session", "demo",
        "--journal-path", folder.path + "/menud.db",
      ] + arguments)
  }

  private static func state(of id: Int, at port: UInt16) throws -> JSON? {
    try Connection(port: port).ask("GET", "/sessions/demo/deliveries/\(id)")["/delivery/state"]
  }

  private static func worker(in folder: TemporaryFolder, at port: UInt16) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", "-B", Program.path + "/Config/photo-app/export.py", "--server",
      "http://127.0.0.1:\(port)", "--folder", folder.path + "/exports", "--seconds", "2",
      "--once",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["PYTHONPATH": CheckScript.client]
    ) { $1 }
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }

  private static func check(_ arguments: String...) throws -> (status: Int32, text: String) {
    try CheckScript(name: "deliveries.py").run(arguments)
  }
}
