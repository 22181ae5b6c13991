import JSONText

/// A key and the modifiers held with it (M2).
public struct KeyCombination: Hashable, Sendable, Codable {
  /// One character, or a named key such as `UIKeyInputUpArrow`.
  public let input: String
  /// The modifiers held.
  public let modifiers: KeyModifiers
  /// The input as it is compared: letters without regard to case (K4).
  let folded: String

  /// The combination, or nil when `input` is neither one character nor the name of a key.
  public init?(input: String, modifiers: KeyModifiers) {
    let isNamed = Self.isNamed(input)
    guard isNamed || input.unicodeScalars.count == 1 else { return nil }
    self.input = input
    self.modifiers = modifiers
    folded = isNamed ? input : input.lowercased()
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

  private static func isNamed(_ input: String) -> Bool {
    namedInputs.contains(where: input.hasSameBytes(as:))
  }

  /// The names of the keys that are no characters, as UIKit names them.
  public static let namedInputs: [String] =
    [
      "UpArrow", "DownArrow", "LeftArrow", "RightArrow", "Escape", "PageUp", "PageDown", "Home",
      "End", "Delete",
    ].map { "UIKeyInput" + $0 } + (1...12).map { "UIKeyInputF\($0)" }
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
