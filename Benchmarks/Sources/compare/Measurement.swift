import Measuring

/// The measurements of one comparison with one peer, menud and the peer in the same rounds.
struct Measurement {
  let comparison: Comparison
  let peer: Peer
  var rounds: [(menud: Cost, peer: Cost)] = []

  var ratios: [Double] { rounds.map { $0.menud.microseconds / $0.peer.microseconds }.sorted() }

  /// The requests per second, as a multiple of the peer's.
  var rate: Double { median(rounds.map { $0.menud.rate / $0.peer.rate }) }
}

extension Comparison {
  /// Measures menud, then at once each of the peers.
  func measureRound(
    on menud: HTTPServer, _ results: inout [Measurement], by load: LoadGenerator, folder: String
  ) throws {
    let own = try load.measure(self, on: menud)
    for index in results.indices where results[index].comparison.name == name {
      let peer = results[index].peer
      let cost: Cost
      switch peer.entrance {
      case .sameRequests(let server): cost = try load.measure(self, on: server)
      case .constant(let server):
        cost = try load.measure(answeredWithoutWork(by: server, as: menud), on: server)
      case .bus(let server, let address):
        cost = try load.describeAll(
          of: server, at: address, with: "\(folder)/gdbus/describe-all")
      case .missing: continue
      }
      results[index].rounds.append((own, cost))
    }
  }
}
