import JSONText

/// The actions that are undone together (U2): the inverses of the changes, in the order of these.
public struct UndoGroup: Sendable, Codable {
  /// The name in "Undo X"; nil for none.
  public internal(set) var actionName: String?
  /// The key of later groups that join it if nothing comes between (U6); nil for none.
  var coalescingKey: String?
  /// The actions, the last one first.
  private(set) var actions: [UndoAction] = []
  private var sizeOfActions = 0

  init(named actionName: String? = nil) { self.actionName = actionName }

  /// The number of actions that were registered.
  public var actionCount: Int { actions.count }

  /// The size of the actions and the name, as `Limits.undoSize` counts it.
  var size: Int { sizeOfActions + (actionName?.utf8.count ?? 0) }

  /// True if nothing was registered.
  var isEmpty: Bool { actions.isEmpty }

  mutating func append(_ action: UndoAction, size: Int) {
    actions.append(action)
    sizeOfActions += size
  }

  /// Takes over what a group that was opened in this one registered; the name stays.
  mutating func append(_ group: UndoGroup) {
    actions += group.actions
    sizeOfActions += group.sizeOfActions
  }

  /// Takes over a later group of the same key. Of changes of one place, one after the other, one is left (U6).
  mutating func coalesce(_ group: UndoGroup) {
    actionName = group.actionName ?? actionName
    for action in group.actions {
      if case .edit(let new) = action, case .edit(let last)? = actions.last,
        let joined = new.joined(with: last)
      {
        sizeOfActions -= actions.removeLast().size
        append(.edit(joined), size: UndoAction.edit(joined).size)
      } else {
        append(action, size: action.size)
      }
    }
  }

  /// Leaves out what was recorded against a responder.
  mutating func removeActions(against id: ResponderID) {
    let removed = actions.filter { $0.target == id }
    guard !removed.isEmpty else { return }
    actions.removeAll { $0.target == id }
    sizeOfActions -= removed.reduce(0) { $0 + $1.size }
  }
}

extension UndoGroup {
  /// Returns the name of the group of a command (U2), as Cocoa names actions: without the ellipsis, which says
  /// that the command asks for something first. Nil for an empty name.
  ///
  /// A title that a rule composes tells of its moment, as in `Paste “Roses”`; then the name is that of the declaration:
  /// `Paste`. A title that the rule spells out, as in `on ? 'Hide' : 'Show'`, is a name.
  ///
  /// - Parameters:
  ///   - declared: The title that the command declares; nil without a command.
  ///   - isComposed: True if the title is neither declared nor spelled out in a rule.
  static func name(title: String, declared: String?, isComposed: Bool) -> String? {
    plainName(isComposed ? declared ?? title : title)
  }

  /// Returns a name without an ellipsis at its end; nil for an empty one.
  static func plainName(_ name: String) -> String? {
    let plain = withoutEllipsis(name) ?? name
    return plain.utf8.isEmpty ? nil : plain
  }

  /// Returns a text without the ellipsis at its end; nil if there is none.
  private static func withoutEllipsis(_ text: String) -> String? {
    let ellipsis = Array("…".utf8)
    var bytes = Array(text.utf8)[...]
    if bytes.suffix(ellipsis.count).elementsEqual(ellipsis) {
      bytes = bytes.dropLast(ellipsis.count)
    } else if bytes.suffix(3).elementsEqual("...".utf8) {
      bytes = bytes.dropLast(3)
    } else {
      return nil
    }
    while bytes.last == UInt8(ascii: " ") { bytes = bytes.dropLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// One thing to do when a group is undone.
enum UndoAction: Sendable, Codable {
  /// Changes the state back.
  case edit(JSONEdit)
  /// Sends a message that was recorded against its target (U3).
  case invocation(Invocation, target: ResponderID)

  /// The responder that it was recorded against; nil for a change of the state.
  var target: ResponderID? {
    switch self {
    case .edit: nil
    case .invocation(_, let target): target
    }
  }

  /// The size, counted no further than to see that it is too much for a group.
  var size: Int {
    switch self {
    case .edit(let edit): edit.size(upTo: Limits.undoSize)
    case .invocation(let invocation, target: _): invocation.json.size(upTo: Limits.undoSize)
    }
  }
}
