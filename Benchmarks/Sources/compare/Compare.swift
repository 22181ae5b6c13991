import ArgumentParser
import Measuring

/// Measures menud beside servers that give the same answers.
@main
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure menud beside servers that give the same answers, with and without work."
  )

  @Option(help: "The menud to measure.")
  var menud: String

  @Option(help: "The configuration that declares the hundred commands.")
  var config = Workload.configuration

  @Option(help: "The folder in which the peers were made ready.")
  var peers: String

  @Option(help: "How often everything is measured, in turns.")
  var rounds = 5

  @Option(help: "How long one measurement lasts, in whole seconds.")
  var seconds = 2

  @Option(help: "How many connections ask at once.")
  var connections = 16

  @Option(help: "The port for menud; those it is compared with take the next.")
  var port = 18080

  @Option(help: "Measure only what has this in its name.")
  var only: String?

  @Option(help: "Measure requests only beside those who have this in their names.")
  var beside: String?

  @Flag(help: "Count instructions instead, of menud and the constant server.")
  var instructions = false

  func validate() throws {
    guard rounds > 0, seconds > 0, connections > 0 else {
      throw ValidationError("rounds, seconds and connections must be more than 0")
    }
  }

  func run() throws {
    if instructions {
      let count = InstructionCount(menud: menud, configuration: config, port: port)
      return print(try count.report(isWanted))
    }
    var lines = try requests()
    let resources = Resources(menud: menud, configuration: config, port: port)
    if isWanted("exec memory") {
      note("starting, and opening sessions")
      lines.append(try resources.start("/health", atMost: 2, rounds: 4 * rounds + 1))
      lines.append(try resources.start("/health/ready", atMost: nil, rounds: 4 * rounds + 1))
      lines += try resources.memory(load)
    }
    if isWanted("in process") { lines += try inProcess() }
    print(table(Line.head, lines.map(\.cells)))
    print(
      "\nMedians of \(rounds) rounds of \(seconds) s each. \(Machine.this(with: "libmicrohttpd"))")
    print("Beside it: \(Peer.versions(in: peers)).")
  }

  /// Everything that is asked over a connection, each of it of menud and at once of its peers.
  private func requests() throws -> [Line] {
    let menud = try HTTPServer.menud(menud, configuration: config, port: port)
    try Workload.openSessions(on: menud, connections: connections)
    let comparisons = try Workload.comparisons(on: menud).filter { isWanted($0.name) }
    let entrants = try entrants(for: comparisons).filter { isBeside($0.name) }
    for comparison in comparisons {
      try comparison.expectSameAnswers(
        of: entrants.filter { comparison.peers.contains($0.name) }, as: menud)
    }
    var results = comparisons.flatMap { comparison in
      entrants.filter { $0.name == Peer.constant || comparison.peers.contains($0.name) }
        .map { Measurement(comparison: comparison, peer: $0) }
    }
    for round in 1...rounds {
      for comparison in comparisons {
        note("round \(round) of \(rounds): \(comparison.name)")
        try comparison.measureRound(on: menud, &results, by: load, folder: peers)
      }
    }
    try menud.server.stop()
    return results.map(Line.init)
  }

  /// Returns the constant server, and the peers that the comparisons ask.
  private func entrants(for comparisons: [Comparison]) throws -> [Peer] {
    guard !comparisons.isEmpty else { return [] }
    let constant = try HTTPServer(
      [sibling("constant-server"), "\(port + 1)"], port: port + 1, readiness: "/200/0")
    let wanted = Set(comparisons.flatMap(\.peers).filter(isBeside))
    return [Peer(name: Peer.constant, entrance: .constant(constant))]
      + (try Peer.all(
        wanted,
        menud: {
          try .menud(menud, configuration: config, cores: "0,1", port: $0, ["--threads", "2"])
        }, folder: peers, port: port + 2, connections: connections))
  }

  private var load: LoadGenerator { LoadGenerator(connections: connections, seconds: seconds) }

  private func isWanted(_ name: String) -> Bool { only.map { name.contains($0) } ?? true }

  private func isBeside(_ name: String) -> Bool { beside.map { name.contains($0) } ?? true }
}
