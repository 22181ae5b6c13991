package import JSONText

/// The form of a command for held modifiers (M11): another title and another action.
///
/// Image, attributes, state and property list are those of the command.
package struct CommandAlternate: Equatable, Sendable, Codable {
  /// The held modifiers, at least one.
  package let modifiers: KeyModifiers
  package internal(set) var title: String
  /// The subtitle. The default is none, whatever the command has.
  package internal(set) var subtitle: String?
  /// The title in a list of key commands. The default is none, whatever the command has.
  package internal(set) var discoverabilityTitle: String?
  /// The explanation if no responder handles it (W2). The default is none, whatever the command has.
  package internal(set) var unavailable: String?
  /// The question to ask before it is performed (W4). The default is none, whatever the command has.
  package internal(set) var confirmation: Confirmation?
  /// The selector it sends.
  package let action: Selector
}

extension Command {
  /// Returns the command for held modifiers (M11): its alternate for exactly these, else itself. Caps lock and
  /// the numeric pad are ignored as in K4.
  package func whileHolding(_ modifiers: KeyModifiers) -> Command {
    alternate(whileHolding: modifiers).map(becoming) ?? self
  }

  /// Returns the action sent with held modifiers (M11).
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

  /// Returns the command as one of its alternates. The key has the alternate's modifiers added.
  func becoming(_ alternate: CommandAlternate) -> Command {
    var copy = self
    copy.content.title = alternate.title
    copy.content.subtitle = alternate.subtitle
    copy.content.discoverabilityTitle = alternate.discoverabilityTitle
    copy.content.unavailable = alternate.unavailable
    copy.content.confirmation = alternate.confirmation
    copy.content.action = alternate.action
    copy.content.key = key?.adding(alternate.modifiers)
    copy.content.alternates = []
    copy.content.alternate = alternate
    return copy
  }
}

extension CommandAlternate {
  /// Reads an array of alternates; two for the same modifiers are a fault.
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
    unavailable = reader.member("unavailable", Read.string)
    confirmation = reader.member("confirmation", Confirmation.init(reading:at:log:))
    reader.finish()
    if modifiers == [] {
      log.note(.expected(.modifiers, found: .array([])), at: reader.place(of: "modifiers"))
    }
    guard let modifiers, let title, let action else { return nil }
    self.modifiers = modifiers
    self.title = title
    self.action = action
  }

  package var json: JSON {
    var object = JSONObject()
    object["modifiers"] = modifiers.json
    object["title"] = .string(title)
    object["subtitle"] = subtitle.map(JSON.string)
    object["discoverabilityTitle"] = discoverabilityTitle.map(JSON.string)
    object["unavailable"] = unavailable.map(JSON.string)
    object["confirmation"] = confirmation?.json
    object["action"] = .string(action.rawValue)
    return .object(object)
  }
}

/// Attributes of a command's item: how it is shown, and whether it can be chosen (M2). They are those of
/// `UIMenuElement.Attributes`.
public struct CommandAttributes: OptionSet, Hashable, Sendable, Codable {
  /// The bits.
  public let rawValue: UInt8

  /// Creates the attributes with these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The item is shown but cannot be chosen, and its key does nothing.
  public static let disabled = CommandAttributes(rawValue: 1)
  /// The item is marked as one that destroys something.
  public static let destructive = CommandAttributes(rawValue: 2)
  /// The item is not shown; its key still works (M6).
  public static let hidden = CommandAttributes(rawValue: 4)
  /// The menu stays open when the item is chosen.
  public static let keepsMenuPresented = CommandAttributes(rawValue: 8)

  /// The names in documents, in the order written.
  package enum Name: String, CaseIterable, Sendable {
    case disabled
    case destructive
    case hidden
    case keepsMenuPresented

    package var attribute: CommandAttributes {
      switch self {
      case .disabled: .disabled
      case .destructive: .destructive
      case .hidden: .hidden
      case .keepsMenuPresented: .keepsMenuPresented
      }
    }
  }

  package var names: [Name] { Name.allCases.filter { contains($0.attribute) } }

  mutating func set(_ attribute: CommandAttributes, to isSet: Bool) {
    if isSet { insert(attribute) } else { remove(attribute) }
  }
}
