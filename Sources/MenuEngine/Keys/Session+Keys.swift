import JSONText

extension Session {
  /// Returns the meaning of a key now; nothing is done.
  ///
  /// - Throws: `MutationFault.unknownResponder` for a start or sender that is not there, and
  ///   `.tooMuchEffort`.
  public func resolve(
    _ press: KeyPress, in catalog: Catalog, isExplaining: Bool = false
  ) throws(MutationFault) -> KeyResolution {
    try resolve(press, in: SessionContext(catalog, isExplaining: isExplaining))
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

  /// Gives a responder these key commands, in place of those of its own.
  mutating func put(
    _ keyCommands: [KeyCommand], of id: ResponderID
  ) throws(MutationFault) -> [Outcome.Change] {
    guard let present = graph[id]?.keyCommands else { throw .unknownResponder(id) }
    let isSame = zip(present, keyCommands).allSatisfy { $0.json.isWritten(as: $1.json) }
    if isSame, present.count == keyCommands.count { return [] }
    func held(_ responder: Responder) -> Holdings { Holdings(responder.keyCommands) }
    try graph.update(id, counting: held) { $0.keyCommands = keyCommands }
    return [.keyCommands(id, keyCommands)]
  }
}

extension Performer {
  /// Performs what a key means: a command as a command (M7), a responder's key command by sending
  /// its action.
  mutating func press(_ press: KeyPress) throws(MutationFault) {
    let resolution = try seen.resolve(
      press,
      in: SessionContext(catalog, effort: effort, isExplaining: trace.isRecording))
    guard let request = resolution.chosen?.claim.request(for: press) else {
      throw .keyNotPerformed(resolution)
    }
    do throws(MutationFault) {
      try perform(request)
    } catch {
      guard case .invalidParameters(let id, let faults) = error else { throw error }
      throw .keyLacksParameters(id, faults)
    }
    if !phase.isInHandler { outcome.resolution = resolution }
  }
}

extension KeyClaim {
  /// Returns the request that is performed when it is chosen; nil for a command without action.
  public func request(for press: KeyPress) -> ActionRequest? {
    guard let action else { return nil }
    let subject: ActionRequest.Subject =
      switch declaration {
      case .keyCommand: .action(action)
      case .command(let command): .command(command.id)
      }
    return ActionRequest(
      subject, sender: description(besides: press.sender), from: press.from, window: press.window,
      modifiers: alternate?.modifiers ?? [], when: press.when)
  }
}
