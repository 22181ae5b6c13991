import CMicroHTTPD

// The callbacks of streamed responses. `reader` is always the `StreamReader`, which the daemon's response
// keeps.

extension StreamedResponse {
  /// Hands the response to the daemon; answers whether it took it. If not, the stream is closed.
  func queue(
    for connection: Connection, of processor: RequestProcessor, on handle: OpaquePointer,
    isHead: Bool
  ) -> Bool {
    let reader = StreamReader(stream, on: connection, of: processor)
    let held = unsafe Unmanaged.passRetained(reader)
    // The block is the buffer of HTTP/1.0 only: chunks are written into the connection's memory.
    let made = unsafe MHD_create_response_from_callback(
      UInt64.max, Self.blockSize, readStream, held.toOpaque(), closeStream)
    guard let made = unsafe made else {
      unsafe held.release()
      stream.close()
      return false
    }
    defer { unsafe MHD_destroy_response(made) }
    if isHead, unsafe chttpd_send_unchunked(made) != .YES { return false }
    return unsafe headers.add(to: made) && processor.commonHeaders.add(to: made)
      && MHD_add_response_header(made, "Connection", "close") == .YES
      && MHD_queue_response(handle, UInt32(clamping: status.rawValue), made) == .YES
  }

  private static var blockSize: Int { 1024 }
}

/// A stream on its way to the client, on the connection's thread.
private final class StreamReader {
  let stream: ResponseStream
  private let connection: Connection
  private let processor: RequestProcessor
  /// The piece that the daemon is given, which counts as unsent as long as it is large.
  private var piece = UnsentBody([])
  /// The number of its bytes that the daemon has.
  private var position = 0

  init(_ stream: ResponseStream, on connection: Connection, of processor: RequestProcessor) {
    self.stream = stream
    self.connection = connection
    self.processor = processor
  }

  /// Returns the number of bytes that come next; 0 if the connection waits, and what the library takes for an end.
  ///
  /// A stream breaks off where there is no room for its next piece, since those before it are not read: its client
  /// connects again, and goes on from there.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while position == piece.bytes.count {
      let suspended = unsafe SuspendedConnection(connection.handle)
      (piece, position) = (UnsentBody([]), 0)
      let waker = processor.waker
      let next = stream.piece {
        waker.suspend(suspended)
      } resume: {
        waker.resume(suspended)
      }
      switch next {
      case .bytes(let bytes):
        guard
          let counted = processor.unsentBodies.add(bytes, to: connection, isRefusable: true)
        else {
          stream.close()
          return chttpd_broken_stream
        }
        piece = counted
      case .waiting:
        processor.enter(.streaming, connection)
        return 0
      case .end:
        stream.close()
        return chttpd_end_of_stream
      }
    }
    let count = min(buffer.count, piece.bytes.count - position)
    unsafe piece.bytes[position..<(position + count)].withUnsafeBytes {
      unsafe buffer.copyMemory(from: $0)
    }
    position += count
    processor.enter(.sendingStream, connection)
    return count
  }
}

private func readStream(
  _ reader: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int
) -> Int {
  guard let reader = unsafe reader else { return chttpd_end_of_stream }
  let room = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size)
  return unsafe Unmanaged<StreamReader>.fromOpaque(reader).takeUnretainedValue().read(into: room)
}

private func closeStream(_ reader: UnsafeMutableRawPointer?) {
  guard let reader = unsafe reader else { return }
  unsafe Unmanaged<StreamReader>.fromOpaque(reader).takeRetainedValue().stream.close()
}
