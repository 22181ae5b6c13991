/// Requests that every connection sends in turn for as long as a measurement lasts.
struct Comparison {
  let name: String

  /// Sent in this order, again and again.
  let requests: [Request]

  /// Those of the requests whose cost is measured alone and taken off.
  ///
  /// The default is none.
  let preparation: [Request]

  init(_ name: String, _ request: Request) {
    self.init(name, requests: [request], preparation: [])
  }

  init(_ name: String, requests: [Request], preparation: [Request]) {
    self.name = name
    self.requests = requests
    self.preparation = preparation
  }

  /// The same requests, for the constant server to answer with the status and the size that `menud`
  /// answers with.
  func answeredWithoutWork(
    by constant: ServerProcess, as menud: ServerProcess
  ) throws -> Comparison {
    func peer(of request: Request) throws -> Request {
      let answer = try menud.answer(to: request)
      guard answer.status < 400 else { throw Failure.unexpected(request, answer) }
      let peer = request.moved(to: "/\(answer.status)/\(answer.size)")
      let same = try constant.answer(to: peer)
      guard same.status == answer.status, same.size == answer.size else {
        throw Failure.unexpected(peer, same)
      }
      return peer
    }
    return Comparison(
      name, requests: try requests.map(peer), preparation: try preparation.map(peer))
  }
}

/// What stops a measurement.
enum Failure: Error, CustomStringConvertible {
  case unexpected(Request, Answer)
  case notReady(command: String)
  case stopped(command: String, status: Int32)
  case load(errors: Int, output: String)
  case noSchedulerStatistics(String)

  var description: String {
    switch self {
    case .unexpected(let request, let answer):
      "\(request.method) \(request.path) \(request.body ?? "") was answered \(answer.status): "
        + answer.body.prefix(500)
    case .notReady(let command): "not ready within 10 s: \(command)"
    case .stopped(let command, let status): "exit status \(status) from: \(command)"
    case .load(let errors, let output): "\(errors) requests failed under load\n\(output)"
    case .noSchedulerStatistics(let path): "the kernel tells nothing at \(path)"
    }
  }
}
