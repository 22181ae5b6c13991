import Foundation
import MenuAPI
import Testing

/// The page of metrics of the running program.
@Suite(Program.isBuilt) struct MetricsTests {
  @Test(.enabled(if: Parser.isInstalled, "Debian's python3-prometheus-client is not installed"))
  func `Prometheus' own parser reads the page, and finds every family`() throws {
    let folder = try TemporaryFolder()
    try folder.write(try Self.page(), to: "page")
    let (status, output) = try Parser.read(folder.path + "/page")
    #expect(status == 0, "\(output)")
    // There are no other replicas.
    let families = MetricFamily.all.filter { !$0.name.hasPrefix("menud_replica_") }
    let expected = families.map { family in
      // The parser knows counters without their end.
      let name = family.kind == .counter ? String(family.name.dropLast(6)) : family.name
      return "\(name) \(family.kind.rawValue)"
    }
    #expect(output.split(separator: "\n").map(String.init) == expected)
  }

  @Test func `the process and the journal are measured`() throws {
    let lines = try Self.page().split(separator: "\n")
    let value = { (name: String) -> Double in
      let line = lines.first { $0.hasPrefix(name + " ") }
      return line.flatMap { Double($0.split(separator: " ")[1]) } ?? -1
    }
    #expect(value("process_cpu_seconds_total") > 0)
    #expect(value("process_resident_memory_bytes") > 1_000_000)
    #expect(value("process_virtual_memory_bytes") > value("process_resident_memory_bytes"))
    #expect(value("process_open_fds") > 5 && value("process_open_fds") < value("process_max_fds"))
    #expect(abs(value("process_start_time_seconds") - Date().timeIntervalSince1970) < 600)
    // The catalogue, the session "demo", and what was performed.
    #expect(value("menud_journal_records_total") == 3)
    #expect(value("menud_journal_flush_changes_sum") == 3)
    #expect(value("menud_recovery_duration_seconds") > 0)
    #expect(value("menud_http_requests_in_flight") == 1)
    #expect(value("menud_http_connections") == 1)
    let refused = #"menud_http_refusals_total{reason="missingHost"} 1"#
    #expect(lines.contains { $0 == refused })
  }

  @Test func `every metric is in the table of its documentation as it is on the page`() throws {
    let text = try DocumentationPage("docs/operations.md").text
    for family in MetricFamily.all {
      let labels = family.labels.map { "`\($0)`" }.joined(separator: ", ")
      let kind = family.kind.rawValue + (labels.isEmpty ? "" : " by " + labels)
      let row = "| `\(family.name)` | \(kind) | \(family.help) |"
      #expect(text.contains(row), "\(row)")
    }
    let rows = text.matches(of: /(?m)^\| `(menud|process)_/).count
    #expect(rows == MetricFamily.all.count)
  }

  /// The page after some traffic.
  private static func page() throws -> String {
    let server = try RunningProgram.serving()
    let port = try server.port()
    let malformed = try Connection(port: port)
    malformed.send("GET / HTTP/1.1\r\n\r\n")
    #expect(try malformed.answer().status == 400)
    #expect(throws: Connection.Failure.end) { try malformed.answer() }
    let connection = try Connection(port: port)
    for (method, target, body) in [
      ("POST", "/commands/validate", #"{"session":"demo","menu":"rating"}"#),
      ("POST", "/commands/perform", #"{"session":"demo","command":"applyFiveStarRating:"}"#),
      ("GET", "/no\"where", nil),
    ] { _ = try connection.ask(method, target, body) }
    let answer = try connection.ask("GET", "/metrics")
    #expect(answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    return String(decoding: answer.body, as: UTF8.self)
  }
}

/// The parser that Prometheus' client for Python has.
private enum Parser {
  private static let python = "/usr/bin/python3"
  private static let script = Program.path + "/Tests/MenudTests/Operations/check-metrics.py"

  static let isInstalled = (try? run("\(python) -c 'import prometheus_client.parser'"))?.0 == 0

  static func read(_ path: String) throws -> (Int32, String) {
    try run("\(python) '\(script)' < '\(path)'")
  }

  private static func run(_ command: String) throws -> (Int32, String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
