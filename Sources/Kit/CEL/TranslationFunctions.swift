import JSONText
import Languages

/// Translations: `tr(key)` and `tr(key, {name: value})`.
///
/// In a program with the variable `tr`, the call `tr(key)` stands for `tr.tr(key)`. The variable is a map of texts by
/// key, as the host's user reads them. A text can be a map by plural category, with the tag of its language as `in`;
/// the value that decides is that called `by`, or else `count`. A key without a text is its own text.
extension Function {
  /// The name of the variable and of the function.
  static let translation = "tr"

  static let translations = [
    Function(
      name: translation, styles: [.member],
      body: .binary({ (texts, key, meter) throws(Failure) in
        try Translation(texts, key).text(naming: nil, &meter)
      })),
    Function(
      name: translation, styles: [.member],
      body: .variadic(
        3,
        { (arguments, meter) throws(Failure) in
          guard case .map(let names) = arguments[2] else {
            throw .noSuchOverload(translation, arguments.dropFirst().map(\.type))
          }
          return try Translation(arguments[0], arguments[1]).text(naming: names, &meter)
        })),
  ]
}

/// The text of a key.
private struct Translation {
  typealias Failure = EvaluationFault.Reason

  private let texts: MapValue
  private let key: String

  init(_ texts: Value, _ key: Value) throws(Failure) {
    guard case .string(let key) = key else {
      throw .noSuchOverload(Function.translation, [key.type])
    }
    self.key = key
    switch texts {
    case .map(let map): self.texts = map
    // A rule may be evaluated without texts.
    case .null: self.texts = .json(JSONObject())
    default: throw .noSuchOverload(Function.translation, [texts.type, .string])
    }
  }

  /// Returns the text with its placeholders replaced. A placeholder without a value stays as written.
  func text(naming names: MapValue?, _ meter: inout Meter) throws(Failure) -> Value {
    try meter.charge(Meter.cost(ofName: key))
    let source = try pattern(naming: names, &meter)
    try meter.produce(bytes: source.utf8.count)
    guard source.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
      return .string(source)
    }
    var text = ""
    for part in MessageText(source).parts {
      var piece: String
      switch part {
      case .text(let own): piece = own
      case .name(let name):
        piece = "{\(name)}"
        if let value = names?[name] {
          try meter.charge(value.textCost)
          guard let written = value.inText else {
            throw .argument(.name(name, value.type))
          }
          piece = written
        }
      }
      try meter.produce(
        bytes: text.utf8.count + piece.utf8.count, growingBy: piece.utf8.count)
      text += piece
    }
    return .string(text)
  }

  /// Returns the text with its placeholders; if there are several texts, the one of the plural category.
  private func pattern(
    naming names: MapValue?, _ meter: inout Meter
  ) throws(Failure) -> String {
    switch texts[key] {
    case .string(let text): return text
    case .map(let forms): return try self.form(of: forms, naming: names, &meter) ?? key
    default:
      guard !key.isEmpty, case .bool(true)? = texts[PseudoLanguage.marker] else { return key }
      return PseudoLanguage.message(key)
    }
  }

  /// The steps of reading a number and choosing its plural form.
  private static let costOfPlural = 20

  private func form(
    of forms: MapValue, naming names: MapValue?, _ meter: inout Meter
  ) throws(Failure) -> String? {
    var decisive = "count"
    if case .string(let name)? = forms["by"] { decisive = name }
    var category = PluralCategory.other
    if case .string(let tag)? = forms["in"], let language = LanguageTag(tag),
      let value = names?[decisive]
    {
      try meter.charge(Self.costOfPlural)
      if let number = PluralNumber(value) {
        category = PluralRules.cardinal(of: language).category(of: number)
      }
    }
    for category in [category, .other] {
      if case .string(let text)? = forms[category.rawValue] { return text }
    }
    return nil
  }
}

extension Value {
  /// The value as it appears in a text; nil for a value that cannot be shown as text.
  fileprivate var inText: String? {
    switch self {
    case .bool, .int, .uint, .double, .string, .timestamp, .duration, .ip, .cidr: plainText
    case .null, .bytes, .list, .map, .optional, .type: nil
    }
  }
}

extension PluralNumber {
  /// The number as it appears in a text; nil for a value that is not a number.
  fileprivate init?(_ value: Value) {
    switch value {
    case .int(let int): self.init(String(int))
    case .uint(let uint): self.init(String(uint))
    case .double: self.init(value.plainText)
    case .string(let text) where text.utf8.count <= 64: self.init(text)
    default: return nil
    }
  }
}

extension Code {
  /// Returns a literal key of the variable that `tr(key)` reads; nil for another operand.
  func key(_ key: NodeID, amongTexts texts: NodeID, in source: String) -> String? {
    guard isTexts(texts, in: source), case .constant(.string(let string)) = instructions[key]
    else { return nil }
    return string
  }

  /// True for the implicit variable that `tr(key)` reads, which does not appear in the source.
  func isTexts(_ id: NodeID, in source: String) -> Bool {
    guard case .variable = instructions[id] else { return false }
    let range = ranges[id]
    return source.utf8.dropFirst(range.start).prefix(range.end - range.start)
      .elementsEqual(Function.translation.utf8)
  }
}
