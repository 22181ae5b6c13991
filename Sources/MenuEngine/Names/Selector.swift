/// The name of a method, whose colons count its arguments: `copy:`, `insert:at:`.
///
/// A selector is one ASCII word, or a row of possibly empty words each followed by a colon, in
/// 1 to 128 characters; a word has letters, digits, `_` and `$` and does not begin with a digit.
public struct Selector: Hashable, Sendable {
  /// The selector as text.
  public let rawValue: String

  /// The selector written as `text`, or nil when `text` does not have the form of one.
  public init?(_ text: String) {
    guard (1...128).contains(text.utf8.count) else { return nil }
    var isWordStart = true
    for byte in text.utf8 {
      guard Self.isAllowed(byte, atWordStart: isWordStart) else { return nil }
      isWordStart = byte == UInt8(ascii: ":")
    }
    let hasColons = text.utf8.contains(UInt8(ascii: ":"))
    guard !hasColons || text.utf8.last == UInt8(ascii: ":"), text != ":" else { return nil }
    rawValue = text
  }

  /// The number of arguments of a message with this selector.
  public var argumentCount: Int { rawValue.utf8.count { $0 == UInt8(ascii: ":") } }

  /// The selector that a catch-all forwards every message to (F5): `handleAction:`.
  public static let handleAction = Selector(unchecked: "handleAction:")

  private init(unchecked text: String) { rawValue = text }

  private static func isAllowed(_ byte: UInt8, atWordStart isWordStart: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: ":"):
      true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): !isWordStart
    default: false
    }
  }
}

extension Selector: CustomStringConvertible {
  /// The selector as text.
  public var description: String { rawValue }
}
