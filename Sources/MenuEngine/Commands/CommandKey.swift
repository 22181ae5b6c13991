package import JSONText
@_spi(_Unicode) import Swift

/// The key equivalent of a command, which may differ by platform (M2).
///
/// At least one platform has a key; on others the command has no shortcut.
package struct CommandKey: Equatable, Sendable {
  /// The key on Apple's platforms; nil for none.
  package let apple: KeyCombination?
  /// The key on all other platforms; nil for none.
  package let other: KeyCombination?

  /// Creates the same key for all platforms.
  package init(_ key: KeyCombination) { (apple, other) = (key, key) }

  /// Creates a key for each platform; nil if neither has one.
  package init?(apple: KeyCombination?, other: KeyCombination?) {
    guard apple != nil || other != nil else { return nil }
    (self.apple, self.other) = (apple, other)
  }

  /// The key on a platform; nil for none.
  package subscript(platform: KeyPlatform) -> KeyCombination? {
    switch platform {
    case .apple: apple
    case .other: other
    }
  }

  /// The keys with their platforms; a nil platform stands for all.
  var byPlatform: [(platform: KeyPlatform?, key: KeyCombination)] {
    if let apple, apple == other { return [(nil, apple)] }
    return KeyPlatform.allCases.compactMap { platform in
      self[platform].map { (platform, $0) }
    }
  }

  /// Returns the keys with modifiers added.
  func adding(_ modifiers: KeyModifiers) -> CommandKey {
    CommandKey(map: { $0.adding(modifiers) }, self)
  }

  private init(map change: (KeyCombination) -> KeyCombination, _ key: CommandKey) {
    apple = key.apple.map(change)
    other = key.other.map(change)
  }
}

/// A kind of platform, which selects the key of a command (M2).
///
/// Modifiers have Apple's names: on other platforms, `command` is Control.
package enum KeyPlatform: String, CaseIterable, Sendable, Codable {
  /// Apple's platforms.
  case apple
  /// All other platforms.
  case other
}

extension CommandKey {
  /// Reads a key: `{"input": "s", "modifiers": ["command"]}`, or `{"apple": …, "other": …}` with at least one
  /// of them.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard case .object(let object) = json, object["input"] == nil,
      KeyPlatform.allCases.contains(where: { object[$0.rawValue] != nil })
    else {
      guard let key = KeyCombination(reading: json, at: pointer, log: log) else { return nil }
      self.init(key)
      return
    }
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let apple = reader.member("apple", KeyCombination.init(reading:at:log:))
    let other = reader.member("other", KeyCombination.init(reading:at:log:))
    reader.finish()
    self.init(apple: apple, other: other)
  }

  package var json: JSON {
    let keys = byPlatform
    if let (platform, key) = keys.first, platform == nil { return key.json }
    var object = JSONObject()
    for (platform, key) in keys { object[platform?.rawValue ?? ""] = key.json }
    return .object(object)
  }
}

extension CommandKey: Codable {
  private enum CodingKeys: CodingKey {
    case apple
    case other
  }

  /// Encodes the key: a combination if all platforms have the same.
  package func encode(to encoder: any Encoder) throws {
    if let (platform, key) = byPlatform.first, platform == nil {
      return try key.encode(to: encoder)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(apple, forKey: .apple)
    try container.encodeIfPresent(other, forKey: .other)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let apple = try container.decodeIfPresent(KeyCombination.self, forKey: .apple)
    let other = try container.decodeIfPresent(KeyCombination.self, forKey: .other)
    self = try CommandKey(apple: apple, other: other) ?? CommandKey(KeyCombination(from: decoder))
  }
}

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
