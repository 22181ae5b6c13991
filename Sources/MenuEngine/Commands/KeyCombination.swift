import JSONText

/// A key and the modifiers held with it (M2). Canonically equivalent inputs are the same key.
public struct KeyCombination: Sendable {
  /// One grapheme cluster, or a named key such as `UIKeyInputUpArrow`.
  public let input: String
  /// The modifiers held.
  public let modifiers: KeyModifiers
  /// The input as it is compared.
  let folded: String

  /// The combination, or nil when `input` is neither one grapheme cluster nor the name of a key.
  public init?(input: String, modifiers: KeyModifiers) {
    guard let folded = KeyInput.folded(input) else { return nil }
    self.init(unchecked: input, folded, modifiers)
  }

  /// The combination as it is told apart from others: letters without regard to case (K4).
  public var normalized: KeyCombination {
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

  /// The names of the keys that are no characters, as UIKit names them.
  public static let namedInputs = KeyInput.named
}

extension KeyCombination: Hashable {
  /// True if both are written with the same bytes and held with the same modifiers.
  public static func == (left: KeyCombination, right: KeyCombination) -> Bool {
    left.modifiers == right.modifiers && left.input.hasSameBytes(as: right.input)
  }

  /// Hashes the bytes of the input, and the modifiers.
  public func hash(into hasher: inout Hasher) {
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
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(input, forKey: .input)
    try container.encode(modifiers, forKey: .modifiers)
  }

  /// Decodes a combination.
  public init(from decoder: any Decoder) throws {
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
public struct KeyModifiers: OptionSet, Hashable, Sendable, Codable {
  /// The bits.
  public let rawValue: UInt8

  /// The modifiers with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The names on the wire, in the order in which they are written.
  public enum Name: String, CaseIterable, Sendable {
    case command
    case shift
    case alternate
    case control
    case alphaShift
    case numericPad

    /// The modifier of this name.
    public var modifier: KeyModifiers {
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
  public init(_ names: [Name]) { self.init(names.map(\.modifier)) }

  /// The names of the modifiers that are held.
  public var names: [Name] { Name.allCases.filter { contains($0.modifier) } }
}
