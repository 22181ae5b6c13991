/// A command as it is now (M5).
public struct ValidatedItem: Equatable, Sendable {
  /// The command, or the name that was asked for when there is none.
  public let command: CommandID
  /// The alternate that the item is, with the modifiers held (M11).
  public internal(set) var alternate: CommandAlternate?
  /// The title of the item.
  public internal(set) var title: String
  /// A second line.
  public internal(set) var subtitle: String?
  /// The name of an image.
  public internal(set) var image: String?
  /// The title in a list of key commands.
  public internal(set) var discoverabilityTitle: String?
  /// The key that triggers it, which may differ by platform (M2).
  public let key: CommandKey?
  /// True if it cannot be performed without parameters (M2).
  public let needsParameters: Bool
  /// True if it has a check mark at some time: its declaration or its rules give it a state, or it stands in a menu
  /// with `singleSelection` (M2).
  public internal(set) var isCheckable = false
  /// True if it can be performed (M6).
  public internal(set) var isEnabled = false
  /// The check mark.
  public internal(set) var state: CommandState
  /// The attributes after validation.
  public internal(set) var attributes: CommandAttributes
  /// The receiver of the action.
  public internal(set) var target: Receiver?
  /// The responder that the target stands for, when that is a proxy (L11).
  public internal(set) var proxied: ResponderID?
  /// The reason why the item is as it is (M10).
  public internal(set) var reason: ValidationReason
  /// The rule that failed, when the reason is `ruleError`.
  public internal(set) var fault: RuleFault?
  /// True if a menu took its check mark away, since an earlier item of the menu has one (M9).
  public internal(set) var lostSingleSelection = false
  /// The item as it would be with the modifiers of each of its alternates held (M11), in the order of
  /// their declaration; only of an item in a menu that is no alternate itself.
  public internal(set) var alternates: [ValidatedItem] = []
  /// The trace, when that was wanted.
  public internal(set) var trace = Trace(isRecording: false)
}

extension ValidatedItem {
  /// The item as declared, not yet asked about.
  ///
  /// - Parameter isSelectable: True if it stands in a menu with `singleSelection`.
  init(declaredBy command: Command, isSelectable: Bool = false) {
    self.init(
      command: command.id, alternate: command.alternate, title: command.title,
      subtitle: command.subtitle,
      image: command.image, discoverabilityTitle: command.discoverabilityTitle,
      key: command.key, needsParameters: command.needsParameters,
      isCheckable: command.state != .off || isSelectable, state: command.state,
      attributes: command.attributes, reason: .noTarget)
  }

  /// The item for a name that no command has.
  init(unknown id: CommandID) {
    self.init(
      command: id, title: "", key: nil, needsParameters: false, state: .off, attributes: [],
      reason: .unknownCommand)
  }
}

/// A reason why an item is enabled or not (M10).
public enum ValidationReason: String, CaseIterable, Sendable {
  /// It can be performed.
  case enabled
  /// Nobody on the chain can perform its action.
  case noTarget
  /// It has no action, or its sender carries none to a forwarder (F6).
  case noAction
  /// Its target's rule says no.
  case ruleFalse
  /// A rule failed.
  case ruleError
  /// It is declared disabled, and its target does not say otherwise.
  case declaredDisabled
  /// The chain leads back into itself (R9).
  case cycle
  /// The catalogue has no such command.
  case unknownCommand
  /// The message arrived, but the coordinator has no handler for the sender's action (F6).
  case noHandler
  /// The message was recorded for when it is undone, and not run (U3).
  case recorded
  /// The message arrived at a proxy, but the responder that it stood for is gone (L10).
  case proxiedGone
  /// No command and no key command matches a pressed key (K3).
  case noMatch
}
