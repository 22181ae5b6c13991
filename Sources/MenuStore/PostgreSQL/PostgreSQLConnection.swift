import CPostgreSQL
import Glibc

/// A connection to a PostgreSQL database; the only user of the library.
///
/// One thread uses it at a time. Every wait for the server is bounded: after `patience` without an answer the
/// connection counts as lost.
@safe final class PostgreSQLConnection {
  private let handle: OpaquePointer
  /// The database and its server, for messages.
  private(set) var place: String
  /// The maximum time to wait for the server.
  private let patience: Duration
  /// The loss after which results of earlier statements may still arrive, so that none can be sent; nil without one.
  private var silence: JournalFault?

  /// Connects to a database.
  ///
  /// - Parameter place: The database as a fault names it until there is a connection.
  init(
    _ address: PostgreSQLAddress, knownAs place: String = "PostgreSQL",
    patience: Duration = .seconds(10)
  ) throws(JournalFault) {
    if let reason = Self.absence { throw .unreachable(database: place, message: reason) }
    // A short patience applies to connecting too; libpq takes at least two seconds.
    let seconds = max(patience.components.seconds, 2)
    let bound = seconds < 5 ? " connect_timeout='\(seconds)'" : ""
    guard let handle = unsafe PQconnectdb(address.keywords + bound) else {
      throw .unreachable(database: place, message: "out of memory")
    }
    unsafe self.handle = handle
    (self.place, self.patience) = (place, patience)
    // Otherwise the library would print the server's notices.
    unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
    guard unsafe PQstatus(handle) == CONNECTION_OK, unsafe PQsetnonblocking(handle, 1) == 0 else {
      throw loss
    }
    // Release the locks of a client soon after its machine fails. Unix sockets have no such timeout.
    try execute(
      "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3")
    let name = unsafe Self.text(PQdb(handle))
    let host = unsafe Self.text(PQhost(handle))
    self.place =
      "PostgreSQL database \(name.isEmpty ? "of libpq's default" : name)"
      + (host.isEmpty ? "" : " on \(host)")
  }

  deinit { unsafe PQfinish(handle) }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }

  private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
    unsafe text(pointer.map { unsafe UnsafePointer($0) })
  }

  /// The reason why libpq cannot be loaded, and the remedy; nil once it is loaded.
  static var absence: String? {
    unsafe cpostgresql_load().map {
      "libpq cannot be loaded: \(unsafe String(cString: $0)). Install it (on Debian: libpq5)."
    }
  }

  /// The id of the server process of this connection.
  var processID: Int64 { Int64(unsafe PQbackendPID(handle)) }

  /// The fault of a lost connection, with the library's message.
  private var loss: JournalFault {
    .unreachable(database: place, message: unsafe Self.text(PQerrorMessage(handle)).inOneLine)
  }
}

// MARK: Single statements

extension PostgreSQLConnection {
  /// Runs statements without values, and discards their rows.
  func execute(_ script: String) throws(JournalFault) {
    if let silence { throw silence }
    try checkSent(unsafe PQsendQuery(handle, script))
    try finish()
  }

  /// Starts a statement; `next` returns its rows one by one.
  func start(
    _ text: String, _ values: [PostgreSQLValue] = []
  ) throws(JournalFault) {
    try send(text, values)
    unsafe PQsetSingleRowMode(handle)
  }

  private func send(_ text: String, _ values: [PostgreSQLValue]) throws(JournalFault) {
    if let silence { throw silence }
    let parameters = PostgreSQLParameters(values)
    try checkSent(
      unsafe parameters.withPointers { pointers, lengths, formats in
        unsafe PQsendQueryParams(
          handle, text, Int32(values.count), nil, pointers, lengths, formats, 1)
      })
  }

  /// Returns the next row of the statement; nil after the last.
  func next() throws(JournalFault) -> PostgreSQLRow? {
    guard let result = try nextResult() else { return nil }
    switch unsafe PQresultStatus(result.handle) {
    case PGRES_SINGLE_TUPLE: return result
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
      try finish()
      return nil
    default: throw try fault(result)
    }
  }

  /// Runs a statement, and returns its first row, if there is one.
  func row(
    of text: String, _ values: [PostgreSQLValue] = []
  ) throws(JournalFault) -> PostgreSQLRow? {
    // Not row by row: the library would continue so for the first statement of a pipeline.
    try send(text, values)
    guard let result = try nextResult() else { return nil }
    switch unsafe PQresultStatus(result.handle) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
      try finish()
      return result.count > 0 ? result : nil
    default: throw try fault(result)
    }
  }

  /// Discards the remaining results.
  private func finish() throws(JournalFault) {
    while let result = try nextResult() {
      switch unsafe PQresultStatus(result.handle) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_SINGLE_TUPLE, PGRES_EMPTY_QUERY: break
      default: throw try fault(result)
      }
    }
  }

  /// Returns the fault of a result, after discarding the remaining results.
  private func fault(_ result: PostgreSQLRow) throws(JournalFault) -> JournalFault {
    let fault = result.fault(at: place)
    while try nextResult() != nil {}
    return unsafe PQstatus(handle) == CONNECTION_OK ? fault : loss
  }
}

// MARK: Pipelines

extension PostgreSQLConnection {
  /// Runs statements as a pipeline, and returns their results.
  ///
  /// Unless one begins a transaction, they are one transaction. If one fails, later ones are skipped, and the
  /// transaction is rolled back.
  @discardableResult
  func exchange(
    _ statements: [PostgreSQLStatement]
  ) throws(JournalFault) -> [PostgreSQLRow] {
    if let silence { throw silence }
    try checkSent(unsafe PQenterPipelineMode(handle))
    for statement in statements { try send(statement) }
    try checkSent(unsafe PQpipelineSync(handle))
    let (results, refusal) = try pipelineResults()
    try checkSent(unsafe PQexitPipelineMode(handle))
    guard let refusal else { return results }
    // The server skipped everything after the refusal, including the end of a transaction that was begun.
    try rollBack()
    throw refusal
  }

  /// Rolls the transaction back, if one was begun.
  func rollBack() throws(JournalFault) {
    if unsafe PQtransactionStatus(handle) != PQTRANS_IDLE { try execute("ROLLBACK") }
  }

  private func send(_ statement: PostgreSQLStatement) throws(JournalFault) {
    guard statement.isPrepared else {
      return try checkSent(
        unsafe PQsendQueryParams(handle, statement.name, 0, nil, nil, nil, nil, 1))
    }
    let parameters = PostgreSQLParameters(statement.values)
    try checkSent(
      unsafe parameters.withPointers { pointers, lengths, formats in
        unsafe PQsendQueryPrepared(
          handle, statement.name, Int32(statement.values.count), pointers, lengths, formats, 1)
      })
  }

  /// Returns all results of a pipeline, and the first refusal, if there is one.
  private func pipelineResults() throws(JournalFault) -> (
    [PostgreSQLRow], refusal: JournalFault?
  ) {
    var refusal: JournalFault?
    var results: [PostgreSQLRow] = []
    while true {
      // A null result ends the results of each statement.
      guard let result = try nextResult() else { continue }
      switch unsafe PQresultStatus(result.handle) {
      case PGRES_PIPELINE_SYNC: return (results, refusal)
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: results.append(result)
      case PGRES_PIPELINE_ABORTED: break
      default: refusal = refusal ?? result.fault(at: place)
      }
    }
  }
}

// MARK: Waiting

extension PostgreSQLConnection {
  /// Checks, without waiting, whether the server has ended the connection.
  func checkAlive() throws(JournalFault) {
    if let silence { throw silence }
    guard unsafe PQstatus(handle) == CONNECTION_OK else { throw loss }
    var descriptor = pollfd(fd: unsafe PQsocket(handle), events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&descriptor, 1, 0) != 0 else { return }
    guard unsafe PQconsumeInput(handle) == 1, unsafe PQstatus(handle) == CONNECTION_OK else {
      throw loss
    }
  }

  /// Waits until the server sends something, a descriptor is readable, or a time has passed; returns the
  /// payloads of received notifications.
  func idle(untilReadable other: Int32, for time: Duration) throws(JournalFault) -> [String] {
    // Some may have arrived with results.
    let payloads = takeNotifications()
    guard payloads.isEmpty else { return payloads }
    var descriptors = [
      pollfd(fd: unsafe PQsocket(handle), events: Int16(POLLIN), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&descriptors, 2, Int32(clamping: Int(time / .milliseconds(1))))
    guard descriptors[0].revents != 0 else { return [] }
    guard unsafe PQconsumeInput(handle) == 1, unsafe PQstatus(handle) == CONNECTION_OK else {
      throw loss
    }
    return takeNotifications()
  }

  private func takeNotifications() -> [String] {
    var payloads: [String] = []
    while let notification = unsafe PQnotifies(handle) {
      payloads.append(unsafe String(cString: notification.pointee.extra))
      unsafe PQfreemem(notification)
    }
    return payloads
  }

  private func checkSent(_ isSent: Int32) throws(JournalFault) {
    if isSent == 0 { throw loss }
  }

  /// Waits for and returns the next result; nil at the end of a statement's results.
  private func nextResult() throws(JournalFault) -> PostgreSQLRow? {
    while unsafe PQisBusy(handle) == 1 { try wait() }
    let result = unsafe PQgetResult(handle).map { unsafe PostgreSQLRow($0) }
    // Otherwise a lost connection would yield results without end.
    let isConnected = unsafe PQstatus(handle) == CONNECTION_OK
    guard isConnected || result != nil else { throw loss }
    return result
  }

  /// Sends pending data, and waits until something arrives.
  private func wait() throws(JournalFault) {
    let unsent = unsafe PQflush(handle)
    guard unsent >= 0 else { throw loss }
    let events = unsent == 1 ? POLLIN | POLLOUT : POLLIN
    var descriptor = pollfd(fd: unsafe PQsocket(handle), events: Int16(events), revents: 0)
    let count = unsafe poll(&descriptor, 1, Int32(patience / .milliseconds(1)))
    if count < 0, errno == EINTR { return }
    guard count > 0 else {
      let fault = JournalFault.unreachable(
        database: place, message: "It said nothing for \(patience / .seconds(1)) s.")
      silence = fault
      throw fault
    }
    guard Int32(descriptor.revents) & ~POLLOUT != 0 else { return }
    guard unsafe PQconsumeInput(handle) == 1 else { throw loss }
  }
}

/// A row of a result, or a result with several rows and a present one.
@safe final class PostgreSQLRow {
  fileprivate let handle: OpaquePointer
  /// The index of the present row.
  private var place: Int32 = 0

  fileprivate init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe PQclear(handle) }

  var count: Int { Int(unsafe PQntuples(handle)) }

  func seek(_ index: Int) { place = Int32(clamping: index) }

  /// Returns the integer in a column, of any width; nil for null.
  func int(_ column: Int32) -> Int64? {
    guard let bytes = bytes(column), 1...8 ~= bytes.count else { return nil }
    let sign: Int64 = bytes[0] & 0x80 == 0 || bytes.count == 1 ? 0 : -1
    return bytes.reduce(sign) { $0 << 8 | Int64($1) }
  }

  /// Returns the boolean in a column; false for null.
  func flag(_ column: Int32) -> Bool { int(column) == 1 }

  func text(_ column: Int32) -> String? {
    bytes(column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the bytes of a column as the server sends them; nil for null.
  func bytes(_ column: Int32) -> [UInt8]? {
    guard unsafe PQntuples(handle) > place, unsafe PQgetisnull(handle, place, column) == 0,
      let start = unsafe PQgetvalue(handle, place, column)
    else { return nil }
    let count = Int(unsafe PQgetlength(handle, place, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// The fault in the result, without its details, which can quote the written data.
  fileprivate func fault(at place: String) -> JournalFault {
    let message = field(cpostgresql_message)
    guard let state = field(cpostgresql_sqlstate) else {
      return .unreachable(database: place, message: message ?? "The connection is lost.")
    }
    // The class 53 is for insufficient resources: this is `disk_full`.
    if state == "53100" { return .noRoom(path: place) }
    return .refusedByDatabase(place, state: state, message: message ?? "")
  }

  private func field(_ code: Int32) -> String? {
    unsafe PQresultErrorField(handle, code).map { unsafe String(cString: $0) }
  }
}

extension PostgreSQLParameters {
  /// Calls a closure with the values in the library's form.
  fileprivate func withPointers<Result>(
    _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
  ) -> Result {
    unsafe bytes.withUnsafeBytes { buffer in
      let pointers = unsafe starts.map { start in
        unsafe buffer.baseAddress.map {
          unsafe $0.advanced(by: start).assumingMemoryBound(to: CChar.self)
        }
      }
      return unsafe body(pointers, lengths, [Int32](repeating: 1, count: starts.count))
    }
  }
}

extension String {
  /// The lines of a library message, joined to one.
  fileprivate var inOneLine: String {
    split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
      .joined(separator: " ")
  }
}
