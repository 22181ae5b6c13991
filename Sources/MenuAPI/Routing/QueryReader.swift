import JSONText
import MenuEngine
import MicroHTTP

/// Reads the values of a query, or of a part of one that is written like it.
struct QueryReader: Sendable {
  let values: @Sendable (String) -> String?
  /// The words by which a refusal says where the value stands.
  let place: String

  /// The value of a name; nil if it is not there.
  subscript(name: String) -> String? { values(name) }

  /// A flag: `explain`, `explain=true` or `explain=false`.
  func flag(_ name: String) throws(Problem) -> Bool {
    guard let value = self[name] else { return false }
    switch value {
    case "", "true": return true
    case "false": return false
    default:
      throw Problem(
        .invalidQuery, "\(quoted(name)) in \(place) is true or false, not \(quoted(value)).")
    }
  }

  /// One of the words of an enumeration.
  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(Problem) -> Word? {
    guard let value = self[name] else { return nil }
    return try word(value, name)
  }

  /// A list of such words with commas between them.
  func words<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(Problem) -> [Word] {
    guard let value = self[name], !value.utf8.isEmpty else { return [] }
    return try Self.pieces(value).map { (piece) throws(Problem) in try word(piece, name) }
  }

  private func word<Word: RawRepresentable<String> & CaseIterable>(
    _ value: String, _ name: String
  ) throws(Problem) -> Word {
    if let word = Word.allCases.first(where: { $0.rawValue.hasSameBytes(as: value) }) {
      return word
    }
    let known = Word.allCases.map { "'\($0.rawValue)'" }
    throw Problem(
      .invalidQuery, "\(quoted(name)) in \(place) is \(list(known, "or")), not \(quoted(value)).")
  }

  /// An integer from 0.
  func count(_ name: String) throws(Problem) -> Int? {
    guard let value = self[name] else { return nil }
    if let count = Int(value), count >= 0 { return count }
    throw Problem(
      .invalidQuery, "\(quoted(name)) in \(place) is an integer from 0, not \(quoted(value)).")
  }

  /// A selector.
  func selector(_ name: String) throws(Problem) -> Selector? {
    guard let value = self[name] else { return nil }
    if let selector = Selector(value) { return selector }
    throw Problem(
      .invalidQuery,
      "\(quoted(value)) as \(quoted(name)) in \(place) is not a selector; selectors are like "
        + "'copy:' or 'insert:at:'.")
  }

  /// A list of names with commas between them; no names if it is not there.
  func names<Subject>(_ name: String) throws(Problem) -> [Identifier<Subject>] {
    guard let value = self[name] else { return [] }
    return try Self.pieces(value).map { (piece) throws(Problem) in try identifier(piece, name) }
  }

  /// A name.
  func name<Subject>(_ name: String) throws(Problem) -> Identifier<Subject>? {
    guard let value = self[name] else { return nil }
    return try identifier(value, name)
  }

  private func identifier<Subject>(
    _ text: String, _ name: String
  ) throws(Problem) -> Identifier<Subject> {
    if let identifier = Identifier<Subject>(text) { return identifier }
    throw Problem(.invalidQuery, "\(quoted(text)) as \(quoted(name)) in \(place) is not a name.")
  }

  private static func pieces(_ value: String) -> [String] {
    value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
  }
}

extension Call {
  /// Reads the query of the request.
  var queryReader: QueryReader {
    QueryReader(values: { [query = request.query] in query[$0] }, place: "the query")
  }

  /// The value of a query parameter.
  func query(_ name: String) -> String? { request.query[name] }

  /// A query parameter that is a flag: `explain`, `explain=true` or `explain=false`.
  func flag(_ name: String) throws(Problem) -> Bool { try queryReader.flag(name) }

  /// A query parameter that is one of the words of an enumeration.
  func queryWord<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(Problem) -> Word? {
    try queryReader.word(name)
  }

  /// A query parameter that is a list of such words with commas between them.
  func queryWords<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(Problem) -> [Word] {
    try queryReader.words(name)
  }

  /// A query parameter that is an integer from 0.
  func queryCount(_ name: String) throws(Problem) -> Int? { try queryReader.count(name) }

  /// A query parameter that is a selector.
  func querySelector(_ name: String) throws(Problem) -> Selector? { try queryReader.selector(name) }

  /// A query parameter that is a list of names with commas between them; no names if it is not there.
  func queryNames<Subject>(_ name: String) throws(Problem) -> [Identifier<Subject>] {
    try queryReader.names(name)
  }

  /// A query parameter that names something.
  func queryName<Subject>(_ name: String) throws(Problem) -> Identifier<Subject>? {
    try queryReader.name(name)
  }
}
