public import JSONText

/// A key that a responder listens to while it is on the chain (K1).
///
/// It says which action the key means, not who performs it: that is searched anew, from the first
/// responder on (K2).
public struct KeyCommand: Equatable, Sendable, Codable {
  /// The key.
  public let key: KeyCombination
  /// The message it sends.
  public let action: Selector
  /// The title. The default is none.
  public let title: String?
  /// The title in a list of key commands.
  public let discoverabilityTitle: String?
  /// The parameters that handlers read as `sender.propertyList`.
  public let propertyList: JSON?
  /// True if it comes before all key commands that do not want that (K1). The default is false.
  public let wantsPriorityOverSystemBehavior: Bool
  /// The rule that decides if there is such a key command now, asked at each press (K5). The
  /// default is true.
  public let when: Rule?
  /// The rule that decides if it can be performed now, asked at each press (K5); when not, it is
  /// passed over (K3). The default is that its target decides.
  public let enabled: Rule?
}

extension KeyCommand {
  /// The key command as a command, for its target to validate (M5).
  var command: Command {
    Command(
      id: CommandID(unchecked: action.rawValue), title: title ?? "", subtitle: nil, image: nil,
      discoverabilityTitle: discoverabilityTitle, action: action, propertyList: propertyList,
      attributes: [], state: .off, key: CommandKey(key),
      wantsPriorityOverSystemBehavior: wantsPriorityOverSystemBehavior,
      allowsAutomaticLocalization: true, allowsAutomaticMirroring: true)
  }
}
