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
  /// What it is called. The default is nothing.
  public let title: String?
  /// What a list of key commands calls it.
  public let discoverabilityTitle: String?
  /// What handlers read their parameters from, as `sender.propertyList`.
  public let propertyList: JSON?
  /// Whether it comes before all key commands that do not want that (K1). The default is false.
  public let wantsPriorityOverSystemBehavior: Bool
  /// Whether there is such a key command now, evaluated at each press (K5). The default is yes.
  public let when: Rule?
  /// Whether it can be performed now, evaluated at each press (K5); when not, it is passed over
  /// (K3). The default is that its target decides.
  public let enabled: Rule?
}

extension KeyCommand {
  /// The key command as a command, for its target to validate (M5).
  var command: Command {
    Command(
      id: CommandID(unchecked: action.rawValue), title: title ?? "", subtitle: nil, image: nil,
      discoverabilityTitle: discoverabilityTitle, action: action, propertyList: propertyList,
      attributes: [], state: .off, key: key,
      wantsPriorityOverSystemBehavior: wantsPriorityOverSystemBehavior,
      allowsAutomaticLocalization: true, allowsAutomaticMirroring: true)
  }
}
