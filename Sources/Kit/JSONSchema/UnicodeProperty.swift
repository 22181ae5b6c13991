import JSONText

/// A property of characters that patterns of ECMA-262 name in `\p{…}`, as classes of RE2.
enum UnicodeProperty {
  /// A class of RE2 with this name.
  case named(String)
  /// Ranges of a class of RE2 that are it, and those of all other characters if both are known.
  case ranges(String, others: String?)
  /// All characters but those of these ranges.
  case allBut(String)

  /// The property that a pattern names; nil if none is called so.
  init?(_ text: String) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    switch parts.count {
    case 1:
      if let category = Self.category(text) { self = category } else { self.init(alone: text) }
    case 2 where Self.has(["General_Category", "gc"], parts[0]):
      guard let category = Self.category(parts[1]) else { return nil }
      self = category
    case 2 where Self.has(["Script", "sc"], parts[0]):
      guard Self.isName(parts[1]) else { return nil }
      self = .named(parts[1])
    default: return nil
    }
  }

  private init?(alone text: String) {
    switch text {
    case _ where text.hasSameBytes(as: "Any"): self = .ranges("\\x{0}-\\x{10FFFF}", others: nil)
    case _ where text.hasSameBytes(as: "ASCII"):
      self = .ranges("\\x{0}-\\x{7F}", others: "\\x{80}-\\x{10FFFF}")
    case _ where text.hasSameBytes(as: "White_Space"):
      self = .ranges(
        "\\t-\\r \\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}",
        others: nil)
    // RE2 has scripts without a prefix; it says so of a name that it does not know.
    default:
      guard Self.isName(text) else { return nil }
      self = .named(text)
    }
  }

  /// The class; nil if it cannot stand inside of another one.
  func text(isNegated: Bool, isInClass: Bool) -> String? {
    switch self {
    case .named(let name): "\\\(isNegated ? "P" : "p"){\(name)}"
    case .ranges(let ranges, _) where !isInClass: "[\(isNegated ? "^" : "")\(ranges)]"
    case .ranges(let ranges, let others): isNegated ? others : ranges
    case .allBut(let ranges) where !isInClass: "[\(isNegated ? "" : "^")\(ranges)]"
    case .allBut(let ranges): isNegated ? ranges : nil
    }
  }

  private static func isName(_ text: String) -> Bool {
    let first = text.utf8.first ?? 0
    return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first)
      && text.utf8.allSatisfy {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
      }
  }

  private static func has(_ names: [String], _ text: String) -> Bool {
    names.contains { $0.hasSameBytes(as: text) }
  }

  private static func category(_ text: String) -> UnicodeProperty? {
    if has(["LC", "Cased_Letter"], text) {
      return .ranges("\\p{Lu}\\p{Ll}\\p{Lt}", others: nil)
    }
    let found = categories.first { has([$0.short] + $0.long, text) }
    // Characters that are not assigned are in no class of RE2.
    switch found?.short {
    case "C"?: return .allBut(assigned)
    case "Cn"?: return .allBut(assigned + "\\pC")
    case let short?: return .named(short)
    case nil: return nil
    }
  }

  /// The characters that are in no class `C`.
  private static let assigned = "\\pL\\pM\\pN\\pP\\pS\\pZ"

  private static let categories: [(short: String, long: [String])] = [
    ("L", ["Letter"]), ("Lu", ["Uppercase_Letter"]), ("Ll", ["Lowercase_Letter"]),
    ("Lt", ["Titlecase_Letter"]), ("Lm", ["Modifier_Letter"]), ("Lo", ["Other_Letter"]),
    ("M", ["Mark", "Combining_Mark"]), ("Mn", ["Nonspacing_Mark"]), ("Mc", ["Spacing_Mark"]),
    ("Me", ["Enclosing_Mark"]), ("N", ["Number"]), ("Nd", ["Decimal_Number", "digit"]),
    ("Nl", ["Letter_Number"]), ("No", ["Other_Number"]), ("P", ["Punctuation", "punct"]),
    ("Pc", ["Connector_Punctuation"]), ("Pd", ["Dash_Punctuation"]), ("Ps", ["Open_Punctuation"]),
    ("Pe", ["Close_Punctuation"]), ("Pi", ["Initial_Punctuation"]), ("Pf", ["Final_Punctuation"]),
    ("Po", ["Other_Punctuation"]), ("S", ["Symbol"]), ("Sm", ["Math_Symbol"]),
    ("Sc", ["Currency_Symbol"]), ("Sk", ["Modifier_Symbol"]), ("So", ["Other_Symbol"]),
    ("Z", ["Separator"]), ("Zs", ["Space_Separator"]), ("Zl", ["Line_Separator"]),
    ("Zp", ["Paragraph_Separator"]), ("C", ["Other"]), ("Cc", ["Control", "cntrl"]),
    ("Cf", ["Format"]), ("Cs", ["Surrogate"]), ("Co", ["Private_Use"]), ("Cn", ["Unassigned"]),
  ]
}
