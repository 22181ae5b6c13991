public import JSONText

/// Operations on responders and their handlers.
extension Operations {
  static let ofResponders: [any AnyOperation] = [
    putResponder, removeResponder, mergeProperties, putHandler, removeHandler,
  ]

  static let putResponder = Operation(
    "putResponder", needs: .declare, about: "Adds or replaces a responder.",
    Member("value", .document, about: "The responder."), traits: .changesScreen
  ) { (performer: inout Performer, responder) throws(MutationFault) in
    try performer.put(responder)
  }

  static let removeResponder = Operation(
    "removeResponder", needs: .declare, about: "Removes a responder; links to it are cleared.",
    Member(receiver: "responder", about: "The responder."), traits: .changesScreen
  ) { (performer: inout Performer, id) throws(MutationFault) in
    try performer.destroy(id)
  }

  static let putHandler = Operation(
    "putHandler", needs: .declare,
    about: "Adds or replaces a handler of a responder's own.",
    Member(receiver: "responder", about: "The responder."),
    Member("selector", .selector, about: "The selector of the message."),
    Member("handler", .handler, about: "The handler.")
  ) { (performer: inout Performer, id, selector, handler) throws(MutationFault) in
    performer.record(try performer.session.put(handler, for: selector, of: id))
  }

  static let removeHandler = Operation(
    "removeHandler", needs: .declare, about: "Removes a handler of a responder's own.",
    Member(receiver: "responder", about: "The responder."),
    Member("selector", .selector, about: "The selector of the message.")
  ) { (performer: inout Performer, id, selector) throws(MutationFault) in
    let catalog = performer.catalog
    performer.record(try performer.session.removeHandler(for: selector, of: id, in: catalog))
  }
}

extension Mutation {
  /// Adds a responder, or replaces the one with the same name.
  public static func putResponder(_ responder: Responder) -> Mutation {
    Mutation(Operations.putResponder, responder)
  }

  /// Removes a responder; links to it are cleared.
  public static func removeResponder(_ id: ResponderID) -> Mutation {
    Mutation(Operations.removeResponder, id)
  }

  /// Gives a responder a handler of its own, in place of the present one for the selector.
  public static func putHandler(
    _ handler: Handler, for selector: Selector, of id: ResponderID
  ) -> Mutation {
    Mutation(Operations.putHandler, id, selector, handler)
  }

  /// Removes a handler of a responder's own.
  public static func removeHandler(for selector: Selector, of id: ResponderID) -> Mutation {
    Mutation(Operations.removeHandler, id, selector)
  }
}

extension Operations {
  static let mergeProperties = Operation(
    "mergeProperties", needs: .declare,
    about: "Merges an object into the properties of a responder (RFC 7396).",
    Member(receiver: "responder", about: "The responder."),
    Member("properties", .object, about: "The properties that change; null removes one."),
    traits: .setsProperties
  ) { (performer: inout Performer, id, patch) throws(MutationFault) in
    try performer.merge(patch, intoPropertiesOf: id)
  }
}

extension Mutation {
  /// Merges an object into the properties of a responder (RFC 7396).
  public static func mergeProperties(_ patch: JSON, of id: ResponderID) -> Mutation {
    Mutation(Operations.mergeProperties, id, patch)
  }
}

extension Performer {
  /// Adds or replaces a responder, and notifies a new view controller and its observers (V9).
  mutating func put(_ responder: Responder) throws(MutationFault) {
    let isNew = !session.graph.contains(responder.id)
    let catalog = catalog
    let new = try session.put(responder, in: catalog)
    record(new)
    if isNew, !new.isEmpty, session.hearsOfItself(responder.id) {
      // A top-level mutation is measured at its end, and may exceed a limit in between.
      if !phase.isInHandler { before = session.holdings }
      try tell(.awakeFromNib, of: responder.id)
    }
  }
}

extension Session {
  mutating func put(
    _ responder: Responder, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try checkClass(responder.className, of: responder.id, in: catalog)
    try checkWeight(of: responder)
    let numbered = numbered(responder).movedFrom(graph[responder.id])
    if self.responder(responder.id)?.isWritten(as: numbered) == true { return [] }
    let session = self
    let before = graph
    let brokenBefore = brokenDelegates(around: responder.id, in: catalog)
    let cleared = try graph.put([numbered])
    let freed = freeLateResponders(of: responder.id, since: before)
    if let fault = graph.placementFaults(of: [responder]).first { throw fault }
    try noteInstances(among: [responder], since: before)
    try checkDelegates(around: responder.id, since: brokenBefore, in: catalog)
    try checkColumns(around: responder.id, in: catalog)
    try checkCollapsed(responder, since: before, in: catalog)
    var changes: [Outcome.Change] = [.responder(numbered)] + freed
    changes +=
      cleared.map(Outcome.Change.linkCleared) + registryChanges(around: responder.id, since: before)
    changes += containerChanges(around: responder, since: before)
    changes += dismissWindow(responder.id)
    if responder.listsViewControllers == true, before[responder.id] != nil {
      let former = responder.viewControllers.compactMap { before[$0]?.links[.parent] }
      changes += try moveViews(of: [responder.id] + former, since: session, in: catalog)
    }
    return changes
  }

  /// Removes responders one after the other and returns the changes.
  mutating func remove(_ ids: [ResponderID]) throws(MutationFault) -> [Outcome.Change] {
    let before = graph
    // A view controller whose view is removed loads another one when it appears again.
    for owner in ids.compactMap({ graph.owners[.view][$0] }) { appearances?.loaded.remove(owner) }
    var changes: [Outcome.Change] = []
    for (id, cleared) in try graph.remove(ids) {
      let isOfFrontEnd = instances.removeValue(forKey: id) == nil
      pastNames.note(id, isOfFrontEnd: isOfFrontEnd)
      appearances?.forget(id)
      // Not deferred: the name may be reused within the same mutation.
      undo.follow(id, nil)
      changes.append(.responderRemoved(id))
      changes += cleared.map(Outcome.Change.linkCleared)
    }
    for id in ids {
      changes += registryChanges(around: id, since: before)
      if before[id]?.kind == .viewController {
        changes += listChanges(of: before.coordinators(listing: id))
      }
      changes += before[id].map { containerChanges(around: $0, since: before) } ?? []
      changes += dismissWindow(id)
    }
    return changes + resignIfDeleted()
  }

  /// Adds a handler of the responder itself.
  mutating func put(
    _ handler: Handler, for selector: Selector, of id: ResponderID
  ) throws(MutationFault) -> [Outcome.Change] {
    if graph[id]?.handlers[selector]?.isWritten(as: handler) == true { return [] }
    if graph[id]?.proxy != nil, handler.canPerform != nil {
      throw .handler(.ruleOfProxy(id, selector))
    }
    try graph.update(id, counting: Self.handler(selector)) { (responder) throws(MutationFault) in
      responder.content.handlers[selector] = handler
    }
    return [.handler(id, selector, handler)]
  }

  /// Removes a handler of the responder itself.
  mutating func removeHandler(
    for selector: Selector, of id: ResponderID, in catalog: Catalog
  ) throws(MutationFault) -> [Outcome.Change] {
    try graph.update(id, counting: Self.handler(selector)) { (responder) throws(MutationFault) in
      guard responder.content.handlers.removeValue(forKey: selector) != nil else {
        throw .handler(.unknownHandler(id, selector))
      }
    }
    try checkRequired(selector, of: id, in: catalog)
    return [.handlerRemoved(id, selector)]
  }

  private static func handler(_ selector: Selector) -> (Responder) -> Holdings {
    { $0.handlers[selector].map { Holdings($0, for: selector) } ?? Holdings() }
  }
}

extension Responder {
  /// Returns the responder, no longer marked as replaced if its parent coordinator changed (C4).
  fileprivate func movedFrom(_ old: Responder?) -> Responder {
    guard let old, old.isReplaced, old.links[.parentCoordinator] != links[.parentCoordinator] else {
      return self
    }
    var responder = self
    responder.content.coordinating?.replacedUnder = nil
    return responder
  }
}
