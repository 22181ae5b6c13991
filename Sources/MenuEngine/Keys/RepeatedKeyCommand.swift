import JSONText

/// A key command that repeats an earlier one of the same list (M1).
///
/// **Decision:** two key commands with different `when` rules do not repeat each other, since these
/// rules decide which of them applies (K5).
public struct RepeatedKeyCommand: Equatable, Sendable {
  /// The part of two key commands that is the same.
  public enum Sameness: Equatable, Sendable {
    /// All members.
    case identical
    /// The key, the action and the property list, but not all other members.
    case keyAndAction
    /// The key.
    case key
    /// The action and the property list.
    case action
  }

  /// The later one.
  public let keyCommand: KeyCommand
  /// The earlier one.
  public let other: KeyCommand
  /// The part in which they are the same.
  public let sameness: Sameness
}

extension RepeatedKeyCommand {
  /// Notes each key command of a list that repeats an earlier one, at its place.
  static func check(_ keyCommands: [KeyCommand], at pointer: JSONPointer, log: FaultLog) {
    var keys: [Key: Int] = [:]
    var actions: [Action: Int] = [:]
    for (index, keyCommand) in keyCommands.enumerated() {
      let (key, action) = (Key(keyCommand), Action(keyCommand))
      if let other = keys[key] ?? actions[action] {
        let sameness = sameness(of: keyCommand, and: keyCommands[other])
        let repeated = RepeatedKeyCommand(
          keyCommand: keyCommand, other: keyCommands[other], sameness: sameness)
        log.note(
          .repeatedKeyCommand(repeated, other: pointer.appending(other)),
          at: pointer.appending(index))
      }
      keys[key] = keys[key] ?? index
      actions[action] = actions[action] ?? index
    }
  }

  private static func sameness(of keyCommand: KeyCommand, and other: KeyCommand) -> Sameness {
    if keyCommand.json == other.json { return .identical }
    guard Key(keyCommand) == Key(other) else { return .action }
    return Action(keyCommand) == Action(other) ? .keyAndAction : .key
  }

  /// The key of a key command that is there under a rule.
  private struct Key: Hashable {
    let key: KeyCombination
    let when: JSON?

    init(_ keyCommand: KeyCommand) {
      key = keyCommand.key.normalized
      when = keyCommand.when?.json
    }
  }

  /// The action of a key command that is there under a rule, with its property list.
  private struct Action: Hashable {
    let identity: Command.Identity
    let when: JSON?

    init(_ keyCommand: KeyCommand) {
      identity = Command.Identity(
        action: keyCommand.action, propertyList: keyCommand.propertyList)
      when = keyCommand.when?.json
    }
  }
}
