/// The form of a command while modifiers are held (M11): another title and another action.
///
/// Everything else, image, attributes, state and property list, is as the command declares it.
public struct CommandAlternate: Equatable, Sendable, Codable {
  /// The modifiers that are held, at least one.
  public let modifiers: KeyModifiers
  /// The title of the item.
  public let title: String
  /// A second line. The default is none, whatever the command has.
  public let subtitle: String?
  /// The title in a list of key commands. The default is none, whatever the command has.
  public let discoverabilityTitle: String?
  /// The message it sends.
  public let action: Selector
}

extension Command {
  /// The command as it is while these modifiers are held (M11): its alternate for exactly these,
  /// else itself. Caps lock and the numeric pad are disregarded as in K4.
  public func whileHolding(_ modifiers: KeyModifiers) -> Command {
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
