private import Glibc
import Locks

/// The system's folder of time zone information, one file for each name.
///
/// Zones that were read are kept, so that evaluations do not read them again.
final class ZoneFolder: Sendable {
  static let system = ZoneFolder("/usr/share/zoneinfo")

  private let path: String
  private let known = Lock<[String: ZoneRules]>([:])

  init(_ path: String) { self.path = path }

  /// The rules of the time zone called `name`, or nil when there is no such one.
  func rules(_ name: String) -> ZoneRules? {
    guard Self.isPlain(name) else { return nil }
    if let rules = known.withLock({ $0[name] }) { return rules }
    guard let bytes = Self.read(path + "/" + name) else { return nil }
    var file = ZoneFile(bytes)
    guard let rules = file.rules() else { return nil }
    known.withLock { if $0.count < Self.mostKept { $0[name] = rules } }
    return rules
  }

  /// More than there are names, unless links make one file known by many.
  private static let mostKept = 2048

  /// True if `name` is letters, digits, `+`, `-` and `_`, with single slashes between: what leads
  /// out of the folder has a dot.
  private static func isPlain(_ name: String) -> Bool {
    let bytes = name.utf8
    guard (1...64).contains(bytes.count), bytes.first?.isLetter == true else { return false }
    let slash = UInt8(ascii: "/")
    guard !zip(bytes, bytes.dropFirst()).contains(where: { $0 == slash && $1 == slash }) else {
      return false
    }
    return bytes.allSatisfy { $0.isLetter || $0.isDigit || "+-/".utf8.contains($0) }
  }

  /// The bytes of a file that is not too long to be one of time zone information.
  private static func read(_ path: String) -> [UInt8]? {
    // The path is a string of ours without zero bytes, and is not kept.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let limit = 1 << 16
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      // At most as many bytes as the buffer has room for.
      count = unsafe max(0, Glibc.read(file, buffer.baseAddress, limit))
    }
    return bytes.isEmpty || bytes.count == limit ? nil : bytes
  }
}
