package import JSONText

/// A key command of a responder, active while the responder is on the chain (K1).
///
/// It determines the action of a key, not the target: that is found by a search from the first responder (K2).
package struct KeyCommand: Equatable, Sendable, Codable {
  package let key: KeySequence
  /// The selector it sends.
  package let action: Selector
  /// The title. The default is none.
  package private(set) var title: String?
  /// The title in a list of key commands.
  package private(set) var discoverabilityTitle: String?
  /// The property list, which handlers read as `sender.propertyList`.
  package let propertyList: JSON?
  /// True if it precedes all key commands without this flag (K1). The default is false.
  package let wantsPriorityOverSystemBehavior: Bool
  /// The rule that decides if the key command exists, evaluated at each press (K5). The default is true.
  package let when: Rule?
  /// The rule that decides if it can be performed, evaluated at each press (K5); if false, it is passed over
  /// (K3). By default its target decides.
  package let enabled: Rule?
}

extension KeyCommand {
  /// The key command as a command, for validation by its target (M5).
  var command: Command {
    Command(
      Command.Content(
        id: CommandID(unchecked: action.rawValue), title: title ?? "", subtitle: nil, image: nil,
        discoverabilityTitle: discoverabilityTitle, action: action, propertyList: propertyList,
        attributes: [], state: .off, key: CommandKey(key),
        wantsPriorityOverSystemBehavior: wantsPriorityOverSystemBehavior,
        allowsAutomaticLocalization: true, allowsAutomaticMirroring: true))
  }
}

extension KeyCommand {
  /// Returns the key command with its titles in the language of a catalogue, where their keys are the titles (M14).
  func localized(in catalog: Catalog) -> KeyCommand {
    guard catalog.localization != nil else { return self }
    var copy = self
    copy.title = title.map(catalog.translated)
    copy.discoverabilityTitle = discoverabilityTitle.map(catalog.translated)
    return copy
  }
}

extension Command {
  /// Returns the command with the explanation and confirmation of the catalogue's command of the same identity (M1),
  /// if there is one, so that its key requires the same confirmation (W4).
  func withWords(of catalog: Catalog) -> Command {
    guard let action else { return self }
    for position in catalog.commandIndex(whileHolding: []).senders(of: action)
    where catalog.commands[position].identity == identity {
      var copy = self
      copy.content.unavailable = catalog.commands[position].unavailable
      copy.content.confirmation = catalog.commands[position].confirmation
      return copy
    }
    return self
  }
}

extension KeyCommand {
  /// Reads an array of key commands; one that repeats another is a fault (M1).
  package static func list(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [KeyCommand]? {
    let keyCommands = Read.list(json, at: pointer, log: log, of: Self.init(reading:at:log:))
    if let keyCommands { RepeatedKeyCommand.check(keyCommands, at: pointer, log: log) }
    return keyCommands
  }

  /// Reads a key command: `{"input": "n", "action": "selectNext:"}`, or one with an array of `strokes` (K8).
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let key = KeySequence(&reader)
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

  /// The document; absent members are omitted.
  package var json: JSON {
    var object = JSONObject()
    if key.rest.isEmpty {
      object["input"] = .string(key.first.input)
      object["modifiers"] = key.first.modifiers.json
    } else {
      object["strokes"] = key.json
    }
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

/// A key command that repeats an earlier one of the same list (M1).
///
/// **Decision:** key commands with different `when` rules do not repeat each other, since these rules decide
/// which one applies (K5).
package struct RepeatedKeyCommand: Equatable, Sendable {
  /// The members that two key commands share.
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

  /// The later key command.
  package let keyCommand: KeyCommand
  /// The earlier key command.
  package let other: KeyCommand
  package let sameness: Sameness
}

extension RepeatedKeyCommand {
  /// Records each key command of a list that repeats an earlier one.
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

  /// The key and the `when` rule of a key command.
  private struct Key: Hashable {
    let key: KeySequence
    let when: JSON?

    init(_ keyCommand: KeyCommand) {
      key = keyCommand.key.normalized
      when = keyCommand.when?.json
    }
  }

  /// The action, property list and `when` rule of a key command.
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
