import CMicroHTTPD
import Glibc
import Synchronization

// The callbacks of the daemon, on its threads. They are global functions because a closure written in an
// isolated context would inherit its isolation, and trap here. `server` is always the `RequestProcessor`, which
// the `Server` keeps while the daemon runs, and `handle` the library's connection.

func mayConnect(
  _ server: UnsafeMutableRawPointer, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
) -> MHD_Result {
  unsafe RequestProcessor.at(server).refusesConnections.load(ordering: .relaxed) ? .NO : .YES
}

func connectionChanged(
  _ server: UnsafeMutableRawPointer, _ handle: OpaquePointer,
  _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ what: MHD_ConnectionNotificationCode
) {
  let processor = unsafe RequestProcessor.at(server)
  switch what {
  case .CONNECTION_NOTIFY_STARTED:
    let connection = unsafe Connection(
      handle, descriptor: chttpd_socket(handle),
      remoteAddress: String(address: chttpd_address(handle)),
      isEncrypted: processor.isEncrypted,
      tick: processor.ticks.load(ordering: .relaxed))
    unsafe context.pointee = Unmanaged.passRetained(connection).toOpaque()
    processor.open(connection)
  case .CONNECTION_NOTIFY_CLOSED:
    guard let held = unsafe context.pointee else { return }
    let connection = unsafe Unmanaged<Connection>.fromOpaque(held).takeRetainedValue()
    unsafe context.pointee = nil
    // The library reports no end of some requests that it refuses itself.
    processor.end(connection, isAbandoned: false)
    connection.noteClosing()
    processor.registry.remove(connection)
  }
}

/// Reads the library's log, which is otherwise discarded, for messages sent on the connection's thread before
/// it refuses a length, or cookies that exceed its memory. The library's answer would have two heads, so ours
/// is sent directly over the socket first.
///
/// A connection of this thread whose head was read but not handed over can only be the one being processed.
func libraryComplained(
  _ server: UnsafeMutableRawPointer, _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer?
) {
  let processor = unsafe RequestProcessor.at(server)
  guard let refused = processor.registry.first(where: \.isBusyWithHead) else { return }
  let isAboutLength = unsafe strstr(format, "Content-Length") != nil
  processor.refuseHead(isAboutLength ? .malformed(.malformedLength) : .headersTooLarge, refused)
}

func targetWasRead(
  _ server: UnsafeMutableRawPointer, _ target: UnsafePointer<CChar>, _ handle: OpaquePointer
) -> UnsafeMutableRawPointer? {
  guard let context = unsafe chttpd_context(handle) else { return nil }
  let connection = unsafe Connection.at(context)
  connection.targetSize = unsafe strlen(target)
  unsafe RequestProcessor.at(server).begin(connection, target: String(validatingCString: target))
  unsafe hideArguments(of: UnsafeMutablePointer(mutating: target))
  return unsafe context
}

/// Joins the arguments of a query into one in the library's buffer, after the target was copied.
///
/// The library would parse them all, and a connection whose arguments exceed its memory (some two hundred)
/// would hang until its deadline.
private func hideArguments(of target: UnsafeMutablePointer<CChar>) {
  guard let query = unsafe strchr(target, 0x3F) else { return }
  while let ampersand = unsafe strchr(query, 0x26) { unsafe ampersand.pointee = 0x2E }
}

func requestEnded(
  _ server: UnsafeMutableRawPointer, _ handle: OpaquePointer,
  _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ how: MHD_RequestTerminationCode
) {
  guard let held = unsafe context.pointee else { return }
  let isAbandoned =
    how == .REQUEST_TERMINATED_CLIENT_ABORT || how == .REQUEST_TERMINATED_READ_ERROR
  unsafe RequestProcessor.at(server).end(Connection.at(held), isAbandoned: isAbandoned)
}

/// Leaves percent escapes to `RequestTarget`: the library's own decoding ends text at `%00`.
func leaveEscaped(
  _ server: UnsafeMutableRawPointer, _ handle: OpaquePointer, _ text: UnsafeMutablePointer<CChar>
) -> Int {
  unsafe strlen(text)
}

func requestAdvanced(
  _ server: UnsafeMutableRawPointer, _ handle: OpaquePointer, _ path: UnsafePointer<CChar>,
  _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>, _ data: UnsafePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>, _ context: UnsafeMutablePointer<UnsafeMutableRawPointer?>
) -> MHD_Result {
  guard let held = unsafe context.pointee else { return .NO }
  let (processor, connection) = unsafe (RequestProcessor.at(server), Connection.at(held))
  let step: RequestProcessor.NextStep
  if case .head(let target) = connection.stage {
    let start = unsafe RequestHead.Start(
      method: method, target: path, targetSize: connection.targetSize, version: version)
    let head = unsafe RequestHead(of: handle, beginningWith: start)
    step = unsafe processor.receive(
      method: method.bytes.span, version: version.bytes.span, head, target: target, on: connection)
    if head.headers.has("expect"), connection.awaitsNoContent {
      _ = unsafe chttpd_fields(handle, hideExpectation, held)
    }
  } else if unsafe size.pointee > 0 {
    let piece = unsafe UnsafeRawBufferPointer(start: data, count: size.pointee)
    step = unsafe processor.receive(piece, on: connection)
    unsafe size.pointee = 0
  } else {
    step = processor.finish(connection)
  }
  return unsafe perform(step, of: processor, on: connection, handle: handle)
}

/// Invalidates the value of `Expect` in the library's buffer, after the fields were copied.
///
/// A client that expects 100 and sends no content has nothing to wait for (RFC 9110, 10.1.1). The library would
/// send 100, and take the next request for content.
private func hideExpectation(
  _ context: UnsafeMutableRawPointer, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>,
  _ nameSize: Int, _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
  guard let value = unsafe value, valueSize > 0, unsafe strcasecmp(name, "expect") == 0 else {
    return .YES
  }
  unsafe UnsafeMutablePointer(mutating: value).pointee = 0x2D
  return .YES
}

private func perform(
  _ step: RequestProcessor.NextStep, of processor: RequestProcessor, on connection: Connection,
  handle: OpaquePointer
) -> MHD_Result {
  switch step {
  case .read: return .YES
  case .close: return .NO
  case .wait(let promise, let closing):
    let suspended = unsafe SuspendedConnection(handle)
    let suspension = processor.suspension(of: connection, resume: suspended.resume)
    let response = promise.response(orSuspend: suspended.suspend, suspension)
    guard let response else { return .YES }
    let step = processor.send(response, promisedBy: promise, closing: closing, on: connection)
    return unsafe perform(step, of: processor, on: connection, handle: handle)
  case .send(let response, let body, let closing):
    if unsafe response.queue(
      body, on: handle, closing: closing, with: processor.commonHeaders)
    {
      return .YES
    }
    guard case .send(let refused, let body, _) = processor.refuse(.unsendableResponse, connection)
    else { return .NO }
    return unsafe refused.queue(
      body, on: handle, closing: true, with: processor.commonHeaders) ? .YES : .NO
  case .stream(let stream, of: let response, let isHead):
    let isTaken = unsafe response.queue(
      stream, for: connection, of: processor, on: handle, isHead: isHead)
    if isTaken {
      // A stream may last for days.
      connection.head.clear()
      return .YES
    }
    processor.endStream(of: connection)
    let refusal = processor.refuse(.unsendableResponse, connection)
    return unsafe perform(refusal, of: processor, on: connection, handle: handle)
  }
}

extension RequestProcessor {
  /// Returns the closures that pass the promised response to a suspended connection.
  fileprivate func suspension(
    of connection: Connection, resume: @escaping @Sendable () -> Void
  ) -> ResponsePromise.Suspension {
    ResponsePromise.Suspension(
      canMake: { !self.mustAnswerDirectly(connection) },
      resume: { response in
        if let response { self.answerIfHalfClosed(response, connection) }
        resume()
      })
  }
}

/// A suspended connection of the library.
///
/// `@unchecked Sendable`: the library lets any thread resume a connection, and a suspended one exists until it
/// is resumed.
@safe struct SuspendedConnection: @unchecked Sendable {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  func suspend() {
    unsafe MHD_suspend_connection(handle)
  }

  func resume() {
    unsafe MHD_resume_connection(handle)
  }
}

extension RequestProcessor {
  fileprivate static func at(_ pointer: UnsafeMutableRawPointer) -> RequestProcessor {
    unsafe Unmanaged<RequestProcessor>.fromOpaque(pointer).takeUnretainedValue()
  }
}

extension Connection {
  fileprivate static func at(_ pointer: UnsafeMutableRawPointer) -> Connection {
    unsafe Unmanaged<Connection>.fromOpaque(pointer).takeUnretainedValue()
  }
}

extension Response {
  /// Queues the response with its body and the common fields. Returns false if the daemon refuses it.
  fileprivate func queue(
    _ body: UnsentBody, on handle: OpaquePointer, closing: Bool, with common: borrowing Headers
  ) -> Bool {
    guard let made = unsafe handOver(body) else { return false }
    defer { unsafe MHD_destroy_response(made) }
    guard unsafe headers.add(to: made), unsafe common.add(to: made, besides: headers) else {
      return false
    }
    if closing, unsafe MHD_add_response_header(made, "Connection", "close") != .YES { return false }
    return unsafe MHD_queue_response(handle, UInt32(clamping: status.rawValue), made) == .YES
  }

  /// Creates the daemon's response, which reads the body in place and releases it when sent.
  ///
  /// The library sends a length of 0 with a 304, where RFC 9110, 8.6 wants that of the represented content or
  /// none. Clients ignore it, since a 304 has no body; the alternatives in the library are the end of a chunked
  /// body, or of the connection.
  private func handOver(_ held: UnsentBody) -> OpaquePointer? {
    unsafe held.bytes.withUnsafeBytes { bytes in
      // The pointer outlives the closure: an array's storage does not move while the array is retained and not
      // written to, and `UnsentBody` holds it in a constant.
      unsafe MHD_create_response_from_buffer_with_free_callback_cls(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), releaseBody,
        Unmanaged.passRetained(held).toOpaque())
    }
  }
}

private func releaseBody(_ body: UnsafeMutableRawPointer?) {
  if let body = unsafe body { unsafe Unmanaged<UnsentBody>.fromOpaque(body).release() }
}

extension Headers {
  /// Adds the fields to the daemon's response, except those that are in `others`. Returns false if the daemon refuses
  /// one.
  func add(to response: OpaquePointer, besides others: borrowing Headers = Headers()) -> Bool {
    let mayRepeat = mayShareNames(with: others)
    var areTaken = true
    visit { name, value in
      if mayRepeat, others.has(name) { return true }
      // Each is zero-terminated for C; a zero inside would truncate it.
      areTaken = unsafe name.withUnsafeBufferPointer { name in
        unsafe value.withUnsafeBufferPointer { value in
          unsafe MHD_add_response_header(response, name.text, value.text) == .YES
        }
      }
      return areTaken
    }
    return areTaken
  }
}

extension UnsafePointer<CChar> {
  /// The bytes up to the terminating zero.
  fileprivate var bytes: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(self).assumingMemoryBound(to: UInt8.self), count: strlen(self))
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate var text: UnsafePointer<CChar>? {
    unsafe UnsafeRawPointer(baseAddress)?.assumingMemoryBound(to: CChar.self)
  }
}
