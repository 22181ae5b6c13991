public import JSONText

/// A command as an application declares it, once (M2).
public struct Command: Equatable, Sendable, Codable {
  /// Its name; the default is its selector (M1).
  public let id: CommandID
  /// What the item is called.
  public internal(set) var title: String
  /// A second line beside the title.
  public internal(set) var subtitle: String?
  /// The name of an image.
  public let image: String?
  /// What a list of key commands calls it.
  public internal(set) var discoverabilityTitle: String?
  /// What it does, for people and agents.
  public internal(set) var description: String?
  /// The message it sends; without one its item is always disabled (`noAction`).
  public internal(set) var action: Selector?
  /// What tells commands with one action apart, and what handlers read their parameters from; a
  /// document's null is none (M1).
  public let propertyList: JSON?
  /// The declared attributes. The default is none.
  public let attributes: CommandAttributes
  /// The declared check mark. The default is `off`.
  public let state: CommandState
  /// The key that triggers it.
  public internal(set) var key: KeyCombination?
  /// What it becomes while modifiers are held (M11). The default is nothing else.
  public internal(set) var alternates: [CommandAlternate] = []
  /// Which of its alternates this is; nil for the command as declared (M11).
  public internal(set) var alternate: CommandAlternate?
  /// Whether it comes before what the system does with its key (K1). The default is false.
  public let wantsPriorityOverSystemBehavior: Bool
  /// Whether its key may be moved for other keyboard layouts. The default is true.
  public let allowsAutomaticLocalization: Bool
  /// Whether its key may be mirrored for right-to-left layouts. The default is true; it is always
  /// false when `allowsAutomaticLocalization` is.
  public let allowsAutomaticMirroring: Bool
}

extension Command {
  /// What a command is told apart by: action and property list (M1).
  struct Identity: Hashable {
    let action: Selector
    let propertyList: JSON?
  }

  /// Its identity, which a command without action does not have.
  var identity: Identity? {
    action.map { Identity(action: $0, propertyList: propertyList) }
  }
}
