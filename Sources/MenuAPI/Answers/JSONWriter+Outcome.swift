import JSONText
import Languages
import MenuEngine

extension JSONWriter {
  /// Writes the members that describe the effects of an accepted mutation.
  mutating func members(changesOf outcome: Outcome) {
    member("changes")
    beginArray()
    elements(changesOf: outcome)
    endArray()
    let kept = outcome.kept
    if !kept.isEmpty { member("kept", .array(kept.map { .string($0.description) })) }
    guard !outcome.failedMessages.isEmpty else { return }
    member("failed")
    beginArray()
    for message in outcome.failedMessages { value(message) }
    endArray()
  }

  /// Writes a recorded message that failed (U4).
  private mutating func value(_ message: FailedMessage) {
    beginObject()
    member("target", message.target.rawValue)
    member("action", message.selector.rawValue)
    member("detail", message.sentence)
    if case .effect(.rule(_, _, let fault)) = message.fault {
      member("error")
      value(fault)
    }
    endObject()
  }

  /// Writes the changes of an accepted mutation as elements of an array.
  ///
  /// - Parameter tellsUndo: True, the default, to include changes of undo stacks in the document.
  mutating func elements(changesOf outcome: Outcome, tellsUndo: Bool = true) {
    let named = outcome.changesByEdit
    let told = Set(named.values)
    for (index, change) in outcome.changes.enumerated() where !told.contains(index) {
      value(change)
    }
    for (position, edit) in outcome.documentEdits.enumerated() {
      let index = named[position]
      if index == nil, !tellsUndo, edit.operation.path.tokens.first == "undo" { continue }
      beginObject()
      if let index {
        members(of: outcome.changes[index])
      } else {
        member("change", "document")
      }
      members(edit.operation, edit.position)
      endObject()
    }
  }

  /// Writes the members of a JSON Patch operation, and the position of a member that it adds.
  mutating func members(_ operation: JSONPatch.Operation, _ position: Int?) {
    switch operation {
    case .add(let path, let value): members("add", at: path, value)
    case .remove(let path): members("remove", at: path)
    case .replace(let path, let value): members("replace", at: path, value)
    case .move(let from, let path): members("move", from: from, at: path)
    case .copy(let from, let path): members("copy", from: from, at: path)
    case .test(let path, let value): members("test", at: path, value)
    }
    if let position { member("position", position) }
  }

  private mutating func members(
    _ name: String, from: JSONPointer? = nil, at path: JSONPointer, _ value: JSON? = nil
  ) {
    member("op", name)
    if let from { member("from", from) }
    member("path", path)
    if let value { member("value", value) }
  }

  mutating func value(_ change: Outcome.Change) {
    beginObject()
    members(of: change)
    endObject()
  }

  private mutating func members(of change: Outcome.Change) {
    switch change {
    case .state(let operation, let position):
      member("change", "state")
      members(operation, position)
    case .mergedState(let patch): members("mergedState", ["patch": patch])
    case .firstResponder(let id): members("firstResponder", ["responder": name(id)])
    case .keyWindow(let id): members(WindowRole.key.member, ["window": name(id)])
    case .mainWindow(let id): members(WindowRole.main.member, ["window": name(id)])
    case .modalWindow(let id): members(WindowRole.modal.member, ["window": name(id)])
    case .keymap(let keymap):
      members("keymap", ["keymap": keymap.map { .string($0.rawValue) } ?? .null])
    case .locale(let locale):
      members("locale", ["locale": locale.map { .string($0.text) } ?? .null])
    case .responder(let responder):
      members("responder", of: responder.id, ["value": responder.json])
    case .responderRemoved(let id): members("responderRemoved", of: id)
    case .linkCleared(let cleared):
      link("linkCleared", cleared.link, of: cleared.holder, to: cleared.destination)
    case .properties(let id, let patch): members("properties", of: id, ["patch": patch])
    case .handler(let id, let selector, let handler):
      members("handler", of: id, selector: selector, ["value": handler.json])
    case .handlerRemoved(let id, let selector):
      members("handlerRemoved", of: id, selector: selector)
    case .keyCommands(let id, let keyCommands):
      members("keyCommands", of: id, ["value": .array(keyCommands.map(\.json))])
    case .registration(let id, let selector, let handler, let token):
      members("registration", of: id, selector: selector, token: token, ["value": handler.json])
    case .registrationRemoved(let id, let selector, let token):
      members("registrationRemoved", of: id, selector: selector, token: token)
    case .lateResponders(let host, let members):
      self.members("lateResponders", of: host, ["lateResponders": names(members)])
    case .messageQueue(let count, let removed, let added):
      queue(count, removed: removed, added: added)
    case .delivery(let delivery): members("delivery", of: delivery) { $0.value(delivery) }
    case .deliveryState(let delivery):
      members("deliveryState", of: delivery) { $0.state(of: delivery) }
    case .deliveryForgotten(let id): members("deliveryForgotten", ["delivery": .int(Int64(id))])
    case .undoManager(let owner): members("undoManager", ["responder": name(owner)])
    case .registryRemoved(let host): members("registryRemoved", of: host)
    case .link(let id, let link, let destination):
      self.link("link", link, of: id, to: destination)
    case .viewControllers(let container, let children):
      members("viewControllers", of: container, ["viewControllers": names(children)])
    case .selectedViewController(let container, let id):
      members("selectedViewController", of: container, ["viewController": name(id)])
    case .superview(let view, let superview):
      members("superview", of: view, ["superview": name(superview)])
    case .presented(let id, by: let presenter):
      members("presented", of: id, ["presentingViewController": name(presenter)])
    case .dismissed(let id, by: let presenter):
      members("dismissed", of: id, ["presentingViewController": name(presenter)])
    case .isCollapsed(let id, let isCollapsed):
      members("isCollapsed", of: id, ["isCollapsed": .bool(isCollapsed)])
    case .isStarted(let id, let isStarted):
      members("isStarted", of: id, ["isStarted": .bool(isStarted)])
    }
  }

  private mutating func members(_ change: String, _ others: KeyValuePairs<String, JSON>) {
    member("change", change)
    for (name, value) in others { member(name, value) }
  }

  private mutating func members(
    _ change: String, of id: ResponderID, selector: Selector? = nil, token: Int? = nil,
    _ others: KeyValuePairs<String, JSON> = [:]
  ) {
    member("change", change)
    member("responder", id.rawValue)
    optionalMember("selector", selector?.rawValue)
    if let token { member("token", token) }
    for (name, value) in others { member(name, value) }
  }

  private mutating func link(
    _ change: String, _ link: ResponderLink, of id: ResponderID, to destination: ResponderID?
  ) {
    members(
      change, of: id, ["link": .string(link.rawValue), "destination": name(destination)])
  }

  private mutating func queue(_ count: Int, removed: Int, added: [MessageRequest]) {
    member("change", "messageQueue")
    member("count", count)
    if removed > 0 { member("removed", removed) }
    if !added.isEmpty { member("added", added) }
  }

  private mutating func members(
    _ change: String, of delivery: Delivery, _ write: (inout JSONWriter) -> Void
  ) {
    member("change", change)
    member("delivery", delivery.id)
    member("value")
    write(&self)
  }

  private mutating func state(of delivery: Delivery) {
    beginObject()
    members(ofStateOf: delivery)
    endObject()
  }

  private func name(_ id: ResponderID?) -> JSON { id.map { .string($0.rawValue) } ?? .null }

  private func names(_ ids: some Sequence<ResponderID>) -> JSON {
    .array(ids.map { .string($0.rawValue) })
  }

  /// Writes an event that a menu sends about a command it performs (M7).
  mutating func value(_ event: Outcome.Event) {
    beginObject()
    switch event {
    case .willSendAction(let command, let action, let target):
      members("willSendAction", of: command, action: action, to: target)
    case .didSendAction(let command, let action, let target, let isPerformed):
      members("didSendAction", of: command, action: action, to: target)
      member("performed", isPerformed)
    case .lifecycle(let stage, let id, let told):
      member("event", stage.rawValue)
      member("viewController", id.rawValue)
      member("told", .array(told.map { .string($0.rawValue) }))
    case .segue(let outcome):
      member("event", "segue")
      members(outcome)
    case .launch(let step):
      member("event", "launch")
      members(step)
    case .showDetailTargetDidChange(let split):
      member("event", "showDetailTargetDidChange")
      member("splitViewController", split)
    case .coordinator(let event, let told): members(event, told)
    case .willUndoChange(let direction, let owner, let name):
      members("will\(direction.verb)Change", ofManagerOf: owner, actionName: name)
    case .didUndoChange(let direction, let owner, let name, let kept):
      members("did\(direction.verb)Change", ofManagerOf: owner, actionName: name)
      if !kept.isEmpty { member("kept", .array(kept.map { .string($0.description) })) }
    }
    endObject()
  }

  private mutating func members(
    _ event: String, ofManagerOf owner: ResponderID?, actionName: String?
  ) {
    member("event", event)
    member("responder", owner)
    optionalMember("actionName", actionName)
  }

  private mutating func members(
    _ event: String, of command: CommandID, action: Selector, to target: Receiver
  ) {
    member("event", event)
    member("command", command.rawValue)
    member("action", action.rawValue)
    member("target", target.description)
  }
}

extension Outcome {
  /// The places that undoing left unchanged (U4).
  fileprivate var kept: [JSONPointer] {
    events.flatMap { event -> [JSONPointer] in
      if case .didUndoChange(_, _, actionName: _, let kept) = event { kept } else { [] }
    }
  }

  /// The indexes of changes that are written together with a document operation, by the index of that
  /// operation: both change the same member (E2).
  fileprivate var changesByEdit: [Int: Int] {
    guard !documentEdits.isEmpty else { return [:] }
    let changes = Dictionary(
      self.changes.enumerated().flatMap { index, change in
        change.membersOfDocument.map { ($0, index) }
      }, uniquingKeysWith: { _, last in last })
    guard !changes.isEmpty else { return [:] }
    return Dictionary(
      documentEdits.enumerated().compactMap { position, edit in
        changes[edit.operation.path].map { (position, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }
}

extension Outcome.Change {
  /// The places, in the session's document, of the member that the change affects; empty if the change itself contains
  /// its value.
  fileprivate var membersOfDocument: [JSONPointer] {
    switch self {
    case .linkCleared(let cleared): [Self.member(cleared.link.path[0], of: cleared.holder)]
    case .link(let id, let link, _): [Self.member(link.path[0], of: id)]
    case .lateResponders(let host, _), .registryRemoved(let host):
      [Self.member("lateResponders", of: host)]
    case .viewControllers(let holder, _):
      // The holder is a container or a navigation coordinator.
      [Self.member("viewControllers", of: holder), Self.member("coordinating", of: holder)]
    case .selectedViewController(let container, _):
      [Self.member(ResponderLink.selectedViewController.rawValue, of: container)]
    case .superview(let view, _): [Self.member(ResponderLink.superview.rawValue, of: view)]
    case .presented(let id, by: _), .dismissed(let id, by: _):
      [Self.member(ResponderLink.presentingViewController.rawValue, of: id)]
    case .isCollapsed(let id, _): [Self.member("isCollapsed", of: id)]
    case .isStarted(let id, _): [Self.member("coordinating", of: id)]
    case .keymap: [JSONPointer(["keymap"])]
    case .locale: [JSONPointer(["locale"])]
    case .state, .mergedState, .firstResponder, .keyWindow, .mainWindow, .modalWindow, .responder,
      .responderRemoved, .properties, .handler, .handlerRemoved, .keyCommands, .registration,
      .registrationRemoved, .messageQueue, .delivery, .deliveryState, .deliveryForgotten,
      .undoManager:
      []
    }
  }

  private static func member(_ name: String, of id: ResponderID) -> JSONPointer {
    JSONPointer(["responders", id.rawValue, name])
  }
}

extension JSONPatch.Operation {
  fileprivate var path: JSONPointer {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path),
      .copy(_, let path), .test(let path, _):
      path
    }
  }
}

extension UndoManager.Direction {
  /// The verb in the names of events.
  fileprivate var verb: String {
    switch self {
    case .undo: "Undo"
    case .redo: "Redo"
    }
  }
}
