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

  /// True if all of the requests together are what is measured, once; else each that is no preparation is.
  var isOne = false

  /// The maximum processor time, as a multiple of the constant server's.
  var limit: Double?

  /// Those who answer it besides the constant server, by name.
  var peers: [String] = []

  /// The minimum rates, as multiples of the peers' requests per second.
  var leastRates: [String: Double] = [:]

  /// The number of measured requests among all.
  var measured: Int { isOne ? 1 : requests.count - preparation.count }
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
    let peers = try requests.map(peer)
    let same = Dictionary(
      zip(requests.map(\.bytes), peers), uniquingKeysWith: { first, _ in first })
    return Comparison(
      name: name, requests: peers,
      // Asked again, it could be answered otherwise: focus that is there already does not move.
      preparation: try preparation.map { try same[$0.bytes] ?? peer(of: $0) }, isOne: isOne,
      limit: limit)
  }

  /// Throws unless the peers that do the same work answer what menud does: what is measured to the byte, and
  /// what prepares it with the same status.
  func expectSameAnswers(of peers: [Peer], as menud: HTTPServer) throws {
    let answers = try requests.map { try menud.answer(to: $0) }
    let prepared = Set(preparation.map(\.bytes))
    for case .sameRequests(let peer) in peers.map(\.entrance) {
      for (request, own) in zip(requests, answers) {
        let answer = try peer.answer(to: request)
        guard answer.status == own.status,
          prepared.contains(request.bytes) || answer.body == own.body
        else {
          throw UnexpectedAnswer(request, answer)
        }
      }
    }
  }
}
