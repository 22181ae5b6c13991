extension String {
  /// The number of columns that it takes on a terminal.
  package var width: Int { reduce(0) { $0 + $1.columns } }
}

extension Character {
  /// The number of columns that it takes on a terminal.
  package var columns: Int {
    let widest = unicodeScalars.reduce(0) { max($0, $1.columns) }
    return unicodeScalars.contains("\u{FE0F}") ? max(widest, 2) : widest
  }
}

extension Unicode.Scalar {
  /// The columns by East Asian Width, W and F, roughly; combining characters take none.
  fileprivate var columns: Int {
    guard value >= 0x300 else { return value == 0xAD ? 0 : 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch value {
    case 0x1160...0x11FF: return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
      0x17000...0x18DFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      return 2
    default: return properties.isEmojiPresentation ? 2 : 1
    }
  }
}
