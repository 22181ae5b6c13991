package import JSONText
@_spi(_Unicode) import Swift

/// The inputs of keys (M2).
enum KeyInput {
  /// The maximum number of bytes of an input; longer than any single typed character.
  static let maximumLength = 64

  /// Returns the input in its canonical form, without case (K4); nil if it is neither one grapheme cluster nor
  /// the name of a key.
  ///
  /// It is computed once, so that inputs are compared by bytes.
  static func folded(_ input: String) -> String? {
    guard input.utf8.count <= maximumLength else { return nil }
    if named.contains(where: input.hasSameBytes(as:)) { return input }
    guard input.count == 1 else { return nil }
    return composed(composed(input).lowercased())
  }

  /// Returns the text in Unicode normalization form C.
  private static func composed(_ text: String) -> String {
    String(String.UnicodeScalarView(text._nfc))
  }

  /// UIKit's names of keys without a character.
  static let named: [String] =
    [
      "UpArrow", "DownArrow", "LeftArrow", "RightArrow", "Escape", "PageUp", "PageDown", "Home",
      "End", "Delete",
    ].map { "UIKeyInput" + $0 } + (1...12).map { "UIKeyInputF\($0)" }
}

/// A key with held modifiers (M2). Canonically equivalent inputs are the same key.
package struct KeyCombination: Sendable {
  /// One grapheme cluster, or a named key such as `UIKeyInputUpArrow`.
  package let input: String
  package let modifiers: KeyModifiers
  /// The canonical input, for comparisons.
  let folded: String

  /// Nil if `input` is neither one grapheme cluster nor the name of a key.
  package init?(input: String, modifiers: KeyModifiers) {
    guard let folded = KeyInput.folded(input) else { return nil }
    self.init(unchecked: input, folded, modifiers)
  }

  /// The canonical combination: letters without case (K4).
  package var normalized: KeyCombination {
    KeyCombination(unchecked: folded, folded, modifiers)
  }

  /// Returns the combination with modifiers added.
  func adding(_ modifiers: KeyModifiers) -> KeyCombination {
    KeyCombination(unchecked: input, folded, self.modifiers.union(modifiers))
  }

  /// Returns the combination with only the modifiers in `modifiers`.
  func keeping(_ modifiers: KeyModifiers) -> KeyCombination {
    KeyCombination(unchecked: input, folded, self.modifiers.intersection(modifiers))
  }

  private init(unchecked input: String, _ folded: String, _ modifiers: KeyModifiers) {
    self.input = input
    self.folded = folded
    self.modifiers = modifiers
  }
}

extension KeyCombination: Hashable {
  /// True if inputs are equal to the byte and modifiers are equal.
  package static func == (left: KeyCombination, right: KeyCombination) -> Bool {
    left.modifiers == right.modifiers && left.input.hasSameBytes(as: right.input)
  }

  package func hash(into hasher: inout Hasher) {
    for byte in input.utf8 { hasher.combine(byte) }
    hasher.combine(modifiers)
  }
}

extension KeyCombination: Codable {
  private enum CodingKeys: CodingKey {
    case input
    case modifiers
  }

  /// Encodes the combination as declared.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(input, forKey: .input)
    try container.encode(modifiers, forKey: .modifiers)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let input = try container.decode(String.self, forKey: .input)
    let modifiers = try container.decode(KeyModifiers.self, forKey: .modifiers)
    guard let combination = KeyCombination(input: input, modifiers: modifiers) else {
      throw DecodingError.dataCorruptedError(
        forKey: .input, in: container, debugDescription: "the input is no key")
    }
    self = combination
  }
}

/// The modifier keys (M2).
package struct KeyModifiers: OptionSet, Hashable, Sendable, Codable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The names in documents, in the order written.
  package enum Name: String, CaseIterable, Sendable {
    case command
    case shift
    case alternate
    case control
    case alphaShift
    case numericPad

    package var modifier: KeyModifiers {
      switch self {
      case .command: KeyModifiers(rawValue: 1)
      case .shift: KeyModifiers(rawValue: 2)
      case .alternate: KeyModifiers(rawValue: 4)
      case .control: KeyModifiers(rawValue: 8)
      case .alphaShift: KeyModifiers(rawValue: 16)
      case .numericPad: KeyModifiers(rawValue: 32)
      }
    }
  }

  package init(_ names: [Name]) { self.init(names.map(\.modifier)) }

  package var names: [Name] { Name.allCases.filter { contains($0.modifier) } }
}

extension KeyCombination {
  /// Reads a combination: `{"input": "5", "modifiers": ["command"]}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let combination = KeyCombination(&reader)
    reader.finish()
    guard let combination else { return nil }
    self = combination
  }

  /// Reads a combination from the members `input` and `modifiers` of an object.
  init?(_ reader: inout ObjectReader) {
    let input = reader.required("input", Read.string)
    let modifiers = reader.member("modifiers", Read.modifiers)
    guard let input else { return nil }
    guard let combination = KeyCombination(input: input, modifiers: modifiers ?? []) else {
      reader.log.note(.expected(.keyInput, found: .string(input)), at: reader.place(of: "input"))
      return nil
    }
    self = combination
  }

  package var json: JSON {
    var object = JSONObject()
    object["input"] = .string(input)
    object["modifiers"] = modifiers.json
    return .object(object)
  }
}

extension KeyModifiers {
  /// The modifiers as a document: `["command", "shift"]`.
  package var json: JSON { .array(names.map { .string($0.rawValue) }) }
}

extension KeyCombination {
  /// True if the pressed key matches this declared one (K4).
  ///
  /// Case is ignored, since shift is compared as a modifier: `a` and `A` are the same key, with and without
  /// shift.
  package func matches(_ pressed: KeyCombination) -> Bool {
    modifiers.match(pressed.modifiers) && folded.hasSameBytes(as: pressed.folded)
  }

  /// The key with only the decisive modifiers.
  var decisive: KeyCombination { normalized.keeping(KeyModifiers.decisive) }
}

extension KeyModifiers {
  /// The modifiers that must be equal: command, shift, alternate and control.
  static let decisive = KeyModifiers([.command, .shift, .alternate, .control])

  /// True if the held modifiers match these declared ones (K4): caps lock and the numeric pad must be held if
  /// declared, and may be held otherwise.
  func match(_ held: KeyModifiers) -> Bool {
    intersection(.decisive) == held.intersection(.decisive) && isSubset(of: held)
  }

  /// The sets of other modifiers, smaller ones first.
  static let indecisive: [KeyModifiers] = [
    [], KeyModifiers([.alphaShift]), KeyModifiers([.numericPad]),
    KeyModifiers([.alphaShift, .numericPad]),
  ]
}

extension Read {
  /// Reads a list of modifier names.
  package static func modifiers(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> KeyModifiers? {
    let names: [KeyModifiers.Name]? = list(json, at: pointer, log: log, of: word)
    return names.map { KeyModifiers($0) }
  }
}
