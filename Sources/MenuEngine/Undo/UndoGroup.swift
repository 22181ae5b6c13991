import JSONText

/// The actions that are undone together (U2): the inverses of the changes, in the order of these.
///
/// Copies share them, so that copying and comparing a stack takes one reference for each group.
package struct UndoGroup: Sendable {
  private var contents: Shared<Contents>

  private struct Contents: Sendable, Codable {
    var actionName: String?
    var coalescingKey: String?
    var actions: [UndoAction] = []
    var sizeOfActions = 0
  }

  init(named actionName: String? = nil) { contents = Shared(Contents(actionName: actionName)) }

  /// The name in "Undo X"; nil for none.
  package internal(set) var actionName: String? {
    get { contents.value.actionName }
    set { contents.value.actionName = newValue }
  }

  /// The key of later groups that join it if nothing comes between (U6); nil for none.
  var coalescingKey: String? {
    get { contents.value.coalescingKey }
    set { contents.value.coalescingKey = newValue }
  }

  /// The actions in the order in which they were registered; undoing begins with the last one.
  private(set) var actions: [UndoAction] {
    _read { yield contents.value.actions }
    _modify { yield &contents.value.actions }
  }

  private var sizeOfActions: Int {
    get { contents.value.sizeOfActions }
    set { contents.value.sizeOfActions = newValue }
  }

  /// The number of actions that were registered.
  package var actionCount: Int { actions.count }

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

/// A group is stored as its contents are.
extension UndoGroup: Codable {
  package init(from decoder: any Decoder) throws { contents = try Shared(from: decoder) }

  package func encode(to encoder: any Encoder) throws { try contents.encode(to: encoder) }

  /// True if both are copies of one group, and neither was changed since. A no says nothing.
  func isIdentical(to other: UndoGroup) -> Bool { contents.isIdentical(to: other.contents) }
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

/// The places that undoing leaves as they are, since something unregistered has changed them (U4).
struct KeptPlaces {
  /// The places in the order in which they were met, each once; no more than `Limits.keptPlaces`.
  private(set) var listed: [JSONPointer] = []
  private var reaches: Set<JSONPointer> = []
  /// The places that lead to these.
  private var ways: Set<JSONPointer> = []

  /// Notes an edit that is not made.
  mutating func note(_ edit: JSONEdit) {
    list(edit.place)
    guard reaches.insert(edit.reach).inserted else { return }
    let tokens = edit.reach.tokens
    for count in tokens.indices { ways.insert(JSONPointer(Array(tokens[..<count]))) }
  }

  /// Lists a place, without any effect on others.
  mutating func list(_ place: JSONPointer) {
    guard listed.count < Limits.keptPlaces, !listed.contains(place) else { return }
    listed.append(place)
  }

  /// True if a place is one of them, below one, or above one.
  func overlap(_ place: JSONPointer) -> Bool {
    guard !reaches.isEmpty else { return false }
    if ways.contains(place) { return true }
    return (0...place.tokens.count).contains { count in
      reaches.contains(JSONPointer(Array(place.tokens[..<count])))
    }
  }
}

/// One mutation, as far as undoing it is concerned: what it does is one group of each undo manager that
/// it reaches (U2).
struct UndoEvent: Sendable, Codable {
  /// The name of groups that begin by themselves.
  var actionName: String?
  /// The title of the item that is performed; nil for none.
  var title: String?
  /// The key of groups that such a group joins (U6); nil for none.
  var coalescingKey: String?
  /// The owner of the undo manager that registers what view controllers do in lifecycle messages;
  /// nil for the session's.
  ///
  /// **Decision:** it is the manager of the responder that received the command, or of the one
  /// where searches begin when none did. View controllers that come or go are not on a chain, and
  /// their own manager may go with them.
  var owner: ResponderID?
  /// True if somebody received something, whose manager `owner` is.
  var isReceived = false
  /// True if what happens is registered: nothing that a launch does is.
  var isRegistered = true
}

extension Session {
  /// Begins a mutation.
  ///
  /// - Parameter isSent: True if it sends something, so that who receives that is known only then.
  mutating func beginUndoEvent(isSent: Bool) {
    undo.event = UndoEvent()
    undo.isUnderway = true
    let origin = instances.isEmpty ? nil : undoOrigin
    undo.event.owner = origin.flatMap { undoManagerOwner(for: $0) }
    undo.event.isReceived = !isSent
  }
}

extension Performer {
  /// Lets the undo manager of a responder register what the mutation does to view controllers.
  mutating func beginUndo(from origin: ResponderID?) {
    session.undo.event.owner = origin.flatMap { session.undoManagerOwner(for: $0) }
  }
}

extension Performer {
  /// Notes the receiver of the mutation's message, unless there is one already, or the message is
  /// only about a lifecycle.
  mutating func noteReceiver(_ id: ResponderID) {
    guard phase == .acting(depth: 0), !session.undo.event.isReceived else { return }
    session.undo.event.isReceived = true
    session.undo.event.owner = session.undoManagerOwner(for: id)
  }

  /// Returns the owner of the undo manager that registers the changes by a responder's handler.
  func undoManagerOwner(for id: ResponderID) -> ResponderID? {
    phase.isTelling ? session.undo.event.owner : session.undoManagerOwner(for: id)
  }
}
