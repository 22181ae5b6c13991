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
  /// The parts of the piece that the daemon is given, the next one last. Each counts as unsent unless it is small.
  private var parts: [UnsentBody] = []
  /// The number of bytes of the next part that the daemon has.
  private var position = 0

  init(_ stream: ResponseStream, on connection: Connection, of processor: RequestProcessor) {
    self.stream = stream
    self.connection = connection
    self.processor = processor
  }

  /// Returns the number of bytes that come next; 0 if the connection waits, and what the library takes for an end.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while parts.isEmpty {
      let suspended = unsafe SuspendedConnection(connection.handle)
      let waker = processor.waker
      let next = stream.piece {
        waker.suspend(suspended)
      } resume: {
        waker.resume(suspended)
      }
      switch next {
      case .bytes(let bytes): guard take([bytes]) else { return chttpd_broken_stream }
      case .parts(let parts): guard take(parts) else { return chttpd_broken_stream }
      case .waiting:
        processor.enter(.streaming, connection)
        return 0
      case .end:
        stream.close()
        return chttpd_end_of_stream
      }
    }
    let count = unsafe fill(buffer)
    processor.enter(.sendingStream, connection)
    return count
  }

  /// Takes the parts of a piece, all of which are counted. Returns false if there is no room for them.
  ///
  /// A stream breaks off then, since the pieces before are not read: its client connects again, and goes on from
  /// there.
  private func take(_ pieces: [[UInt8]]) -> Bool {
    for piece in pieces.reversed() where !piece.isEmpty {
      let counted = processor.unsentBodies.add(
        piece, to: connection, from: UnsentBodies.uncountedOfStreams, isRefusable: true)
      guard let counted else {
        parts = []
        stream.close()
        return false
      }
      parts.append(counted)
    }
    return true
  }

  /// Moves bytes of the parts into a buffer, and returns their number.
  private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < buffer.count, let part = parts.last {
      let count = min(buffer.count - filled, part.bytes.count - position)
      unsafe part.bytes[position..<(position + count)].withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: bytes)
      }
      (filled, position) = (filled + count, position + count)
      if position == part.bytes.count { (_, position) = (parts.removeLast(), 0) }
    }
    return filled
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
