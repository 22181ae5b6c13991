import MicroHTTP

/// The time that a client prefers to wait for an answer: `Prefer: wait=SECONDS` (RFC 7240).
struct WaitPreference: Sendable {
  let seconds: Int

  /// The preference of a request; nil if it has none, or says something else than a number of seconds, which
  /// is ignored as preferences are.
  init?(_ headers: Headers) {
    let preferences = headers.values(of: "prefer").flatMap { $0.utf8.split(separator: Self.comma) }
    for preference in preferences {
      // Parameters follow a semicolon; `wait` has none.
      let pair = preference.prefix { $0 != Self.semicolon }
      let sides = pair.split(
        separator: Self.equals, maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, Self.text(sides[0]).lowercased() == "wait" else { continue }
      guard let seconds = Int(Self.text(sides[1])), seconds >= 0 else { return nil }
      self.seconds = seconds
      return
    }
    return nil
  }

  private static let comma = UInt8(ascii: ",")
  private static let semicolon = UInt8(ascii: ";")
  private static let equals = UInt8(ascii: "=")

  /// A name or value without the spaces and quotes around it.
  private static func text(_ bytes: Substring.UTF8View) -> String {
    let isAround: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x22 }
    let text = bytes.drop(while: isAround)
    return String(Substring(text)).trimmingEnd(where: isAround)
  }
}

extension String {
  fileprivate func trimmingEnd(where isAround: (UInt8) -> Bool) -> String {
    var bytes = Array(utf8)
    while let last = bytes.last, isAround(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
