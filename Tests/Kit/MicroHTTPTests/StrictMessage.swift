/// A reader of requests that takes what RFC 9112 writes and nothing else, in our own words, so that
/// what the server takes can be held against it byte by byte.
///
/// It takes three things more, since libmicrohttpd 0.9.75 shows no difference: before a request, lines
/// that are empty but for a bare line feed (which RFC 9112, 2.2, allows) or begin with a zero; a zero in
/// the place of the CR that ends a line; and a colon in the place of the CR that ends the head.
struct StrictMessage: Equatable {
  let target: String
  let content: [UInt8]
  /// True if nothing may follow on the connection.
  let isLast: Bool

  /// The messages at the beginning of the bytes, up to the first that is malformed or incomplete.
  static func all(in bytes: [UInt8]) -> [StrictMessage] {
    var reader = Reader(bytes: bytes)
    var messages: [StrictMessage] = []
    while messages.last?.isLast != true, let message = reader.message() { messages.append(message) }
    return messages
  }
}

private struct Reader {
  let bytes: [UInt8]
  var place = 0

  mutating func message() -> StrictMessage? {
    while let length = emptyLine { place += length }
    guard let line = line() else { return nil }
    let parts = line.split(separator: 0x20, omittingEmptySubsequences: false)
    guard parts.count == 3, Self.methods.contains(text(parts[0])), parts[1].first == 0x2F,
      parts[1].allSatisfy({ (0x21...0x7E).contains($0) }),
      ["HTTP/1.1", "HTTP/1.0"].contains(text(parts[2])), let fields = fields()
    else { return nil }
    let isOneDotOne = text(parts[2]) == "HTTP/1.1"
    let hosts = fields.count { $0.name == "host" }
    guard hosts == 1 || hosts == 0 && !isOneDotOne else { return nil }
    guard let content = content(fields, isOneDotOne) else { return nil }
    let mayHaveContent = ["POST", "PUT", "PATCH"].contains(text(parts[0]))
    guard mayHaveContent ? content.isFramed : content.bytes.isEmpty && !content.isChunked else {
      return nil
    }
    let closes = fields.contains { $0.name == "connection" && $0.value.lowercased() == "close" }
    return StrictMessage(
      target: text(parts[1]), content: content.bytes,
      isLast: content.isChunked || closes || !isOneDotOne)
  }

  private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  /// The length of the line that is skipped next, if one is.
  private var emptyLine: Int? {
    let rest = bytes[place...]
    if rest.first == 10 { return 1 }
    if rest.starts(with: [13, 10]) { return 2 }
    return rest.first == 0 ? rest.firstIndex(of: 10).map { $0 + 1 - place } : nil
  }

  /// Reads a line up to CR and LF; it contains neither elsewhere.
  private mutating func line() -> ArraySlice<UInt8>? {
    let rest = bytes[place...]
    guard let end = rest.firstIndex(where: { $0 == 13 || $0 == 10 || $0 == 0 }) else { return nil }
    if rest.starts(with: [0x3A, 10]) {
      defer { place += 2 }
      return rest.prefix(0)
    }
    guard bytes[end] != 10, end + 1 < bytes.count, bytes[end + 1] == 10 else { return nil }
    defer { place = end + 2 }
    return bytes[place..<end]
  }

  private mutating func fields() -> [(name: String, value: String)]? {
    var fields: [(name: String, value: String)] = []
    while let line = line() {
      if line.isEmpty { return fields }
      guard let colon = line.firstIndex(of: 0x3A) else { return nil }
      let (name, value) = (line[..<colon], line[(colon + 1)...])
      guard !name.isEmpty, name.allSatisfy({ Self.token.contains($0) }),
        value.allSatisfy({ $0 == 9 || $0 >= 0x20 && $0 != 0x7F })
      else { return nil }
      let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 9 }
      let start = value.firstIndex { !isBlank($0) } ?? value.endIndex
      let end = (value.lastIndex { !isBlank($0) } ?? start - 1) + 1
      fields.append((text(name).lowercased(), text(value[start..<end])))
    }
    return nil
  }

  private static let token = Set(
    "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

  private mutating func content(
    _ fields: [(name: String, value: String)], _ isOneDotOne: Bool
  ) -> (bytes: [UInt8], isChunked: Bool, isFramed: Bool)? {
    let lengths = fields.filter { $0.name == "content-length" }.map(\.value)
    let encodings = fields.filter { $0.name == "transfer-encoding" }.map(\.value)
    guard lengths.count + encodings.count < 2 else { return nil }
    if let encoding = encodings.first {
      guard isOneDotOne, encoding.lowercased() == "chunked", let bytes = chunks() else {
        return nil
      }
      return (bytes, true, true)
    }
    guard let length = lengths.first else { return ([], false, false) }
    guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(length), count <= bytes.count - place
    else { return nil }
    defer { place += count }
    return (Array(bytes[place..<place + count]), false, true)
  }

  private mutating func chunks() -> [UInt8]? {
    var content: [UInt8] = []
    while let line = line() {
      let size = line.prefix { $0 != 0x3B }
      guard !size.isEmpty, let count = Int(text(size), radix: 16), size.first != 0x2B,
        size.first != 0x2D
      else { return nil }
      if count == 0 { return fields() == nil ? nil : content }
      guard count + 2 <= bytes.count - place else { return nil }
      content += bytes[place..<place + count]
      place += count
      guard bytes[place...].starts(with: [13, 10]) else { return nil }
      place += 2
    }
    return nil
  }

  private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
