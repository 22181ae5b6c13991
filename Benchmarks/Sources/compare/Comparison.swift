import Measuring

/// Requests that every connection sends in turn for as long as a measurement lasts, and whom menud is
/// compared with in answering them.
struct Comparison {
  let name: String

  /// Sent in this order, again and again.
  let requests: [Request]

  /// Those of the requests whose cost is measured alone and taken off.
  ///
  /// The default is none.
  var preparation: [Request] = []

  /// How many times the processor time of the constant server it may cost.
  let limit: Double

  /// Those who answer it besides the constant server, by name.
  var peers: [String] = []

  /// Whether it is the one by which requests per second are judged.
  var isMeasureOfRates: Bool { name == Workload.measureOfRates }
}

extension Comparison {
  /// The same requests, for a constant server to answer with the status and the size that `menud`
  /// answers with.
  func answeredWithoutWork(by constant: HTTPServer, as menud: HTTPServer) throws -> Comparison {
    func peer(of request: Request) throws -> Request {
      let answer = try menud.answer(to: request)
      guard answer.status < 400 else { throw UnexpectedAnswer(request, answer) }
      let peer = request.moved(to: "/\(answer.status)/\(answer.body.count)")
      let same = try constant.expect(answer.status, for: peer)
      guard same.body.count == answer.body.count else { throw UnexpectedAnswer(peer, same) }
      return peer
    }
    return Comparison(
      name: name, requests: try requests.map(peer), preparation: try preparation.map(peer),
      limit: limit)
  }

  /// Throws unless the peers that do the same work answer what menud does, to the byte.
  func expectSameAnswers(of peers: [Peer], as menud: HTTPServer) throws {
    let answers = try requests.map { try menud.answer(to: $0) }
    for case .sameRequests(let peer) in peers.map(\.entrance) {
      for (request, own) in zip(requests, answers) {
        let answer = try peer.answer(to: request)
        guard answer.status == own.status, answer.body == own.body else {
          throw UnexpectedAnswer(request, answer)
        }
      }
    }
  }
}
