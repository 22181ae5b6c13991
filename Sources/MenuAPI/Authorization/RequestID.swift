package import MicroHTTP
import Synchronization

/// Gives each request a name, by which client and log can speak of it.
final class RequestIDs: Sendable {
  private let prefix: String
  private let count = Atomic<UInt64>(0)

  /// Names that begin with the same word, which no other run of the program has.
  init(prefix: String) { self.prefix = prefix }

  /// The name that the client gives the request, when it is one: 1 to 128 letters, digits and
  /// `-._~:+/=`. Else a new one.
  func id(of request: Request) -> String {
    if let given = request.headers["x-request-id"], given.isRequestID { return given }
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

/// The place of a request in a trace that goes through several services (W3C Trace Context).
package struct TraceParent: Equatable, Sendable {
  /// The trace: 32 hexadecimal digits, not all zero.
  package let traceID: String
  /// The caller's part of it: 16 hexadecimal digits, not all zero.
  package let parentID: String
  /// True if the caller records its part.
  package let isSampled: Bool

  /// Reads the field of a request; nil when it is absent, repeated or invalid. The specification
  /// says to ignore all of these.
  package init?(_ headers: Headers) {
    let fields = headers.values(of: "traceparent")
    guard fields.count == 1, let field = fields.first else { return nil }
    self.init(field)
  }

  /// Reads a value like `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
  ///
  /// Of a version that is not known yet the same parts are read, whatever follows them.
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

  /// The text, when it has small hexadecimal digits only.
  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
