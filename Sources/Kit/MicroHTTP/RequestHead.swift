import CMicroHTTPD
import Glibc

/// The head of a request as parsed by the library: its fields, and whether they are complete.
struct RequestHead {
  let headers: Headers
  /// The number of bytes from the method to the empty line.
  let size: Int
  /// False if the head has anything other than the request line and fields as in RFC 9112, as far as the
  /// library's parsing shows.
  ///
  /// libmicrohttpd 0.9.75 is more lenient: it ends lines at a bare line feed and texts at a zero, joins folded
  /// lines, skips doubled spaces, and takes a line that begins with a colon or a zero for the end of the head.
  /// It parses in place, so each of these leaves a gap between two texts, or after the last one. From 1.0 on it
  /// refuses them itself, and moves texts.
  let isAcceptable: Bool

  /// The texts of the request line, in place.
  @unsafe struct Start {
    let method: UnsafePointer<CChar>
    let target: UnsafePointer<CChar>
    /// The target's length with its query, which the library cuts off.
    let targetSize: Int
    let version: UnsafePointer<CChar>

    /// The end of the version; nil unless the texts are separated by one space each.
    fileprivate var end: UnsafeRawPointer? {
      let gap = 1
      guard unsafe method + strlen(method) + gap == target,
        unsafe target + targetSize + gap == version
      else { return nil }
      return unsafe UnsafeRawPointer(version + strlen(version))
    }
  }

  init(of handle: OpaquePointer, beginningWith start: Start) {
    var size = 0
    _ = unsafe chttpd_fields(handle, measureField, &size)
    var end = unsafe start.end
    headers = Headers(size: size) { writer in
      var scan = unsafe FieldScan(writer: writer, end: end)
      _ = unsafe chttpd_fields(handle, scanField, &scan)
      unsafe (writer, end) = (scan.writer, scan.end)
    }
    self.size = unsafe chttpd_head_size(handle)
    let headEnd = unsafe UnsafeRawPointer(start.method) + self.size
    let isWhole = unsafe end.map { unsafe $0 + 2 * lineEnd == headEnd } ?? false
    isAcceptable = isWhole || !Self.isReadInPlace
  }

  private static let isReadInPlace = unsafe strcmp(MHD_get_version(), "1.") < 0
}

/// The number of bytes of CR LF.
private let lineEnd = 2

@unsafe private struct FieldScan {
  var writer: HeaderWriter
  /// The end of the last text; nil after unexpected bytes.
  var end: UnsafeRawPointer?

  /// Moves past a field, or records that it is not in its place.
  mutating func advance(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    guard let end = unsafe end, let nameStart = name.baseAddress,
      let valueStart = value.baseAddress, unsafe end + lineEnd == nameStart
    else {
      unsafe self.end = nil
      return
    }
    let colon = unsafe nameStart + name.count
    let gap = unsafe UnsafeRawBufferPointer(start: colon, count: max(0, valueStart - colon))
    // The library wrote a zero over the colon.
    let isBlank = unsafe gap.first == 0 && gap.dropFirst().allSatisfy { $0 == 0x20 || $0 == 0x09 }
    unsafe self.end = isBlank ? valueStart + value.count : nil
  }
}

private func measureField(
  _ size: UnsafeMutableRawPointer, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>,
  _ nameSize: Int, _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
  unsafe size.assumingMemoryBound(to: Int.self).pointee += HeaderWriter.size(
    name: nameSize, value: value == nil ? 0 : valueSize)
  return .YES
}

private func scanField(
  _ scan: UnsafeMutableRawPointer, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>,
  _ nameSize: Int, _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> MHD_Result {
  let scan = unsafe scan.assumingMemoryBound(to: FieldScan.self)
  let name = unsafe UnsafeRawBufferPointer(start: name, count: nameSize)
  let value = unsafe UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueSize)
  unsafe scan.pointee.writer.append(name: name, value: value)
  unsafe scan.pointee.advance(name: name, value: value)
  return .YES
}
