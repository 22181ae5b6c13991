import JSONText
import MicroHTTP

/// The names by which requests may call this server, in `Host`.
///
/// A web page whose own name is made to lead to this machine (DNS rebinding) calls it by that name, and
/// is refused. Numeric addresses need no list: no name server can make a page's address one of ours.
/// Ports are not compared, since that of a container is published as another one.
package struct HostNames: Sendable {
  /// Further names; `*` admits every name. The default is none.
  package var names: [String]

  /// These names beside `localhost` and numeric addresses.
  package init(_ names: [String] = []) { self.names = names }

  /// Whether a request may come with this value of `Host`.
  func admit(_ field: String) -> Bool {
    let name = field.hostName
    if name.hasSameBytes(as: "localhost") || name.isNumericAddress { return true }
    return names.contains { $0.hasSameBytes(as: "*") || $0.hasSameBytes(as: name) }
  }

  /// Refuses a request that calls this server by another name; one without `Host` comes from no
  /// browser.
  func check(_ request: Request) throws(Problem) {
    guard let field = request.headers["host"], !admit(field) else { return }
    throw Problem(
      .misdirectedRequest,
      "This server is not called \(quoted(field.hostName)); when it should be, add the name to "
        + "'server.allowedHosts' (MENUD_ALLOWED_HOSTS).")
  }
}

extension String {
  /// The name in a `Host`, in small letters, without its port and without a dot at the end.
  fileprivate var hostName: String {
    var bytes = Array(utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
    let end = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
    if let colon = bytes[end...].lastIndex(of: UInt8(ascii: ":")),
      bytes[(colon + 1)...].allSatisfy({ (0x30...0x39).contains($0) })
    {
      bytes.removeSubrange(colon...)
    }
    if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether it is an IPv4 address, or an IPv6 address in brackets.
  fileprivate var isNumericAddress: Bool {
    if utf8.first == UInt8(ascii: "[") {
      return utf8.last == UInt8(ascii: "]") && utf8.count > 3
        && utf8.dropFirst().dropLast().allSatisfy { "0123456789abcdef:.".utf8.contains($0) }
    }
    let parts = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && UInt8(String(Substring(part))) != nil
          && part.allSatisfy { (0x30...0x39).contains($0) }
      }
  }
}
