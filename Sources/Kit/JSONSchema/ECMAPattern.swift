import JSONText

/// Translates an ECMA-262 pattern, as used in JSON Schema, to an equivalent RE2 pattern.
///
/// Patterns are read as with the flag `u`; escaped letters without meaning in ECMA-262 are left to RE2.
struct ECMAPattern {
  /// A part of a pattern without an equivalent in RE2.
  struct Fault: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
  }

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var output = ""
  /// True for each open group where a dot matches line ends; the innermost is last.
  private var dotMatchesAll = [false]

  private init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// Returns the pattern for RE2.
  static func translated(_ text: String) throws(Fault) -> String {
    var pattern = ECMAPattern(text)
    while let scalar = pattern.next() { try pattern.term(scalar) }
    return pattern.output
  }

  private mutating func next() -> Unicode.Scalar? {
    guard position < scalars.count else { return nil }
    defer { position += 1 }
    return scalars[position]
  }

  /// Consumes a text if it is next.
  private mutating func skip(_ text: String) -> Bool {
    guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  private mutating func term(_ scalar: Unicode.Scalar) throws(Fault) {
    switch scalar {
    case "\\": output += try escape(isInClass: false)
    case "[": try characterClass()
    case ".": output += dotMatchesAll.last == true ? "." : "[^\\n\\r\\x{2028}\\x{2029}]"
    case "(": try group()
    case ")":
      if dotMatchesAll.count > 1 { dotMatchesAll.removeLast() }
      output += ")"
    default: output.unicodeScalars.append(scalar)
    }
  }

  // MARK: - Groups

  private mutating func group() throws(Fault) {
    for sign in ["?=", "?!", "?<=", "?<!"] where skip(sign) {
      throw Fault("look-around such as '(\(sign)' is not supported, since RE2 has none")
    }
    if skip("?<") || skip("?P<") {
      try groupName()
      output += "(?:"
    } else if skip("?") {
      try modifiers()
      return
    } else {
      output += "("
    }
    dotMatchesAll.append(dotMatchesAll.last == true)
  }

  /// Reads a name up to its `>`; names are not used.
  private mutating func groupName() throws(Fault) {
    let start = position
    while let scalar = next(), scalar != ">" {
      let isFirst = position == start + 1
      let fits =
        scalar == "_" || scalar == "$"
        || (isFirst ? scalar.properties.isIDStart : scalar.properties.isIDContinue)
      guard fits else { throw Fault("the name of a group has letters, digits, '_' and '$'") }
    }
    guard position > start + 1, scalars[position - 1] == ">" else {
      throw Fault("the name of a group is missing, or its '>'")
    }
  }

  /// Reads flags after `(?`, up to the colon of a group or to the end of the flags.
  private mutating func modifiers() throws(Fault) {
    output += "(?"
    var (isRemoving, isDotAll) = (false, dotMatchesAll.last == true)
    while let scalar = next() {
      output.unicodeScalars.append(scalar)
      switch scalar {
      case "-": isRemoving = true
      case "s": isDotAll = !isRemoving
      case ":": return dotMatchesAll.append(isDotAll)
      case ")":
        dotMatchesAll[dotMatchesAll.count - 1] = isDotAll
        return
      case "a"..."z", "A"..."Z": break
      default: throw Fault("'(?\(scalar)' begins no group")
      }
    }
  }

  // MARK: - Classes

  private mutating func characterClass() throws(Fault) {
    let isNegated = skip("^")
    if skip("]") {
      output += isNegated ? "[\\x{0}-\\x{10FFFF}]" : "[^\\x{0}-\\x{10FFFF}]"
      return
    }
    output += isNegated ? "[^" : "["
    while let scalar = next() {
      switch scalar {
      case "]":
        output += "]"
        return
      case "[": output += "\\["
      case "\\": output += try escape(isInClass: true)
      default: output.unicodeScalars.append(scalar)
      }
    }
    throw Fault("missing ]")
  }

  // MARK: - Escapes

  private mutating func escape(isInClass: Bool) throws(Fault) -> String {
    guard let scalar = next() else { throw Fault("the pattern ends with a backslash") }
    switch scalar {
    case "s", "S":
      let isSpace = scalar == "s"
      if isInClass { return isSpace ? Self.space : Self.otherThanSpace }
      return "[\(isSpace ? "" : "^")\(Self.space)]"
    case "b" where isInClass: return "\\x{8}"
    case "c": return try control()
    case "0": return try null()
    case "1"..."9":
      throw Fault("back-references such as '\\\(scalar)' are not supported, since RE2 has none")
    case "k":
      throw Fault("back-references such as '\\k<name>' are not supported, since RE2 has none")
    case "Q": throw Fault("'\\Q' is no escape of ECMA-262")
    case "u": return Self.literal(try unicode())
    case "p", "P": return try property(isNegated: scalar == "P", isInClass: isInClass)
    case _ where !scalar.isASCII || scalar.properties.generalCategory.isNoLetter:
      return Self.literal(scalar)
    default: return "\\\(scalar)"
    }
  }

  private static func literal(_ scalar: Unicode.Scalar) -> String {
    "\\x{\(String(scalar.value, radix: 16))}"
  }

  private mutating func control() throws(Fault) -> String {
    guard let letter = next(), letter.isASCII, letter.properties.isAlphabetic else {
      throw Fault("a letter is expected behind '\\c'")
    }
    return "\\x{\(String(letter.value % 32, radix: 16))}"
  }

  private func null() throws(Fault) -> String {
    if position < scalars.count, ("0"..."9").contains(scalars[position]) {
      throw Fault("no digit may follow '\\0'")
    }
    return "\\x{0}"
  }

  private mutating func unicode() throws(Fault) -> Unicode.Scalar {
    let unit: UInt32?
    if skip("{") {
      let digits = String(
        String.UnicodeScalarView(scalars[position...].prefix { $0 != "}" }.prefix(8)))
      position += digits.unicodeScalars.count
      unit = skip("}") ? UInt32(digits, radix: 16) : nil
    } else {
      unit = hexadecimal()
    }
    guard let unit else {
      throw Fault("four hexadecimal digits, or some in braces, are expected behind '\\u'")
    }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if (0xD800..<0xDC00).contains(unit), skip("\\u"), let low = hexadecimal(),
      (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    {
      return scalar
    }
    throw Fault("'\\u\(String(unit, radix: 16))' is no character, so that no text has it")
  }

  /// Reads four hexadecimal digits.
  private mutating func hexadecimal() -> UInt32? {
    let digits = scalars[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
    position += 4
    return UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
  }

  private mutating func property(isNegated: Bool, isInClass: Bool) throws(Fault) -> String {
    guard skip("{") else { return isNegated ? "\\P" : "\\p" }
    let name = String(String.UnicodeScalarView(scalars[position...].prefix { $0 != "}" }))
    position += name.unicodeScalars.count
    guard skip("}") else { throw Fault("the '}' of '\\p{\(name)' is missing") }
    guard let property = UnicodeProperty(name) else {
      throw Fault(
        "there is no '\\p{\(name)}': supported are general categories and scripts, by their long "
          + "names, and 'Any', 'ASCII' and 'White_Space'")
    }
    if let text = property.text(isNegated: isNegated, isInClass: isInClass) { return text }
    throw Fault("'\\\(isNegated ? "P" : "p"){\(name)}' is not supported inside of '[' and ']'")
  }

  // MARK: - White space

  /// The white space of ECMA-262, as ranges of a class.
  static let space =
    "\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}"

  /// All other characters, as ranges of a class.
  static let otherThanSpace =
    "\\x{0}-\\x{8}\\x{E}-\\x{1F}!-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}"
    + "\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}"
    + "\\x{FF00}-\\x{10FFFF}"
}

extension Unicode.GeneralCategory {
  /// True for a scalar that is neither a letter nor a digit.
  fileprivate var isNoLetter: Bool {
    switch self {
    case .uppercaseLetter, .lowercaseLetter, .decimalNumber: false
    default: true
    }
  }
}

/// A character property of ECMA-262 in `\p{…}`, as RE2 classes.
enum UnicodeProperty {
  /// The RE2 class of this name.
  case named(String)
  /// The ranges of an RE2 class, with those of the complement if known.
  case ranges(String, others: String?)
  /// All characters except these ranges.
  case allBut(String)

  /// Nil for an unknown property.
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
    // RE2 has scripts without a prefix, and reports unknown ones.
    default:
      guard Self.isName(text) else { return nil }
      self = .named(text)
    }
  }

  /// Returns the class; nil if it cannot be inside another one.
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
    // Unassigned characters are in no class of RE2.
    switch found?.short {
    case "C"?: return .allBut(assigned)
    case "Cn"?: return .allBut(assigned + "\\pC")
    case let short?: return .named(short)
    case nil: return nil
    }
  }

  /// The characters outside class `C`.
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
