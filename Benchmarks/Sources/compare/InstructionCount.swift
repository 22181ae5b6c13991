import Foundation
import Measuring

/// Counts the instructions of requests in servers under callgrind: those of the program and its libraries, not
/// the kernel's.
struct InstructionCount {
  let menud: String
  let configuration: String
  let port: Int

  private static let head = [
    "instructions of a request", "menud", "C, constant body", "beyond it", "ratio",
  ]

  /// A table of the comparisons that are wanted.
  func report(_ isWanted: (String) -> Bool) throws -> String {
    let menud = try HTTPServer.menud(menud, configuration: configuration, port: port)
    try Workload.openSessions(on: menud, connections: 1)
    let constant = try HTTPServer(
      [sibling("constant-server"), "\(port + 1)"], port: port + 1, readiness: "/200/0")
    let pairs = try Workload.comparisons(on: menud).filter { isWanted($0.name) }.map {
      (own: $0, constant: try $0.answeredWithoutWork(by: constant, as: menud))
    }
    try menud.server.stop()
    try constant.server.stop()
    return table(Self.head, try pairs.map { try row($0.own.name, constant: $0.constant) })
  }

  private func row(_ name: String, constant: Comparison) throws -> [String] {
    note("counting the instructions of \(name)")
    let isPrepared = !constant.preparation.isEmpty
    let own = try instructions(of: menud, isPrepared: isPrepared) { callgrind, program in
      let server = try HTTPServer.menud(
        program, configuration: configuration, port: port, under: callgrind)
      try Workload.openSessions(on: server, connections: 1)
      // An entity tag is of the process that gave it.
      guard let comparison = try Workload.comparisons(on: server).first(where: { $0.name == name })
      else { throw LoadFailure(errors: 0, output: name) }
      return (server, comparison)
    }
    let other = try instructions(of: sibling("constant-server"), isPrepared: isPrepared) {
      callgrind, program in
      let command = callgrind + [program, "\(port)"]
      return (try HTTPServer(command, port: port, readiness: "/200/0"), constant)
    }
    note("\(fixed(own, 0)), and the constant server \(fixed(other, 0))")
    return [name, fixed(own, 0), fixed(other, 0), fixed(own - other, 0), factor(own / other)]
  }

  /// Starts a program behind these arguments, and says what it is asked.
  private typealias Start = ([String], String) throws -> (HTTPServer, Comparison)

  /// The instructions of what a comparison measures: those of a hundred turns more, less what prepares it.
  private func instructions(
    of program: String, isPrepared: Bool, _ start: Start
  ) throws -> Double {
    // Without debugging information, which older valgrinds cannot read.
    let bare = FileManager.default.temporaryDirectory
      .appendingPathComponent("bare-\(ProcessInfo.processInfo.processIdentifier)").path
    _ = try run("strip", ["--strip-debug", "-o", bare, program])
    defer { try? FileManager.default.removeItem(atPath: bare) }
    func ofHundredTurns(_ requests: (Comparison) -> [Request]) throws -> (Double, Int) {
      let few = try collected(turns: 50, bare, start, requests)
      let many = try collected(turns: 150, bare, start, requests)
      return (many.instructions - few.instructions, many.measured)
    }
    let (whole, measured) = try ofHundredTurns { $0.requests }
    let preparation = isPrepared ? try ofHundredTurns { $0.preparation }.0 : 0
    return (whole - preparation) / Double(100 * measured)
  }

  /// The instructions of a run in which requests of a comparison are sent so many times, and how many things
  /// one time measures.
  private func collected(
    turns: Int, _ program: String, _ start: Start, _ requests: (Comparison) -> [Request]
  ) throws -> (instructions: Double, measured: Int) {
    let log = FileManager.default.temporaryDirectory
      .appendingPathComponent("callgrind-\(ProcessInfo.processInfo.processIdentifier)")
    defer { try? FileManager.default.removeItem(at: log) }
    let (server, comparison) = try start(
      [
        "env", "SWIFT_DETERMINISTIC_HASHING=1", "valgrind", "--tool=callgrind",
        "--callgrind-out-file=/dev/null", "--log-file=\(log.path)",
      ], program)
    guard let connection = Connection(port: server.port) else {
      throw ServerFailure.notReady(command: server.server.command)
    }
    for turn in 0..<turns {
      for request in requests(comparison) {
        let answer = connection.answer(to: request.bytes(turn: turn))
        guard let answer, answer.status < 400 else { throw UnexpectedAnswer(request, answer) }
      }
    }
    try server.server.stop()
    let text = try String(contentsOf: log, encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.contains("Collected :") }
    guard let figure = line?.split(separator: " ").last, let instructions = Double(figure) else {
      throw LoadFailure(errors: 0, output: text)
    }
    return (instructions, comparison.measured)
  }
}
