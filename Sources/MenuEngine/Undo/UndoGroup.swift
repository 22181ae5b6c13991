import JSONText

/// The actions that are undone together (U2): the inverses of changes, in the order of the changes.
///
/// Copies share them, so that copying and comparing a stack takes one reference per group.
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

  package var actionCount: Int { actions.count }

  /// The size of the actions and the name, as `Limits.undoSize` counts it.
  var size: Int { sizeOfActions + (actionName?.utf8.count ?? 0) }

  var isEmpty: Bool { actions.isEmpty }

  mutating func append(_ action: UndoAction, size: Int) {
    actions.append(action)
    sizeOfActions += size
  }

  /// Appends the actions of a nested group; the name stays.
  mutating func append(_ group: UndoGroup) {
    actions += group.actions
    sizeOfActions += group.sizeOfActions
  }

  /// Coalesces a later group with the same key. Consecutive changes of one place become one change (U6), or none if
  /// the value is restored.
  mutating func coalesce(_ group: UndoGroup) {
    actionName = group.actionName ?? actionName
    for action in group.actions {
      guard case .edit(let new) = action, case .edit(let last)? = actions.last else {
        append(action, size: action.size)
        continue
      }
      // The new action is undone first.
      if last.reverts(new) {
        sizeOfActions -= actions.removeLast().size
      } else if let joined = new.joined(with: last) {
        sizeOfActions -= actions.removeLast().size
        append(.edit(joined), size: UndoAction.edit(joined).size)
      } else {
        append(action, size: action.size)
      }
    }
  }

  /// Removes the actions recorded for a responder.
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

  /// True if both are copies of one value without later changes. False means unknown.
  func isIdentical(to other: UndoGroup) -> Bool { contents.isIdentical(to: other.contents) }
}

extension UndoGroup {
  /// Returns the action name of a command's group (U2), without the ellipsis that announces a dialog, as in
  /// Cocoa. Nil for an empty name.
  ///
  /// A title composed by a rule describes the moment, as `Paste “Roses”`; the name is then the declared
  /// `Paste`. A title that is a literal in the rule, as in `on ? 'Hide' : 'Show'`, is a name.
  ///
  /// - Parameters:
  ///   - declared: The declared title of the command; nil without a command.
  ///   - isComposed: True if the title is neither declared nor a literal in a rule.
  static func name(title: String, declared: String?, isComposed: Bool) -> String? {
    plainName(isComposed ? declared ?? title : title)
  }

  /// Returns a name without a final ellipsis; nil for an empty one.
  static func plainName(_ name: String) -> String? {
    let plain = withoutEllipsis(name) ?? name
    return plain.utf8.isEmpty ? nil : plain
  }

  /// Returns a text without its final ellipsis; nil if it has none.
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

/// An action of a group.
enum UndoAction: Sendable, Codable {
  /// Applies an inverse edit to the state.
  case edit(JSONEdit)
  /// Sends a recorded message to its target (U3).
  case invocation(Invocation, target: ResponderID)

  /// The target of a recorded message; nil for an edit.
  var target: ResponderID? {
    switch self {
    case .edit: nil
    case .invocation(_, let target): target
    }
  }

  /// The size, counted up to the limit of a group.
  var size: Int {
    switch self {
    case .edit(let edit): edit.size(upTo: Limits.undoSize)
    case .invocation(let invocation, target: _): invocation.json.size(upTo: Limits.undoSize)
    }
  }
}

/// A recorded message that failed when it was to be undone (U4); its effects were dropped.
package struct FailedMessage: Equatable, Sendable {
  package let selector: Selector
  package let target: ResponderID
  package let fault: MutationFault
}

/// The places that undoing leaves unchanged because an unregistered change followed (U4).
struct KeptPlaces {
  /// The places in order, each once, up to `Limits.keptPlaces`.
  private(set) var listed: [JSONPointer] = []
  private var reaches: Set<JSONPointer> = []
  /// The ancestors of these places.
  private var ways: Set<JSONPointer> = []

  /// Adds the place of an edit that is not applied.
  mutating func note(_ edit: JSONEdit) {
    list(edit.place)
    guard reaches.insert(edit.reach).inserted else { return }
    let tokens = edit.reach.tokens
    for count in tokens.indices { ways.insert(JSONPointer(Array(tokens[..<count]))) }
  }

  /// Lists a place; `overlap` does not consider it.
  mutating func list(_ place: JSONPointer) {
    guard listed.count < Limits.keptPlaces, !listed.contains(place) else { return }
    listed.append(place)
  }

  /// True if a place is kept, or is below or above a kept one.
  func overlap(_ place: JSONPointer) -> Bool {
    guard !reaches.isEmpty else { return false }
    if ways.contains(place) { return true }
    let tokens = place.tokens
    return (0...tokens.count).contains { count in
      reaches.contains(JSONPointer(Array(tokens[..<count])))
    }
  }
}

/// The state of undo registration during one mutation, which makes one group in each undo manager it reaches
/// (U2).
struct UndoEvent: Sendable, Codable {
  /// The name of implicit groups.
  var actionName: String?
  /// The title of the performed item; nil for none.
  var title: String?
  /// The key by which an implicit group is coalesced (U6); nil for none.
  var coalescingKey: String?
  /// The owner of the undo manager that registers the effects of lifecycle messages; nil for the session.
  ///
  /// **Decision:** it is the manager of the responder that received the command, else of the one where searches
  /// begin. View controllers that appear or disappear are on no chain, and their own manager may be removed
  /// with them.
  var owner: ResponderID?
  /// True if a message was received; `owner` is then set from its receiver.
  var isReceived = false
  /// True if changes are registered; a launch registers nothing.
  var isRegistered = true
}

extension Session {
  /// Begins a mutation.
  ///
  /// - Parameter isSent: True if it sends a message, whose receiver is not known yet.
  mutating func beginUndoEvent(isSent: Bool) {
    undo.event = UndoEvent()
    undo.isUnderway = true
    let origin = instances.isEmpty ? nil : undoOrigin
    undo.event.owner = origin.flatMap { undoManagerOwner(for: $0) }
    undo.event.isReceived = !isSent
  }
}

extension Performer {
  /// Makes a responder's undo manager register the mutation's effects on view controllers, in a group named after the
  /// sender. A mutation of a reply belongs to the group of the reply (D2).
  mutating func beginUndo(from origin: ResponderID?, sentBy sender: Sender? = nil) {
    guard !phase.isInHandler else { return }
    session.undo.event.owner = origin.flatMap { session.undoManagerOwner(for: $0) }
    if let title = sender?.title { session.undo.event.actionName = UndoGroup.plainName(title) }
  }
}

extension Performer {
  /// Records the receiver of the mutation's message, once, and not for lifecycle messages.
  mutating func noteReceiver(_ id: ResponderID) {
    guard phase == .acting(depth: 0), !session.undo.event.isReceived else { return }
    session.undo.event.isReceived = true
    session.undo.event.owner = session.undoManagerOwner(for: id)
    session.undo.endCoalescing(with: session.undo.event.owner)
  }

  /// Returns the owner of the undo manager that registers changes by a responder's handler.
  func undoManagerOwner(for id: ResponderID) -> ResponderID? {
    phase.isTelling ? session.undo.event.owner : session.undoManagerOwner(for: id)
  }
}
