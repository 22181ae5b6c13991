public import JSONText

/// Operations on a session's state.
extension Operations {
  static let ofState: [any AnyOperation] = [
    patchState, mergeState, add, remove, replace, move, copy, test, properties,
  ]

  static let patchState = Operation(
    "patchState", needs: .patch, about: "Changes the state by a JSON Patch (RFC 6902).",
    Member("patch", .patch, about: "The operations; all of them are made, or none is."),
    Member<ResponderID?>.handlerOwner, registration
  ) { (performer: inout Performer, patch, owner, undo) throws(MutationFault) in
    try performer.change(with: patch, by: owner, undo)
  }

  static let mergeState = Operation(
    "mergeState", needs: .patch, about: "Changes the state by a JSON Merge Patch (RFC 7396).",
    Member("patch", .object, about: "The members that change; null removes one."),
    Member<ResponderID?>.handlerOwner, registration
  ) { (performer: inout Performer, patch, owner, undo) throws(MutationFault) in
    try performer.merge(patch, by: owner, undo)
  }

  private static let registration = Member(
    optional: "undo", MemberType<UndoRegistration>.undoRegistration,
    about: "Registers the patch, so that it can be undone (U6). The default is not to.",
    uses: .mutation)

  static let add = edit(
    "add", about: "Adds or replaces a value of the state."
  ) {
    .add(path: $0, value: $1)
  }

  static let remove = Operation(
    effect: "remove", about: "Removes a value from the state.",
    Member("path", .place, about: "The place in the state."),
    constraints: [.exactlyOne("path", "pathRule")]
  ) { (performer: inout Performer, scope, _, path) throws(MutationFault) in
    try performer.change(by: .remove(path: path), scope)
  }

  static let replace = edit(
    "replace", about: "Replaces a value of the state."
  ) {
    .replace(path: $0, value: $1)
  }

  static let move = carry(
    "move", about: "Moves a value of the state.", to: "The place that it moves to."
  ) { .move(from: $0, path: $1) }

  static let copy = carry(
    "copy", about: "Copies a value of the state.", to: "The place that gets the copy."
  ) { .copy(from: $0, path: $1) }

  static let test = edit(
    "test", about: "Fails unless the state has this value at the place."
  ) {
    .test(path: $0, value: $1)
  }

  static let properties = Operation(
    "properties", needs: .declare,
    about: "Merges an object into a responder's properties (RFC 7396).",
    Member(receiver: "responder", about: "The responder. The default is the receiver."),
    Member("value", .object, about: "The properties that change; null removes one."), uses: .effect,
    traits: .setsProperties
  ) { (performer: inout Performer, responder, value) throws(MutationFault) in
    try performer.merge(value, intoPropertiesOf: responder)
  }

  /// Returns an effect that applies one JSON Patch operation with a value.
  private static func edit(
    _ name: String, about: String,
    _ operation: @escaping @Sendable (JSONPointer, JSON) -> JSONPatch.Operation
  ) -> Operation<JSONPointer, JSON> {
    Operation(
      effect: name, about: about, Member("path", .place, about: "The place in the state."),
      Member("value", .json, about: "The value."),
      constraints: [.exactlyOne("path", "pathRule")]
    ) { (performer: inout Performer, scope, _, path, value) throws(MutationFault) in
      try performer.change(by: operation(path, value), scope)
    }
  }

  /// Returns an effect that applies one JSON Patch operation with a source place.
  private static func carry(
    _ name: String, about: String, to destination: String,
    _ operation: @escaping @Sendable (JSONPointer, JSONPointer) -> JSONPatch.Operation
  ) -> Operation<JSONPointer, JSONPointer> {
    Operation(
      effect: name, about: about, Member("from", .place, about: "The place of the value."),
      Member("path", .place, about: destination),
      constraints: [.exactlyOne("path", "pathRule"), .exactlyOne("from", "fromRule")]
    ) { (performer: inout Performer, scope, _, from, path) throws(MutationFault) in
      try performer.change(by: operation(from, path), scope)
    }
  }
}

extension Mutation {
  /// Changes the state by a JSON Patch (RFC 6902).
  ///
  /// - Parameters:
  ///   - patch: The patch.
  ///   - undo: Registers the patch for undo (U6). The default is nil, to register nothing.
  public static func patchState(_ patch: JSONPatch, undo: UndoRegistration? = nil) -> Mutation {
    Mutation(Operations.patchState, patch, nil, undo)
  }

  /// Changes the state by a JSON Merge Patch (RFC 7396).
  ///
  /// - Parameters:
  ///   - patch: An object; null removes a member.
  ///   - undo: Registers the patch for undo (U6). The default is nil, to register nothing.
  public static func mergeState(_ patch: JSON, undo: UndoRegistration? = nil) -> Mutation {
    Mutation(Operations.mergeState, patch, nil, undo)
  }
}

extension Effect {
  /// Makes a JSON Patch operation on the session's state.
  public static func state(_ operation: JSONPatch.Operation) -> Effect {
    switch operation {
    case .add(let path, let value): Effect(Operations.add, path, value)
    case .remove(let path): Effect(Operations.remove, path)
    case .replace(let path, let value): Effect(Operations.replace, path, value)
    case .move(let from, let path): Effect(Operations.move, from, path)
    case .copy(let from, let path): Effect(Operations.copy, from, path)
    case .test(let path, let value): Effect(Operations.test, path, value)
    }
  }

  /// Merges an object into a responder's properties (RFC 7396); the default is the receiver's.
  public static func properties(of responder: ResponderID? = nil, merging value: JSON) -> Effect {
    Effect(by: Operations.properties, responder.map(Term.value) ?? .absent, .value(value))
  }
}
