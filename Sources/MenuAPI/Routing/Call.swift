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

  /// The value of a query parameter.
  func query(_ name: String) -> String? { request.query[name] }

  /// A query parameter that is a flag: `explain`, `explain=true` or `explain=false`.
  func flag(_ name: String) throws(Problem) -> Bool {
    guard let value = query(name) else { return false }
    switch value {
    case "", "true": return true
    case "false": return false
    default:
      throw Problem(
        .invalidQuery, "\(quoted(name)) in the query is true or false, not \(quoted(value)).")
    }
  }

  /// A query parameter that is one of the words of an enumeration.
  func queryWord<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(Problem) -> Word? {
    guard let value = query(name) else { return nil }
    return try word(value, name)
  }

  /// A query parameter that is a list of such words with commas between them.
  func queryWords<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(Problem) -> [Word] {
    guard let value = query(name), !value.utf8.isEmpty else { return [] }
    let pieces = value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    return try pieces.map { (piece) throws(Problem) in try word(String(Substring(piece)), name) }
  }

  private func word<Word: RawRepresentable<String> & CaseIterable>(
    _ value: String, _ name: String
  ) throws(Problem) -> Word {
    if let word = Word.allCases.first(where: { $0.rawValue.hasSameBytes(as: value) }) {
      return word
    }
    let known = Word.allCases.map { "'\($0.rawValue)'" }
    throw Problem(
      .invalidQuery, "\(quoted(name)) in the query is \(list(known, "or")), not \(quoted(value)).")
  }

  /// A query parameter that is an integer from 0.
  func queryCount(_ name: String) throws(Problem) -> Int? {
    guard let value = query(name) else { return nil }
    if let count = Int(value), count >= 0 { return count }
    throw Problem(
      .invalidQuery, "\(quoted(name)) in the query is an integer from 0, not \(quoted(value)).")
  }

  /// A query parameter that is a selector.
  func querySelector(_ name: String) throws(Problem) -> Selector? {
    guard let value = query(name) else { return nil }
    if let selector = Selector(value) { return selector }
    throw Problem(
      .invalidQuery,
      "\(quoted(value)) as \(quoted(name)) in the query is not a selector; selectors are like "
        + "'copy:' or 'insert:at:'.")
  }

  /// A query parameter that is a list of names with commas between them; no names if it is not there.
  func queryNames<Subject>(_ name: String) throws(Problem) -> [Identifier<Subject>] {
    guard let value = query(name) else { return [] }
    let pieces = value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    return try pieces.map { (piece) throws(Problem) in
      let word = String(Substring(piece))
      if let identifier = Identifier<Subject>(word) { return identifier }
      throw Problem(.invalidQuery, "\(quoted(word)) as \(quoted(name)) in the query is not a name.")
    }
  }

  /// A query parameter that names something.
  func queryName<Subject>(_ name: String) throws(Problem) -> Identifier<Subject>? {
    guard let value = query(name) else { return nil }
    if let identifier = Identifier<Subject>(value) { return identifier }
    throw Problem(.invalidQuery, "\(quoted(value)) as \(quoted(name)) in the query is not a name.")
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
