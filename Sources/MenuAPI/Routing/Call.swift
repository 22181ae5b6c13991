import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// A request on its route: the argument of a route's function.
struct Call {
  let service: Service
  let request: Request
  let parameters: [String]
  let access: Access
  /// The actor of the request (T4).
  let actor: Principal
  /// Identifies retries of the request; nil without an idempotency key.
  let key: IdempotencyKey?
  /// The notes about the request.
  let waiting: Waiting
}

extension Call {
  /// Returns the name in the path, which must be valid for a declaration.
  func name<Subject>(_ index: Int) throws(Problem) -> Identifier<Subject> {
    if let name = Identifier<Subject>(parameters[index]) { return name }
    throw Problem(
      .invalidName,
      "\(quoted(parameters[index])) cannot be a name; names have 1 to 128 letters A to Z and a to z, "
        + "digits and '_', '.', ':', '-'.")
  }

  /// Returns the selector in the path, which must be valid for a handler.
  func selector(_ index: Int) throws(Problem) -> Selector {
    if let selector = Selector(parameters[index]) { return selector }
    throw Problem(
      .invalidName,
      "\(quoted(parameters[index])) cannot be a selector; selectors are like 'copy:' or "
        + "'insert:at:'.")
  }

  var session: SessionID {
    get throws(Problem) {
      guard let id = SessionID(parameters[0]) else { throw .unknownSession(parameters[0]) }
      return id
    }
  }
}

extension Problem {
  /// Returns the problem of a session that is not open.
  static func unknownSession(_ name: String, at pointer: JSONPointer? = nil) -> Problem {
    Problem(
      .unknownSession, "No session \(quoted(name)) is open; POST /sessions opens one.",
      at: pointer)
  }
}

extension Call {
  /// Returns the body as JSON, if its content type is `application/json`.
  func json() throws(Problem) -> JSON {
    try require(["application/json"])
    return try parsedBody()
  }

  /// Returns the result of `read` for the body's object; members that it does not read are refused.
  ///
  /// - Throws: `Problem` with every fault that `read` logs; `read` returns nil only after logging one.
  func object<Result>(_ read: (inout ObjectReader) -> Result?) throws(Problem) -> Result {
    try object(try json(), read)
  }

  func object<Result>(
    _ json: JSON, _ read: (inout ObjectReader) -> Result?
  ) throws(Problem) -> Result {
    try document { log in
      guard var reader = ObjectReader(json, at: .root, log: log) else { return nil }
      let result = read(&reader)
      reader.finish()
      return result
    }
  }

  /// Returns the result of `read` for a document, or throws all faults that it logs.
  func document<Result>(_ read: (FaultLog) -> Result?) throws(Problem) -> Result {
    do throws(DocumentFaults) {
      let log = FaultLog(
        ruleLimits: service.ruleLimits, itemsFromData: service.limits.itemsFromData)
      return try FaultLog.collecting(in: log, read)
    } catch {
      throw Problem(error)
    }
  }

  /// Returns the body as JSON; integers that neither 64 bits nor a double hold are faults.
  func bodyJSON() throws(JSONFault) -> JSON {
    try JSON(parsing: request.body, maximumDepth: service.limits.bodyDepth, integers: .exact)
  }

  func parsedBody() throws(Problem) -> JSON {
    do throws(JSONFault) {
      return try bodyJSON()
    } catch {
      let limit = if case .tooDeep(let limit) = error.reason { limit } else { nil as Int? }
      let problem = Problem(
        .malformedJSON,
        "The body is not JSON. \(error) (Byte \(error.offset) of it"
          + (limit == nil ? ".)" : "; see limits.bodyDepth.)")
      ).with("offset") { $0.value(error.offset) }
        .with("line") { $0.value(error.line) }
        .with("column") { $0.value(error.column) }
      throw limit.map { problem.with(limit: "bodyDepth", $0) } ?? problem
    }
  }

  /// Returns the content type of the body, which must be one of these and not compressed.
  @discardableResult
  func require(_ types: [String]) throws(Problem) -> String {
    if let encoding = request.headers["content-encoding"] {
      throw Problem(
        .unsupportedMediaType,
        "The body has the content encoding \(quoted(encoding)), but only plain bodies are read."
      ).with(header: "Accept-Encoding", "identity")
    }
    var named: String?
    request.headers.visit("content-type") { value in
      for type in types where value.isMediaType(type) {
        named = type
        break
      }
      return false
    }
    if let named { return named }
    let found =
      request.headers["content-type"].map { "the content type \(quoted($0))" } ?? "no content type"
    let advice =
      types == ["application/json"]
      ? "with curl, use --json '…' in place of -d '…'"
      : "with curl, use -H 'content-type: \(types.first ?? "")'"
    let field = request.method == .patch ? "Accept-Patch" : "Accept"
    throw Problem(
      .unsupportedMediaType,
      "The body has \(found), but \(list(types, "or")) is read here; \(advice)."
    ).with(header: field, types.joined(separator: ", "))
  }
}

extension Span<UInt8> {
  /// True if the value of `Content-Type` names this type, with any parameters.
  fileprivate func isMediaType(_ type: String) -> Bool {
    let name = extracting(0..<firstIndex(of: UInt8(ascii: ";"), from: 0))
    return name.extracting(name.contentRange).isEqualIgnoringCase(to: type.utf8.span)
  }
}

/// Reads the values of a query, or of a selection with the same syntax.
struct QueryReader: Sendable {
  let values: @Sendable (String) -> String?
  /// The place of the value, as words for a message.
  let place: String

  /// The value of a name; nil if it is absent.
  subscript(name: String) -> String? { values(name) }

  /// Reads a flag: `explain`, `explain=true` or `explain=false`.
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

  /// Reads a word of an enumeration.
  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ name: String
  ) throws(Problem) -> Word? {
    guard let value = self[name] else { return nil }
    return try word(value, name)
  }

  /// Reads words of an enumeration, separated by commas.
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

  /// Reads an integer from 0.
  func count(_ name: String) throws(Problem) -> Int? {
    guard let value = self[name] else { return nil }
    if let count = Int(value), count >= 0 { return count }
    throw Problem(
      .invalidQuery, "\(quoted(name)) in \(place) is an integer from 0, not \(quoted(value)).")
  }

  func selector(_ name: String) throws(Problem) -> Selector? {
    guard let value = self[name] else { return nil }
    if let selector = Selector(value) { return selector }
    throw Problem(
      .invalidQuery,
      "\(quoted(value)) as \(quoted(name)) in \(place) is not a selector; selectors are like "
        + "'copy:' or 'insert:at:'.")
  }

  /// Reads names separated by commas; none if the parameter is absent.
  func names<Subject>(_ name: String) throws(Problem) -> [Identifier<Subject>] {
    guard let value = self[name] else { return [] }
    return try Self.pieces(value).map { (piece) throws(Problem) in try identifier(piece, name) }
  }

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
  var query: QueryReader {
    QueryReader(values: { [query = request.query] in query[$0] }, place: "the query")
  }

  /// Reads the query parameter `limit`, the size of a page, which is at most `most`.
  func pageSize(default size: Int, most: Int) throws(Problem) -> Int {
    let size = try query.count("limit") ?? size
    guard (1...most).contains(size) else {
      throw Problem(.invalidQuery, "'limit' in the query is from 1 to \(most), not \(size).")
    }
    return size
  }
}

/// The options of a request that changes a session (A9).
struct ChangeOptions {
  /// True if the answer has a trace. The default is false.
  var isExplaining = false
  /// True if the session is left unchanged. The default is false.
  var isDry = false

  /// Reads the options among the members of a body.
  init(_ reader: inout ObjectReader) {
    isExplaining = reader.member("explain", Read.bool) ?? false
    isDry = reader.member("dryRun", Read.bool) ?? false
  }

  /// Reads the options in the query.
  init(_ call: Call) throws(Problem) {
    let query = call.query
    isExplaining = try query.flag("explain")
    isDry = try query.flag("dryRun")
  }

  /// Returns the options that are set in either.
  func joined(_ other: ChangeOptions) -> ChangeOptions {
    var joined = self
    joined.isExplaining = isExplaining || other.isExplaining
    joined.isDry = isDry || other.isDry
    return joined
  }
}

extension Call {
  /// Returns the result of `read` for a body that may have options, and the options of query and body together.
  func objectAndOptions<Value>(
    _ read: (inout ObjectReader) -> Value?
  ) throws(Problem) -> (Value, ChangeOptions) {
    try objectAndOptions(try json(), read)
  }

  /// Returns the result of `read` for a parsed body that may have options, and the options of query and body
  /// together.
  func objectAndOptions<Value>(
    _ json: JSON, _ read: (inout ObjectReader) -> Value?
  ) throws(Problem) -> (Value, ChangeOptions) {
    let ofQuery = try ChangeOptions(self)
    return try object(json) { reader in
      let value = read(&reader)
      let options = ofQuery.joined(ChangeOptions(&reader))
      return value.map { ($0, options) }
    }
  }
}

extension JSONWriter {
  /// Writes the session and the revision of an answer about a change, and `dryRun` after a dry run.
  mutating func members(_ change: SessionChange) {
    members(change.session)
    if change.isDry { member("dryRun", true) }
  }
}
