package import JSONText

/// The form of a command while modifiers are held (M11): another title and another action.
///
/// Everything else, image, attributes, state and property list, is as the command declares it.
package struct CommandAlternate: Equatable, Sendable, Codable {
  /// The modifiers that are held, at least one.
  package let modifiers: KeyModifiers
  /// The title of the item.
  package let title: String
  /// A second line. The default is none, whatever the command has.
  package let subtitle: String?
  /// The title in a list of key commands. The default is none, whatever the command has.
  package let discoverabilityTitle: String?
  /// The message it sends.
  package let action: Selector
}

extension Command {
  /// The command as it is while these modifiers are held (M11): its alternate for exactly these,
  /// else itself. Caps lock and the numeric pad are disregarded as in K4.
  package func whileHolding(_ modifiers: KeyModifiers) -> Command {
    alternate(whileHolding: modifiers).map(becoming) ?? self
  }

  /// Returns the action that is sent while these modifiers are held (M11).
  func action(whileHolding modifiers: KeyModifiers) -> Selector? {
    alternate(whileHolding: modifiers)?.action ?? action
  }

  /// True if it has an alternate for these modifiers.
  func changes(whileHolding modifiers: KeyModifiers) -> Bool {
    alternate(whileHolding: modifiers) != nil
  }

  private func alternate(whileHolding modifiers: KeyModifiers) -> CommandAlternate? {
    guard !modifiers.isEmpty, !alternates.isEmpty else { return nil }
    return alternates.first { $0.modifiers == modifiers }
      ?? alternates.first { $0.modifiers.match(modifiers) }
  }

  /// The command as one of its alternates. Its key is that of the command with the alternate's
  /// modifiers held too.
  func becoming(_ alternate: CommandAlternate) -> Command {
    var copy = self
    copy.title = alternate.title
    copy.subtitle = alternate.subtitle
    copy.discoverabilityTitle = alternate.discoverabilityTitle
    copy.action = alternate.action
    copy.key = key?.adding(alternate.modifiers)
    copy.alternates = []
    copy.alternate = alternate
    return copy
  }
}

extension CommandAlternate {
  /// The alternates that an array describes; two for the same modifiers are refused.
  static func list(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [CommandAlternate]? {
    guard let alternates = Read.list(json, at: pointer, log: log, of: Self.init(reading:at:log:))
    else {
      return nil
    }
    var places: [KeyModifiers: JSONPointer] = [:]
    for (index, alternate) in alternates.enumerated() {
      let place = pointer.appending(index)
      if let other = places[alternate.modifiers] {
        log.note(
          .repeatedModifiers(alternate.modifiers, other: other), at: place.appending("modifiers"))
      }
      places[alternate.modifiers] = places[alternate.modifiers] ?? place
    }
    return alternates
  }

  private init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let modifiers = reader.required("modifiers", Read.modifiers)
    let title = reader.required("title", Read.string)
    let action = reader.required("action", Read.selector)
    subtitle = reader.member("subtitle", Read.string)
    discoverabilityTitle = reader.member("discoverabilityTitle", Read.string)
    reader.finish()
    if modifiers == [] {
      log.note(.expected(.modifiers, found: .array([])), at: reader.place(of: "modifiers"))
    }
    guard let modifiers, let title, let action else { return nil }
    self.modifiers = modifiers
    self.title = title
    self.action = action
  }

  /// The alternate as a document.
  package var json: JSON {
    var object = JSONObject()
    object["modifiers"] = modifiers.json
    object["title"] = .string(title)
    object["subtitle"] = subtitle.map(JSON.string)
    object["discoverabilityTitle"] = discoverabilityTitle.map(JSON.string)
    object["action"] = .string(action.rawValue)
    return .object(object)
  }
}

/// Attributes of a command's item: how it is shown, and whether it can be chosen (M2). They are those of
/// `UIMenuElement.Attributes`.
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
  package enum Name: String, CaseIterable, Sendable {
    case disabled
    case destructive
    case hidden
    case keepsMenuPresented

    /// The attribute of this name.
    package var attribute: CommandAttributes {
      switch self {
      case .disabled: .disabled
      case .destructive: .destructive
      case .hidden: .hidden
      case .keepsMenuPresented: .keepsMenuPresented
      }
    }
  }

  /// The names of the attributes that are set.
  package var names: [Name] { Name.allCases.filter { contains($0.attribute) } }

  /// Sets or clears one attribute.
  mutating func set(_ attribute: CommandAttributes, to isSet: Bool) {
    if isSet { insert(attribute) } else { remove(attribute) }
  }
}
