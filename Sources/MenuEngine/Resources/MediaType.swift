import JSONText

/// A media type, such as `text/markdown` (RFC 9110, 8.3.1).
package struct MediaType: Equatable, Sendable {
  package let text: String

  package static func == (left: MediaType, right: MediaType) -> Bool {
    left.text.hasSameBytes(as: right.text)
  }

  private init(unchecked text: String) { self.text = text }

  static let plainText = MediaType(unchecked: "text/plain")
  static let json = MediaType(unchecked: "application/json")

  /// Parses a media type; nil unless it is two tokens separated by a slash, with optional parameters.
  package init?(_ text: String) {
    let whole = text.utf8.prefix { $0 != UInt8(ascii: ";") }
    let parts = whole.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard text.utf8.count <= Limits.mediaType, parts.count == 2,
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isInMediaType) }),
      text.utf8.dropFirst(whole.count).allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    self.text = text
  }

  /// Creates the type for the extension of a path; the default is that of arbitrary bytes.
  init(ofPath path: String) {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(path).utf8
    let end = name.split(separator: UInt8(ascii: ".")).last.map { String(Substring($0)) } ?? ""
    self.init(unchecked: Self.byExtension[end.lowercased()] ?? "application/octet-stream")
  }

  private static let byExtension = [
    "css": "text/css", "csv": "text/csv", "gif": "image/gif", "htm": "text/html",
    "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
    "json": "application/json", "md": "text/markdown", "pdf": "application/pdf",
    "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain", "webp": "image/webp",
    "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
  ]

  /// The type and the subtype in lower case, without parameters.
  private var essence: String {
    String(Substring(text.utf8.prefix { $0 != UInt8(ascii: ";") })).lowercased()
  }

  /// True if contents of the type are text.
  var isText: Bool {
    essence.hasPrefix("text/") || ["+json", "+xml", "+yaml"].contains(where: essence.hasSuffix)
      || ["json", "xml", "yaml", "javascript"].contains { "application/\($0)" == essence }
  }

  var isImage: Bool { essence.hasPrefix("image/") }
}

extension UInt8 {
  /// True for a character of a restricted name (RFC 6838, 4.2).
  fileprivate var isInMediaType: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$&-^_.+".utf8.contains(self)
    }
  }
}

extension Read {
  /// Reads a media type.
  static func mediaType(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> MediaType? {
    if case .string(let text) = json, let type = MediaType(text) { return type }
    return refuse(.mediaType, json, at: pointer, log: log)
  }

  /// Reads the media type of an image.
  static func imageType(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> MediaType? {
    if case .string(let text) = json, let type = MediaType(text), type.isImage { return type }
    return refuse(.imageType, json, at: pointer, log: log)
  }
}
