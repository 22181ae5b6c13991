import JSONText

/// Somebody's declaration that a key is theirs.
public struct KeyClaim: Equatable, Sendable {
  /// The holder of a claim.
  public enum Holder: Hashable, Sendable {
    /// A responder, by itself or by its class.
    case responder(ResponderID)
    /// All responders of a class, in what is asked of the catalogue alone.
    case instances(of: ClassName)
    /// A command of the catalogue.
    case command(CommandID)
  }

  /// The declaration of a claim.
  enum Declaration: Equatable, Sendable {
    case keyCommand(KeyCommand, index: Int)
    case command(Command)
  }

  /// The holder.
  public let holder: Holder
  /// The platform that the key is for; nil for all (M2).
  public let platform: KeyPlatform?
  let declaration: Declaration

  init(holder: Holder, on platform: KeyPlatform? = nil, declaration: Declaration) {
    self.holder = holder
    self.platform = platform
    self.declaration = declaration
  }
}

extension KeyClaim {
  /// The key as it is declared.
  public var key: KeyCombination? {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.key
    case .command(let command): command.key?[platform ?? .apple]
    }
  }

  /// The action that the key means.
  public var action: Selector? {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.action
    case .command(let command): command.action
    }
  }

  /// The title.
  public var title: String? {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.title
    case .command(let command): command.title
    }
  }

  /// The alternate of a command (M11); nil for none.
  public var alternate: CommandAlternate? {
    switch declaration {
    case .keyCommand: nil
    case .command(let command): command.alternate
    }
  }

  /// True if it comes before those without priority (K1).
  public var hasPriority: Bool {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.wantsPriorityOverSystemBehavior
    case .command(let command): command.wantsPriorityOverSystemBehavior
    }
  }

  /// True if a rule decides if it is there (K5).
  public var isConditional: Bool {
    switch declaration {
    case .keyCommand(let keyCommand, _): keyCommand.when != nil
    case .command: false
    }
  }

  /// True if it matches a key that is pressed on a platform (K4).
  func matches(_ pressed: KeyCombination, on platform: KeyPlatform) -> Bool {
    (self.platform ?? platform) == platform && key?.matches(pressed) == true
  }
}

extension KeyClaim {
  /// Returns the sender of its action: kind `key`, the key as declared, and for a key command of a
  /// responder its action and property list, and its declarer.
  func description(besides given: SenderDescription?) -> SenderDescription {
    var members = given?.members ?? JSONObject()
    members["kind"] = "key"
    members["input"] = key.map { .string($0.input) }
    members["modifiers"] = key?.modifiers.json
    switch declaration {
    case .command: break
    case .keyCommand(let keyCommand, _):
      members["action"] = .string(keyCommand.action.rawValue)
      members["title"] = keyCommand.title.map(JSON.string)
      members["propertyList"] = keyCommand.propertyList
      members["declaredBy"] = declarer.map { .string($0.rawValue) }
    }
    return SenderDescription(responder: given?.responder, members: members)
  }

  /// The sender of its action.
  func sender(besides given: SenderDescription?) -> Sender {
    let description = description(besides: given)
    switch declaration {
    case .command(let command): return Sender(command: command, description: description)
    case .keyCommand: return Sender(command: nil, description: description)
    }
  }

  /// The responder that declares it.
  var declarer: ResponderID? {
    switch holder {
    case .responder(let id): id
    case .instances, .command: nil
    }
  }
}
