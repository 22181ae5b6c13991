package import JSONText
import Languages

/// The difference between two sessions beyond their recorded changes (E2).
///
/// Computing it takes time proportional to the changed parts, because sessions share the rest.
struct DocumentDifference {
  private var edits: [DocumentEdit] = []
  private let before: Session
  private let after: Session
  /// The responders whose complete documents are among the changes.
  private var told: Set<ResponderID> = []
  /// The responders in `told` whose properties were also changed later.
  private var toldTwice: Set<ResponderID> = []
  private var removed: Set<ResponderID> = []
  private var focus: [WindowRole?: ResponderID?] = [:]

  /// Returns the operations that turn the document of `before`, once the changes are applied, into that of
  /// `after`.
  static func edits(
    from before: Session, to after: Session, telling changes: [Outcome.Change],
    undoManagersOf owners: [ResponderID?]
  ) -> [DocumentEdit] {
    if owners.isEmpty, changes.allSatisfy(\.isOfState), after.sharesResponders(with: before) {
      return []
    }
    return DocumentDifference(from: before, to: after, telling: changes, undoManagersOf: owners)
      .edits
  }

  private init(
    from before: Session, to after: Session, telling changes: [Outcome.Change],
    undoManagersOf owners: [ResponderID?]
  ) {
    self.before = before
    self.after = after
    for change in changes { remember(change) }
    compareFocus()
    compare(
      "keymap", from: before.keymap?.rawValue, to: after.keymap?.rawValue,
      at: Session.positionOfKeymap)
    compare("locale", from: before.locale?.text, to: after.locale?.text, at: after.positionOfLocale)
    compareResponders()
    let joinedOrGone = joinedOrGone
    for id in joinedOrGone { compareRegistrations(of: id) }
    compareManagers(of: owners, joinedOrGone)
  }

  /// The responders that left, then those that joined, each in document order.
  private var joinedOrGone: [ResponderID] {
    guard !told.isEmpty || !removed.isEmpty else { return [] }
    let ids = told.union(removed)
    let gone = ids.filter { !after.graph.contains($0) }
      .compactMap { before.graph.position(of: $0) }.sorted()
    let joined = ids.compactMap { after.graph.position(of: $0) }.sorted()
    return gone.map { before.graph.responders[$0].id }
      + joined.map { after.graph.responders[$0].id }
  }

  private mutating func remember(_ change: Outcome.Change) {
    switch change {
    case .responder(let responder):
      told.insert(responder.id)
      toldTwice.remove(responder.id)
    case .responderRemoved(let id):
      removed.insert(id)
      told.remove(id)
    case .properties(let id, _): if told.contains(id) { toldTwice.insert(id) }
    case .firstResponder(let id): focus[nil] = .some(id)
    case .keyWindow(let id): focus[.key] = .some(id)
    case .mainWindow(let id): focus[.main] = .some(id)
    case .modalWindow(let id): focus[.modal] = .some(id)
    default: break
    }
  }

  private mutating func add(
    _ operation: JSONPatch.Operation, position: Int? = nil
  ) {
    edits.append(DocumentEdit(operation, position: position))
  }
}

extension DocumentDifference {
  private mutating func compareFocus() {
    let isTold = !focus.isEmpty || before.firstResponder != after.firstResponder
    guard isTold || before.windows != after.windows else { return }
    if focus[nil, default: before.firstResponder] != after.firstResponder {
      replace("firstResponder", by: after.firstResponder)
    }
    for role in WindowRole.allCases
    where focus[role, default: before.window(role)] != after.window(role) {
      replace(role.member, by: after.window(role))
    }
  }

  /// Compares a name that the document has as a member at a fixed position, or lacks.
  private mutating func compare(
    _ member: String, from old: String?, to new: String?, at position: @autoclosure () -> Int
  ) {
    guard old != new else { return }
    let place = JSONPointer([member])
    guard let new else { return add(.remove(path: place)) }
    guard old == nil else { return add(.replace(path: place, value: .string(new))) }
    add(.add(path: place, value: .string(new)), position: position())
  }

  private mutating func replace(_ member: String, by id: ResponderID?) {
    let value = id.map { JSON.string($0.rawValue) } ?? .null
    add(.replace(path: JSONPointer([member]), value: value))
  }
}

extension DocumentDifference {
  private mutating func compareResponders() {
    guard !after.graph.isIdentical(to: before.graph) else { return }
    for position in after.graph.responders.changedPositions(since: before.graph.responders) {
      let responder = after.graph.responders[position]
      guard !responder.id.isRegistryEnd else { continue }
      let place = JSONPointer(["responders", responder.id.rawValue])
      if told.contains(responder.id) {
        guard toldTwice.contains(responder.id) else { continue }
        add(.replace(path: place, value: after.responder(responder.id)?.json ?? .null))
      } else if let old = before.graph.position(of: responder.id),
        !after.graph.responders.isIdentical(
          at: position, to: before.graph.responders, at: old)
      {
        let old = before.graph.responders[old].document(isBrief: true)
        compareMembers(from: old, to: responder.document(isBrief: true), at: place)
      }
    }
  }

  /// Records the members that differ, or that only one of the objects has.
  private mutating func compareMembers(
    from old: JSONObject, to new: JSONObject, at place: JSONPointer
  ) {
    // Key commands have changes of their own, with their positions.
    for member in old where new[member.name] == nil && member.name != "keyCommands" {
      add(.remove(path: place.appending(member.name)))
    }
    for (position, member) in new.members.enumerated() where member.name != "keyCommands" {
      let present = old[member.name]
      if let present, present.isWritten(as: member.value) { continue }
      let path = place.appending(member.name)
      if present == nil {
        add(.add(path: path, value: member.value), position: position)
      } else {
        add(.replace(path: path, value: member.value))
      }
    }
  }

  private mutating func compareRegistrations(of id: ResponderID) {
    let old = before.graph[id]?.coordinator.map(Session.tokens)
    let new = after.graph[id]?.coordinator.map(Session.tokens)
    compareEntry(
      from: old.map(JSON.object), to: new.map(JSON.object), of: id, in: ["registrations"]
    ) { $0.coordinator != nil }
  }

  /// Records the entry of a responder that joined or left in an object keyed by responder.
  ///
  /// - Parameter isMember: True if the object has an entry for the responder.
  private mutating func compareEntry(
    from old: JSON?, to new: JSON?, of id: ResponderID, in place: [String],
    _ isMember: (Responder) -> Bool
  ) {
    let path = JSONPointer(place + [id.rawValue])
    // A responder that was removed and added again moves to the end.
    let isMoved = removed.contains(id)
    if old != nil, isMoved || new == nil { add(.remove(path: path)) }
    guard let new else { return }
    guard let old, !isMoved else {
      let end = after.graph.position(of: id) ?? 0
      let position = after.graph.responders[..<end].count(where: isMember)
      return add(.add(path: path, value: new), position: position)
    }
    if !old.isWritten(as: new) { add(.replace(path: path, value: new)) }
  }
}

extension DocumentDifference {
  private mutating func compareManagers(
    of owners: [ResponderID?], _ joinedOrGone: [ResponderID]
  ) {
    for id in joinedOrGone {
      guard let old = manager(of: id, in: before), let new = manager(of: id, in: after),
        !removed.contains(id)
      else {
        compareEntry(
          from: manager(of: id, in: before)?.json, to: manager(of: id, in: after)?.json, of: id,
          in: ["undo", "responders"]
        ) { $0.undoManager != nil }
        continue
      }
      compareManager(from: old, to: new, at: JSONPointer(["undo", "responders", id.rawValue]))
    }
    for owner in owners where owner.map({ !joinedOrGone.contains($0) }) ?? true {
      guard let old = manager(of: owner, in: before), let new = manager(of: owner, in: after)
      else { continue }
      let place = owner.map { ["undo", "responders", $0.rawValue] } ?? ["undo", "session"]
      compareManager(from: old, to: new, at: JSONPointer(place))
      guard owner == nil, old.levelsOfUndo != new.levelsOfUndo else { continue }
      add(
        .replace(
          path: JSONPointer(["undoManager", "levelsOfUndo"]),
          value: .int(Int64(new.levelsOfUndo))))
    }
  }

  /// Returns the undo manager in the document of a session; nil for a responder without its own.
  private func manager(of owner: ResponderID?, in session: Session) -> UndoManager? {
    if let owner, session.graph[owner]?.undoManager == nil { return nil }
    return session.undoManager(ownedBy: owner)
  }

  private mutating func compareManager(
    from old: UndoManager, to new: UndoManager, at place: JSONPointer
  ) {
    let (former, later) = (UndoSummary(of: old), UndoSummary(of: new))
    for (name, value) in UndoSummary.members {
      let present = value(later)
      guard !value(former).isWritten(as: present) else { continue }
      add(.replace(path: place.appending(name), value: present))
    }
    compareStacks(from: old.undoGroups, to: new.undoGroups, at: place.appending("undo"))
    compareStacks(from: old.redoGroups, to: new.redoGroups, at: place.appending("redo"))
  }

  /// Records the changes of a stack: groups removed from its top, added to its top, and dropped at its bottom.
  /// The document lists the top first.
  private mutating func compareStacks(
    from old: UndoStack, to new: UndoStack, at place: JSONPointer
  ) {
    guard !old.isIdentical(to: new) else { return }
    let common = old.common(with: new)
    let dropped = max(0, old.count + 1 - new.count)
    let isShifted =
      common < min(old.count, new.count)
      && old.common(with: new, behind: dropped) == old.count - dropped
    let kept = isShifted ? old.count - dropped : common
    let popped = isShifted ? 0 : old.count - common
    guard popped <= 1, new.count - kept <= 1 || kept > 0 else {
      let groups = new.reversed().map(\.json)
      return add(.replace(path: place, value: .array(groups)))
    }
    if popped == 1 { add(.remove(path: place.appending(0))) }
    for group in new[kept...] { add(.add(path: place.appending(0), value: group.json)) }
    guard isShifted else { return }
    for index in (0..<dropped).reversed() {
      add(.remove(path: place.appending(new.count + index)))
    }
  }
}

/// An operation on the document of a session, as GET answers it.
package struct DocumentEdit: Equatable, Sendable {
  package let operation: JSONPatch.Operation
  /// The position of an added member in its object; nil for the end.
  package let position: Int?

  init(_ operation: JSONPatch.Operation, position: Int? = nil) {
    self.operation = operation
    self.position = position
  }
}

extension Session {
  /// Returns the tokens of a coordinator's registrations by selector, as in the document of a session.
  static func tokens(of coordinator: MenuCoordinator) -> JSONObject {
    var tokens = JSONObject()
    for registration in coordinator.registrations {
      tokens[registration.selector.rawValue] = .int(Int64(registration.token))
    }
    return tokens
  }

  /// Calls `visit` with the tokens of each coordinator's registrations, in the order in which the hosts joined.
  package func visitRegistrations(_ visit: (ResponderID, JSON) -> Void) {
    let responders = graph.responders
    for position in responders.indices {
      guard let coordinator = responders[position].coordinator else { continue }
      visit(responders[position].id, .object(Self.tokens(of: coordinator)))
    }
  }
}
