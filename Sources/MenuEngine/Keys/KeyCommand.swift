package import JSONText

/// A key that a responder listens to while it is on the chain (K1).
///
/// It says which action the key means, not who performs it: that is searched anew, from the first
/// responder on (K2).
public struct KeyCommand: Equatable, Sendable, Codable {
  /// The key.
  package let key: KeyCombination
  /// The message it sends.
  package let action: Selector
  /// The title. The default is none.
  package let title: String?
  /// The title in a list of key commands.
  package let discoverabilityTitle: String?
  /// The parameters that handlers read as `sender.propertyList`.
  package let propertyList: JSON?
  /// True if it comes before all key commands that do not want that (K1). The default is false.
  package let wantsPriorityOverSystemBehavior: Bool
  /// The rule that decides if there is such a key command now, asked at each press (K5). The
  /// default is true.
  package let when: Rule?
  /// The rule that decides if it can be performed now, asked at each press (K5); when not, it is
  /// passed over (K3). The default is that its target decides.
  package let enabled: Rule?
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

extension KeyCommand {
  /// The key commands that an array describes, or nil and the faults. One that repeats another of them
  /// is refused (M1).
  package static func list(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [KeyCommand]? {
    let keyCommands = Read.list(json, at: pointer, log: log, of: Self.init(reading:at:log:))
    if let keyCommands { RepeatedKeyCommand.check(keyCommands, at: pointer, log: log) }
    return keyCommands
  }

  /// The key command that a document describes: `{"input": "n", "action": "selectNext:"}`.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let key = KeyCombination(&reader)
    let action = reader.required("action", Read.selector)
    title = reader.member("title", Read.string)
    discoverabilityTitle = reader.member("discoverabilityTitle", Read.string)
    propertyList = reader.propertyList()
    wantsPriorityOverSystemBehavior =
      reader.member("wantsPriorityOverSystemBehavior", Read.bool) ?? false
    when = reader.member("when", Read.boolRule)
    enabled = reader.member("enabled", Read.boolRule)
    reader.finish()
    guard let key, let action else { return nil }
    self.key = key
    self.action = action
  }

  /// The key command as a document; absent members are left out.
  package var json: JSON {
    var object = JSONObject()
    object["input"] = .string(key.input)
    object["modifiers"] = key.modifiers.json
    object["action"] = .string(action.rawValue)
    object["title"] = title.map(JSON.string)
    object["discoverabilityTitle"] = discoverabilityTitle.map(JSON.string)
    object["propertyList"] = propertyList
    object["wantsPriorityOverSystemBehavior"] = .bool(wantsPriorityOverSystemBehavior)
    object["when"] = when?.json
    object["enabled"] = enabled?.json
    return .object(object)
  }
}

extension KeyCombination {
  /// True if pressing `pressed` is pressing this one, as it is declared (K4).
  ///
  /// The case of a letter says nothing: that a letter is large is what shift means, and shift is
  /// compared as a modifier. So `a` and `A` are one key, with shift and without.
  package func matches(_ pressed: KeyCombination) -> Bool {
    modifiers.match(pressed.modifiers) && folded.hasSameBytes(as: pressed.folded)
  }

  /// The key with those of its modifiers that must be equal.
  var decisive: KeyCombination { normalized.keeping(KeyModifiers.decisive) }
}

extension KeyModifiers {
  /// The modifiers that must be equal: command, shift, alternate and control.
  static let decisive = KeyModifiers([.command, .shift, .alternate, .control])

  /// True if holding `held` is holding these, as they are declared (K4): caps lock and the numeric
  /// pad must be held where the declaration names them, and may be where it does not.
  func match(_ held: KeyModifiers) -> Bool {
    intersection(.decisive) == held.intersection(.decisive) && isSubset(of: held)
  }

  /// The sets of modifiers that need not be equal, smaller ones first.
  static let indecisive: [KeyModifiers] = [
    [], KeyModifiers([.alphaShift]), KeyModifiers([.numericPad]),
    KeyModifiers([.alphaShift, .numericPad]),
  ]
}

/// A key command that repeats an earlier one of the same list (M1).
///
/// **Decision:** two key commands with different `when` rules do not repeat each other, since these
/// rules decide which of them applies (K5).
package struct RepeatedKeyCommand: Equatable, Sendable {
  /// The part of two key commands that is the same.
  package enum Sameness: Equatable, Sendable {
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
  package let keyCommand: KeyCommand
  /// The earlier one.
  package let other: KeyCommand
  /// The part in which they are the same.
  package let sameness: Sameness
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
