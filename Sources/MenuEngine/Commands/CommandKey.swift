package import JSONText
@_spi(_Unicode) import Swift

/// The key of a command, which may differ by platform (M2).
///
/// At least one platform has one. A command without a key on a platform has no shortcut there.
package struct CommandKey: Equatable, Sendable {
  /// The key on Apple's platforms; nil for none.
  package let apple: KeyCombination?
  /// The key on all other platforms; nil for none.
  package let other: KeyCombination?

  /// The same key on all platforms.
  package init(_ key: KeyCombination) { (apple, other) = (key, key) }

  /// A key for each platform; nil if none has one.
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

  /// The keys with the platforms that they are for; nil stands for all platforms.
  var byPlatform: [(platform: KeyPlatform?, key: KeyCombination)] {
    if let apple, apple == other { return [(nil, apple)] }
    return KeyPlatform.allCases.compactMap { platform in
      self[platform].map { (platform, $0) }
    }
  }

  /// The same keys with these modifiers held too.
  func adding(_ modifiers: KeyModifiers) -> CommandKey {
    CommandKey(map: { $0.adding(modifiers) }, self)
  }

  private init(map change: (KeyCombination) -> KeyCombination, _ key: CommandKey) {
    apple = key.apple.map(change)
    other = key.other.map(change)
  }
}

/// A kind of platform, which decides which key of a command holds (M2).
///
/// Keys are named as Apple names them: on other platforms, `command` is their Control key.
package enum KeyPlatform: String, CaseIterable, Sendable, Codable {
  /// Apple's platforms.
  case apple
  /// All other platforms.
  case other
}

extension CommandKey {
  /// The key that a document describes: `{"input": "s", "modifiers": ["command"]}`, or
  /// `{"apple": …, "other": …}`, of which one may be left out.
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

  /// The key as a document.
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

  /// Encodes the key: a combination if it is the same on all platforms.
  package func encode(to encoder: any Encoder) throws {
    if let (platform, key) = byPlatform.first, platform == nil {
      return try key.encode(to: encoder)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(apple, forKey: .apple)
    try container.encodeIfPresent(other, forKey: .other)
  }

  /// Decodes a key.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let apple = try container.decodeIfPresent(KeyCombination.self, forKey: .apple)
    let other = try container.decodeIfPresent(KeyCombination.self, forKey: .other)
    self = try CommandKey(apple: apple, other: other) ?? CommandKey(KeyCombination(from: decoder))
  }
}

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

/// A key and the modifiers held with it (M2). Canonically equivalent inputs are the same key.
package struct KeyCombination: Sendable {
  /// One grapheme cluster, or a named key such as `UIKeyInputUpArrow`.
  package let input: String
  /// The modifiers held.
  package let modifiers: KeyModifiers
  /// The input as it is compared.
  let folded: String

  /// The combination, or nil when `input` is neither one grapheme cluster nor the name of a key.
  package init?(input: String, modifiers: KeyModifiers) {
    guard let folded = KeyInput.folded(input) else { return nil }
    self.init(unchecked: input, folded, modifiers)
  }

  /// The combination as it is told apart from others: letters without regard to case (K4).
  package var normalized: KeyCombination {
    KeyCombination(unchecked: folded, folded, modifiers)
  }

  /// The same key with these modifiers held too.
  func adding(_ modifiers: KeyModifiers) -> KeyCombination {
    KeyCombination(unchecked: input, folded, self.modifiers.union(modifiers))
  }

  /// The same key with those of its modifiers that are among these.
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
  /// True if both are written with the same bytes and held with the same modifiers.
  package static func == (left: KeyCombination, right: KeyCombination) -> Bool {
    left.modifiers == right.modifiers && left.input.hasSameBytes(as: right.input)
  }

  /// Hashes the bytes of the input, and the modifiers.
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

  /// Encodes the combination as it was declared.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(input, forKey: .input)
    try container.encode(modifiers, forKey: .modifiers)
  }

  /// Decodes a combination.
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
  /// The bits.
  package let rawValue: UInt8

  /// The modifiers with these bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The names on the wire, in the order in which they are written.
  package enum Name: String, CaseIterable, Sendable {
    case command
    case shift
    case alternate
    case control
    case alphaShift
    case numericPad

    /// The modifier of this name.
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

  /// The modifiers of these names.
  package init(_ names: [Name]) { self.init(names.map(\.modifier)) }

  /// The names of the modifiers that are held.
  package var names: [Name] { Name.allCases.filter { contains($0.modifier) } }
}
