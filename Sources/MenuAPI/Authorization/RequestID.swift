import MicroHTTP
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
