import JSONText

/// A key that was pressed, or the first strokes of one.
public struct KeyPress: Equatable, Sendable, Codable, Dated {
  /// The strokes so far, each with all held modifiers (K8).
  package let key: KeySequence
  /// True if no stroke follows, so that a key is performed even if longer ones begin with it (K8). The default is
  /// false.
  package private(set) var isFinal: Bool?
  /// The platform of the key (M2). The default is Apple's.
  package let platform: KeyPlatform?
  /// The responder where the chain begins instead of the first responder.
  package let from: ResponderID?
  /// The window to treat as key (R11). The default is the key window.
  package let window: ResponderID?
  package let sender: SenderDescription?
  /// True if a person agreed to the command's confirmation (W4); nil is false.
  package let confirmed: Bool?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  package var when: Int64?

  package init(
    _ key: KeySequence, isFinal: Bool? = nil, on platform: KeyPlatform? = nil,
    from: ResponderID? = nil, window: ResponderID? = nil, sender: SenderDescription? = nil,
    confirmed: Bool? = nil, when: Int64? = nil
  ) {
    self.key = key
    self.isFinal = isFinal
    self.platform = platform
    self.from = from
    self.window = window
    self.sender = sender
    self.confirmed = confirmed
    self.when = when
  }

  /// Reads a key press from an object that has other members too. `when` is read only with `isDated`, `confirmed`
  /// not with `isQuestion`.
  package init?(_ reader: inout ObjectReader, isDated: Bool = true, isQuestion: Bool = false) {
    let key = reader.required("key", KeySequence.init(reading:at:log:))
    isFinal = reader.member("final", Read.bool)
    platform = reader.member("platform", Read.word)
    from = reader.member("from", Read.identifier)
    window = reader.member("window", Read.identifier)
    sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    confirmed = isQuestion ? nil : reader.member("confirmed", Read.bool)
    when = isDated ? reader.member("when", Read.time) : nil
    guard let key else { return nil }
    self.key = key
  }

  /// The members of the key press's document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("key", key.json),
      ("final", isFinal.map(JSON.bool)),
      ("platform", platform.map { .string($0.rawValue) }),
      ("from", from.map { .string($0.rawValue) }),
      ("window", window.map { .string($0.rawValue) }), ("sender", sender?.json),
      ("confirmed", confirmed.map(JSON.bool)),
      ("when", when.map(JSON.int)),
    ]
  }

  /// The key press as final (K8).
  package var final: KeyPress {
    var copy = self
    copy.isFinal = true
    return copy
  }
}

extension Operations {
  static let ofKeys: [any AnyOperation] = [putKeyCommands]

  static let putKeyCommands = Operation(
    "putKeyCommands", needs: .declare,
    about: "Replaces a responder's own key commands.",
    Member(receiver: "responder", about: "The responder."),
    Member("keyCommands", .keyCommands, about: "The key commands.")
  ) { (performer: inout Performer, id, keyCommands) throws(MutationFault) in
    performer.record(try performer.session.put(keyCommands, of: id))
  }
}

extension Mutation {
  /// Replaces the key commands of a responder itself.
  package static func putKeyCommands(_ keyCommands: [KeyCommand], of id: ResponderID) -> Mutation {
    Mutation(Operations.putKeyCommands, id, keyCommands)
  }
}

extension Session {
  /// Returns the resolution of a key; nothing is performed.
  ///
  /// - Throws: `MutationFault.unknownResponder` for an unknown start or sender, and `.tooMuchEffort`.
  package func resolve(
    _ press: KeyPress, in catalog: Catalog, isExplaining: Bool = false,
    by actor: Principal = .local, spending effort: Effort = Effort()
  ) throws(MutationFault) -> KeyResolution {
    try resolve(
      press,
      in: SessionContext(catalog, effort: effort, isExplaining: isExplaining, actor: actor))
  }

  func resolve(
    _ press: KeyPress, in context: SessionContext
  ) throws(MutationFault) -> KeyResolution {
    let session = try withKeyWindow(press.window)
    try session.check(press.from)
    try session.check(press.sender?.responder)
    var inquiry = session.inquiry(in: context)
    return try inquiry.resolve(press)
  }

  /// Replaces the key commands of a responder itself.
  mutating func put(
    _ keyCommands: [KeyCommand], of id: ResponderID
  ) throws(MutationFault) -> [Outcome.Change] {
    guard let present = graph[id]?.keyCommands else { throw .unknownResponder(id) }
    let isSame = zip(present, keyCommands).allSatisfy { $0.json.isWritten(as: $1.json) }
    if isSame, present.count == keyCommands.count { return [] }
    func held(_ responder: Responder) -> Holdings { Holdings(responder.keyCommands) }
    try graph.update(id, counting: held) { $0.content.keyCommands = keyCommands }
    return [.keyCommands(id, keyCommands)]
  }
}

extension Performer {
  /// Performs a key press: a command as a command (M7), a responder's key command by sending its action.
  mutating func press(_ press: KeyPress) throws(MutationFault) {
    let resolution = try seen.resolve(
      press,
      in: SessionContext(
        catalog, effort: effort, isExplaining: trace.isRecording, actor: context.actor))
    guard let chosen = resolution.chosen, let request = chosen.claim.request(for: press) else {
      throw .command(.keyNotPerformed(resolution))
    }
    // A command checks the confirmation when it is performed.
    if case .keyCommand = chosen.claim.declaration, let item = chosen.item {
      try checkConfirmation(of: item, press.confirmed)
    }
    do throws(MutationFault) {
      try perform(request)
    } catch {
      guard case .command(.invalidParameters(let id, let faults)) = error else { throw error }
      throw .command(.keyLacksParameters(id, faults))
    }
    if !phase.isInHandler { outcome.resolution = resolution }
  }
}

extension KeyClaim {
  /// Returns the request for the match; nil for a command without action.
  package func request(for press: KeyPress) -> ActionRequest? {
    guard let action else { return nil }
    let (subject, isOfCommand): (ActionRequest.Subject, Bool) =
      switch declaration {
      case .keyCommand: (.action(action), false)
      case .command(let command), .entry(_, let command): (.command(command.id), true)
      }
    return ActionRequest(
      subject, sender: description(besides: press.sender), from: press.from, window: press.window,
      parameters: parameters, modifiers: alternate?.modifiers ?? [],
      confirmed: isOfCommand ? press.confirmed : nil, when: press.when)
  }
}
