package import MicroHTTP
import Synchronization

/// Gives each request an id that the client and the log share.
final class RequestIDs: Sendable {
  private let prefix: String
  private let count = Atomic<UInt64>(0)

  /// Creates a source of ids with a common prefix, which is unique to this run of the program.
  init(prefix: String) { self.prefix = prefix }

  /// Returns the id that the client sent with these fields, if it is 1 to 128 letters, digits and `-._~:+/=`;
  /// otherwise a new one.
  func id(of headers: Headers) -> String {
    if let given = headers["x-request-id"], given.isRequestID { return given }
    let number = count.add(1, ordering: .relaxed).newValue
    return String(size: prefix.utf8.count + 1 + ASCIIWriter.numberSize) { writer in
      writer.append(prefix)
      writer.append("-" as Unicode.Scalar)
      writer.append(number)
    }
  }
}

extension String {
  fileprivate var isRequestID: Bool {
    (1...128).contains(utf8.count)
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-._~:+/=".utf8.contains(byte)
        }
      }
  }
}

/// The place of a request in a distributed trace (W3C Trace Context).
package struct TraceParent: Equatable, Sendable {
  /// The id of the trace: 32 hexadecimal digits, not all zero.
  package let traceID: String
  /// The id of the caller's span: 16 hexadecimal digits, not all zero.
  package let parentID: String
  /// True if the caller records its span.
  package let isSampled: Bool

  /// Reads the field of a request; nil if it is absent, repeated or invalid. The specification says to ignore
  /// all of these.
  package init?(_ headers: Headers) {
    let fields = headers.values(of: "traceparent")
    guard fields.count == 1, let field = fields.first else { return nil }
    self.init(field)
  }

  /// Reads a value like `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
  ///
  /// For a future version, the same parts are read, and the rest is ignored.
  init?(_ field: String) {
    let bytes = Array(field.utf8)
    guard bytes.count >= 55, bytes[2] == Self.dash, bytes[35] == Self.dash, bytes[52] == Self.dash,
      let version = Self.hexadecimal(bytes[0..<2]), version != "ff",
      bytes.count == 55 || version != "00" && bytes[55] == Self.dash,
      let trace = Self.hexadecimal(bytes[3..<35]), trace.utf8.contains(where: { $0 != Self.zero }),
      let parent = Self.hexadecimal(bytes[36..<52]),
      parent.utf8.contains(where: { $0 != Self.zero }),
      let flags = Self.hexadecimal(bytes[53..<55]), let bits = UInt8(flags, radix: 16)
    else { return nil }
    traceID = trace
    parentID = parent
    isSampled = bits & 1 == 1
  }

  private static let dash = UInt8(ascii: "-")
  private static let zero = UInt8(ascii: "0")

  /// Returns the text if it has lowercase hexadecimal digits only.
  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
