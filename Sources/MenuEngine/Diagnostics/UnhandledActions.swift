/// The items that send no action, or one that nobody can handle, whatever has focus: no responder
/// has a handler for it or stands for one that has, and no coordinator that the session's search
/// finds.
///
/// A selector that a responder only forwards does not count, since no search finds it (R3).
public struct UnhandledActions: Equatable, Sendable {
  /// Commands, by their own action, those without one among them.
  public var commands: [CommandID] = []
  /// Commands as one of their alternates (M11).
  public var alternates: [Alternate] = []
  /// Key commands of responders, those of their classes included (K1).
  public var keyCommands: [Key] = []

  /// An alternate of a command.
  public struct Alternate: Equatable, Sendable {
    /// The command.
    public let command: CommandID
    /// The modifiers with which it is the alternate.
    public let modifiers: KeyModifiers
    /// The action that it sends then.
    public let action: Selector
  }

  /// A key command.
  public struct Key: Equatable, Sendable {
    /// The responder that has it.
    public let responder: ResponderID
    /// The key.
    public let key: KeyCombination
    /// The action that it sends.
    public let action: Selector
  }
}

extension Session {
  /// Returns the items that send no action, or one that is not among `handled`.
  func unhandledActions(besides handled: Set<Selector>, in catalog: Catalog) -> UnhandledActions {
    var unhandled = UnhandledActions()
    for command in catalog.commands {
      let isHandled = command.action.map(handled.contains) ?? false
      if !isHandled { unhandled.commands.append(command.id) }
      unhandled.alternates += command.alternates.filter { !handled.contains($0.action) }.map {
        UnhandledActions.Alternate(
          command: command.id, modifiers: $0.modifiers, action: $0.action)
      }
    }
    for responder in graph.responders {
      let keyCommands =
        responder.keyCommands + catalog.classes.keyCommands(of: responder.className)
      unhandled.keyCommands += keyCommands.filter { !handled.contains($0.action) }.map {
        UnhandledActions.Key(responder: responder.id, key: $0.key, action: $0.action)
      }
    }
    return unhandled
  }
}
