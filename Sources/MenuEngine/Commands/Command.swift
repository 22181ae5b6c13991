public import JSONSchema
public import JSONText

/// A command as an application declares it, once (M2).
public struct Command: Equatable, Sendable, Codable {
  /// Its name; the default is its selector (M1).
  public let id: CommandID
  /// The title of the item.
  public internal(set) var title: String
  /// A second line beside the title.
  public internal(set) var subtitle: String?
  /// The name of an image.
  public let image: String?
  /// The title in a list of key commands.
  public internal(set) var discoverabilityTitle: String?
  /// The description, for people and agents.
  public internal(set) var description: String?
  /// The message it sends; without one its item is always disabled (`noAction`).
  public internal(set) var action: Selector?
  /// The property list, which tells commands with one action apart, and from which handlers read
  /// their parameters; a document's null is none (M1).
  public let propertyList: JSON?
  /// The schema of the parameters that it is performed with (P1); nil for one that takes none.
  public internal(set) var parameters: Schema?
  /// The hints for agents beside its description; nil if none are declared.
  public internal(set) var hints: CommandHints?
  /// The declared attributes. The default is none.
  public let attributes: CommandAttributes
  /// The declared check mark. The default is `off`.
  public let state: CommandState
  /// The key that triggers it, which may differ by platform.
  public internal(set) var key: CommandKey?
  /// The forms of the item while modifiers are held (M11). The default is none.
  public internal(set) var alternates: [CommandAlternate] = []
  /// The alternate that this is; nil for the command as declared (M11).
  public internal(set) var alternate: CommandAlternate?
  /// True if it comes before what the system does with its key (K1). The default is false.
  public let wantsPriorityOverSystemBehavior: Bool
  /// True if its key may be moved for other keyboard layouts. The default is true.
  public let allowsAutomaticLocalization: Bool
  /// True if its key may be mirrored for right-to-left layouts. The default is true; it is always
  /// false when `allowsAutomaticLocalization` is.
  public let allowsAutomaticMirroring: Bool
}

extension Command {
  /// The identity of a command: its action and property list (M1).
  struct Identity: Hashable {
    let action: Selector
    let propertyList: JSON?
  }

  /// Its identity, which a command without action does not have.
  var identity: Identity? {
    action.map { Identity(action: $0, propertyList: propertyList) }
  }
}
