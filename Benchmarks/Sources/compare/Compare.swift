import ArgumentParser
import Measuring

/// Measures menud against a server that gives answers of the same size without any work.
@main
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure menud against a server that gives answers of the same size without any work."
  )

  @Option(help: "The menud to measure.")
  var menud: String

  @Option(help: "The configuration that declares the hundred commands.")
  var config = Workload.configuration

  @Option(help: "How often everything is measured, in turns.")
  var rounds = 5

  @Option(help: "How long one measurement lasts, in whole seconds.")
  var seconds = 2

  @Option(help: "How many connections ask at once.")
  var connections = 16

  @Option(help: "The port for menud; the constant server takes the next.")
  var port = 18080

  @Option(help: "Measure only what has this in its name.")
  var only: String?

  func validate() throws {
    guard rounds > 0, seconds > 0, connections > 0 else {
      throw ValidationError("rounds, seconds and connections must be more than 0")
    }
  }

  func run() throws {
    let menud = try ServerProcess(
      menud,
      [
        "serve", "--config", config, "--host", "127.0.0.1", "--port", "\(port)", "--journal-store",
        "memory",
      ],
      port: port, readiness: "/health")
    let constant = try ServerProcess(
      sibling("constant-server"), ["\(port + 1)"], port: port + 1, readiness: "/200/0")

    let comparisons = try Workload.comparisons(on: menud, connections: connections)
      .filter { comparison in only.map { comparison.name.contains($0) } ?? true }
    let entrants = try comparisons.map { comparison in
      (comparison, peer: try comparison.answeredWithoutWork(by: constant, as: menud))
    }

    var results = comparisons.map(Result.init(comparison:))
    for round in 1...rounds {
      note("round \(round) of \(rounds)")
      for (index, entrant) in entrants.enumerated() {
        results[index].rounds.append(
          Round(
            menud: try measure(entrant.0, on: menud),
            constant: try measure(entrant.peer, on: constant)))
      }
    }
    try menud.stop()
    try constant.stop()
    print(report(results, on: .this(with: "libmicrohttpd"), rounds: rounds, seconds: seconds))
  }

  /// What one of the comparison's requests costs, less the requests that only prepare it.
  private func measure(_ comparison: Comparison, on server: ServerProcess) throws -> Cost {
    let whole = try generateLoad(
      comparison.requests, on: server, connections: connections, seconds: seconds)
    guard !comparison.preparation.isEmpty else { return whole }

    let preparation = try generateLoad(
      comparison.preparation, on: server, connections: connections, seconds: seconds)
    return whole.less(
      preparation, per: comparison.requests.count, of: comparison.preparation.count)
  }
}
