import Foundation
import Measuring

/// The resources that menud takes besides processor time: the time to start, and memory.
struct Resources {
  let menud: String
  let configuration: String
  let port: Int

  /// Milliseconds from exec to the first answer 200 at a path, beside the constant server's: menud
  /// tells that it is alive before it has read the application, and that it is ready afterwards.
  func start(_ path: String, atMost limit: Double?, rounds: Int) throws -> Line {
    let options = ["serve", "--config", configuration, "--port", "\(port)", "--log-level", "error"]
    let times = try (0..<rounds).map { _ in
      (
        menud: try firstAnswer(path, [menud] + options),
        constant: try firstAnswer("/200/0", [sibling("constant-server"), "\(port)"])
      )
    }
    let (own, constant) = (median(times.map(\.menud)), median(times.map(\.constant)))
    let ratios = times.map { $0.menud / $0.constant }.sorted()
    return Line(
      measure: "exec to the first \(path)", peer: Peer.constant, menud: "\(fixed(own, 1)) ms",
      other: "\(fixed(constant, 1)) ms", ratio: factor(median(ratios)),
      range: "\(factor(ratios.first ?? .nan))–\(factor(ratios.last ?? .nan))",
      target: limit.map { "≤ \(factor($0)) ×" } ?? "", isMet: limit.map { median(ratios) <= $0 })
  }

  private func firstAnswer(_ path: String, _ command: [String]) throws -> Double {
    let output = try run(sibling("first-answer"), ["\(port)", path] + command)
    guard let microseconds = Double(output.trimmingCharacters(in: .newlines)) else {
      throw ServerFailure.notReady(command: command.joined(separator: " "))
    }
    return microseconds / 1000
  }

  /// The memory that is resident when menud has answered one `/health`, and what each open session
  /// of the photo application adds to it.
  func memory(_ load: LoadGenerator) throws -> [Line] {
    let menud = try HTTPServer.menud(
      menud, configuration: configuration, port: port,
      ["--application", Workload.photoApplication])
    let idle = try menud.server.residentMemory()
    let opened = try load.send([.post("/sessions", "{}")], to: menud).count
    // The last of them are answered when the load generator has gone.
    Thread.sleep(forTimeInterval: 1)
    let grown = try menud.server.residentMemory() - idle
    try menud.server.stop()
    return [
      Line("resident memory, idle", Double(idle) / 1_048_576, "MiB", atMost: 16),
      Line(
        "memory of an open session of the photo application (of \(opened))",
        Double(grown) / 1024 / Double(max(opened, 1)), "KiB", atMost: 20),
    ]
  }
}

/// The hundred commands without HTTP, by the program `actions`.
func inProcess() throws -> [Line] {
  let output = try run("taskset", ["-c", "0", sibling("actions"), "hundred"])
  let figures = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
  guard figures.count == 3 else { throw LoadFailure(errors: 0, output: output) }
  let limits = [("nothing changed", 0.5), ("after one change", 2.0), ("cold", 20.0)]
  return zip(limits, figures).map { limit, nanoseconds in
    Line("in process, 100 commands, \(limit.0)", nanoseconds / 1000, "µs", atMost: limit.1)
  }
}
