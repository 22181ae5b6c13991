import JSONText
@_spi(_Unicode) import Swift

/// The texts that name keys (M2).
enum KeyInput {
  /// The maximum number of bytes of an input; what people type as one character is shorter.
  static let maximumLength = 64

  /// The input as it is told apart from others, or nil when it is neither one grapheme cluster nor the
  /// name of a key: letters without regard to case (K4), and canonically equivalent texts alike.
  ///
  /// It is found out once, so that inputs are compared by their bytes.
  static func folded(_ input: String) -> String? {
    guard input.utf8.count <= maximumLength else { return nil }
    if named.contains(where: input.hasSameBytes(as:)) { return input }
    guard input.count == 1 else { return nil }
    return composed(composed(input).lowercased())
  }

  /// The text in Unicode's normalization form C.
  private static func composed(_ text: String) -> String {
    String(String.UnicodeScalarView(text._nfc))
  }

  /// The names of the keys that are no characters, as UIKit names them.
  static let named: [String] =
    [
      "UpArrow", "DownArrow", "LeftArrow", "RightArrow", "Escape", "PageUp", "PageDown", "Home",
      "End", "Delete",
    ].map { "UIKeyInput" + $0 } + (1...12).map { "UIKeyInputF\($0)" }
}
