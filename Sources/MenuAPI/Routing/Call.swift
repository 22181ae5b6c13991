import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// A request on its route: what a route's function is given.
struct Call {
  let service: Service
  let request: Request
  let parameters: [String]
  let access: Access
  /// Makes a repetition of the request known, if it has an idempotency key.
  let key: IdempotencyKey?
  /// The tickets that the answer waits for.
  let waiting: Waiting
}

extension Call {
  /// The name in a path, which must have the form of one to be declared.
  func name<Subject>(_ index: Int) throws(Problem) -> Identifier<Subject> {
    if let name = Identifier<Subject>(parameters[index]) { return name }
    throw Problem(
      .invalidName,
      "\(quoted(parameters[index])) cannot be a name; names have 1 to 128 letters A to Z and a to z, "
        + "digits and '_', '.', ':', '-'.")
  }

  /// The selector in a path, which must have the form of one to be given a handler.
  func selector(_ index: Int) throws(Problem) -> Selector {
    if let selector = Selector(parameters[index]) { return selector }
    throw Problem(
      .invalidName,
      "\(quoted(parameters[index])) cannot be a selector; selectors are like 'copy:' or "
        + "'insert:at:'.")
  }

  /// The session that the path names first.
  var session: SessionID {
    get throws(Problem) {
      guard let id = SessionID(parameters[0]) else { throw .unknownSession(parameters[0]) }
      return id
    }
  }
}

extension Problem {
  /// The problem of a session that is not open.
  static func unknownSession(_ name: String, at pointer: JSONPointer? = nil) -> Problem {
    Problem(
      .unknownSession, "No session \(quoted(name)) is open; POST /sessions opens one.",
      at: pointer)
  }
}
