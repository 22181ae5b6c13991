/// Attributes of a command's item: how it is shown, and whether it can be chosen (M2).
public struct CommandAttributes: OptionSet, Hashable, Sendable, Codable {
  /// The bits.
  public let rawValue: UInt8

  /// The attributes with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The item is shown but cannot be chosen, and its key does nothing.
  public static let disabled = CommandAttributes(rawValue: 1)
  /// The item is marked as one that destroys something.
  public static let destructive = CommandAttributes(rawValue: 2)
  /// The item is not shown; its key still works (M6).
  public static let hidden = CommandAttributes(rawValue: 4)
  /// The menu stays open when the item is chosen.
  public static let keepsMenuPresented = CommandAttributes(rawValue: 8)

  /// The names on the wire, in the order in which they are written.
  public enum Name: String, CaseIterable, Sendable {
    case disabled
    case destructive
    case hidden
    case keepsMenuPresented

    /// The attribute of this name.
    public var attribute: CommandAttributes {
      switch self {
      case .disabled: .disabled
      case .destructive: .destructive
      case .hidden: .hidden
      case .keepsMenuPresented: .keepsMenuPresented
      }
    }
  }

  /// The names of the attributes that are set.
  public var names: [Name] { Name.allCases.filter { contains($0.attribute) } }

  /// Sets or clears one attribute.
  mutating func set(_ attribute: CommandAttributes, to isSet: Bool) {
    if isSet { insert(attribute) } else { remove(attribute) }
  }
}
