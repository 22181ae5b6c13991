import JSONText

/// A key that was pressed.
public struct KeyPress: Equatable, Sendable, Codable {
  /// The key, with all held modifiers.
  package let key: KeyCombination
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
  package let when: Int64?

  package init(
    _ key: KeyCombination, on platform: KeyPlatform? = nil, from: ResponderID? = nil,
    window: ResponderID? = nil, sender: SenderDescription? = nil, confirmed: Bool? = nil,
    when: Int64? = nil
  ) {
    self.key = key
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
    let key = reader.required("key", KeyCombination.init(reading:at:log:))
    platform = reader.member("platform", Read.word)
    from = reader.member("from", Read.identifier)
    window = reader.member("window", Read.identifier)
    sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    confirmed = isQuestion ? nil : reader.member("confirmed", Read.bool)
    when = isDated ? reader.member("when", Read.int).map(Int64.init) : nil
    guard let key else { return nil }
    self.key = key
  }

  /// The members of the key press's document; absent ones are nil.
  var members: [(String, JSON?)] {
    [
      ("key", key.json),
      ("platform", platform.map { .string($0.rawValue) }),
      ("from", from.map { .string($0.rawValue) }),
      ("window", window.map { .string($0.rawValue) }), ("sender", sender?.json),
      ("confirmed", confirmed.map(JSON.bool)),
      ("when", when.map(JSON.int)),
    ]
  }

  /// Returns the key press with `time`, unless it has a time of its own.
  package func dated(_ time: Int64) -> KeyPress {
    KeyPress(
      key, on: platform, from: from, window: window, sender: sender, confirmed: confirmed,
      when: when ?? time)
  }
}

/// The meaning of a pressed key, for which nothing was performed.
package struct KeyResolution: Equatable, Sendable {
  /// The key.
  package let key: KeyCombination
  /// The matches tried, in order (K1); only the last one can be enabled.
  package let tried: [KeyMatch]
  /// The matches after the chosen one, which were not tried.
  package let shadowed: [KeyClaim]
  /// The trace, if requested.
  package let trace: Trace

  /// `enabled` when a match is performed, else why the first one is passed over; `noMatch` when there
  /// is none.
  package var reason: ValidationReason { chosen?.reason ?? tried.first?.reason ?? .noMatch }

  /// The resolution without the key commands of responders, which perform no command.
  package var ofCommands: KeyResolution {
    KeyResolution(
      key: key, tried: tried.filter(\.claim.isOfCommand), shadowed: shadowed.filter(\.isOfCommand),
      trace: trace)
  }

  /// The command that is performed; nil for none, or if a responder's key command is.
  package var command: CommandID? {
    if case .command(let id)? = chosen?.claim.holder { id } else { nil }
  }

  /// The match that is performed; nil for none.
  package var chosen: KeyMatch? { tried.last.flatMap { $0.isEnabled ? $0 : nil } }
}

/// A declaration that matches a pressed key (K4), with its validation.
package struct KeyMatch: Equatable, Sendable {
  package let claim: KeyClaim
  /// `enabled` if it is chosen, else the reason for passing it over (K3).
  package let reason: ValidationReason
  /// The failed rule, if the reason is `ruleError`.
  package let fault: RuleFault?
  /// Its item, with the target of the action, from a search of its own (K2); nil if a rule of the key command
  /// passes it over.
  package let item: ValidatedItem?

  package var isEnabled: Bool { reason == .enabled }

  /// The title as it is now, else as it is declared; nil for none.
  package var title: String? { item?.title ?? claim.title }

  /// The title in a list of keys, as it is now, else as it is declared; nil for none.
  package var discoverabilityTitle: String? {
    item?.discoverabilityTitle ?? claim.discoverabilityTitle
  }

  /// The target of the action.
  package var target: Receiver? { item?.target }
}

extension KeyMatch {
  fileprivate init(_ claim: KeyClaim, reason: ValidationReason, fault: RuleFault? = nil) {
    self.init(claim: claim, reason: reason, fault: fault, item: nil)
  }

  fileprivate init(_ claim: KeyClaim, _ item: ValidatedItem) {
    self.init(claim: claim, reason: item.reason, fault: item.fault, item: item)
  }
}

/// Operations on key commands.
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
    try graph.update(id, counting: held) { $0.keyCommands = keyCommands }
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
    // A command asks when it is performed.
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
      case .command(let command): (.command(command.id), true)
      }
    return ActionRequest(
      subject, sender: description(besides: press.sender), from: press.from, window: press.window,
      modifiers: alternate?.modifiers ?? [],
      confirmed: isOfCommand ? press.confirmed : nil, when: press.when)
  }
}

extension Inquiry {
  /// Returns the resolution of a key: matches are tried in order (K1), and one that cannot be performed does
  /// not swallow the key (K3).
  mutating func resolve(_ press: KeyPress) throws(MutationFault) -> KeyResolution {
    sender = press.sender.map { Sender(command: nil, description: $0) }
    var rest = matches(for: press)[...]
    var tried: [KeyMatch] = []
    while let claim = rest.popFirst() {
      sender = claim.sender(besides: press.sender)
      let attempt = attempt(claim, from: press.from)
      try effort.check()
      guard let match = attempt else { continue }
      tried.append(match)
      if match.isEnabled { break }
      trace.note(
        .passOver, asker(of: claim), about: claim.action, answer: .string(match.reason.rawValue))
    }
    return KeyResolution(key: press.key, tried: tried, shadowed: Array(rest), trace: trace)
  }

  /// Returns the matching declarations in order. The responders are those of the session's search: in AppKit's
  /// also the main window's, the application and its delegate (R10, a decision).
  private mutating func matches(for press: KeyPress) -> [KeyClaim] {
    var responders: [KeyClaim] = []
    for id in order(from: press.from) {
      if trace.isRecording { effort.spend(Effort.traceStep) }
      let claims = keyClaims(of: id, matching: press.key)
      trace.note(.keyCommands, .responder(id), answer: claims.actions)
      responders += claims
    }
    effort.spend(catalog.keyClaims.count)
    let commands = catalog.keyClaims.filter { $0.matches(press.key, on: press.platform ?? .apple) }
    trace.note(.menuKeys, menuKeeper, answer: commands.actions)
    return KeyClaims(ofResponders: responders, ofCommands: commands).ordered
  }

  /// Returns the match, which the target of its action validates (K2, M5); nil if it does not exist at present
  /// (K5).
  mutating func attempt(_ claim: KeyClaim, from: ResponderID?) -> KeyMatch? {
    effort.spend(trace.isRecording ? 3 * Effort.traceStep : 1)
    do throws(RuleFault) {
      switch claim.declaration {
      case .command(let command): return KeyMatch(claim, validate(command, from: from).item)
      case .keyCommand(let keyCommand, _):
        guard try isThere(claim) else { return nil }
        guard try isEnabled(claim) else {
          return KeyMatch(claim, reason: .ruleFalse)
        }
        let command = keyCommand.command.withWords(of: catalog)
        return KeyMatch(claim, validate(command, from: from).item)
      }
    } catch {
      return KeyMatch(claim, reason: .ruleError, fault: error)
    }
  }

  /// Returns true if a key command exists at present (K5). One whose rule fails exists, and cannot be
  /// performed.
  mutating func isThere(_ claim: KeyClaim) throws(RuleFault) -> Bool {
    try answer(of: claim, to: .when) { $0.when }
  }

  private mutating func isEnabled(_ claim: KeyClaim) throws(RuleFault) -> Bool {
    try answer(of: claim, to: .enabled) { $0.enabled }
  }

  /// Returns the result of a rule of a key command; true without one.
  private mutating func answer(
    of claim: KeyClaim, to question: Trace.Question, by rule: (KeyCommand) -> Rule?
  ) throws(RuleFault) -> Bool {
    guard case .keyCommand(let keyCommand, let index) = claim.declaration,
      let responder = claim.declarer, let rule = rule(keyCommand)
    else { return true }
    let place = "keyCommands/\(index)/\(question.rawValue)"
    let context = context(for: responder)
    do throws(RuleFault) {
      let answer = try context.bool(rule, at: place)
      trace.note(
        question, .responder(responder), about: keyCommand.action, answer: .bool(answer),
        rules: context.explained(rule, at: place), refusing: answer ? nil : place)
      return answer
    } catch {
      trace.note(
        question, .responder(responder), about: keyCommand.action, answer: .bool(false),
        fault: error, rules: context.explained(rule, at: place))
      throw error
    }
  }

  /// The responder that answers for the main menu in traces: the application.
  private var menuKeeper: ResponderID? { session.graph.application }

  private func asker(of claim: KeyClaim) -> ResponderID? { claim.declarer ?? menuKeeper }
}

extension [KeyClaim] {
  fileprivate var actions: JSON {
    .array(compactMap { claim in claim.action.map { .string($0.rawValue) } })
  }
}

extension Trace {
  /// Records a step, unless there is no responder to record it for.
  fileprivate mutating func note(
    _ question: Question, _ asked: ResponderID?, about selector: Selector? = nil,
    answer: @autoclosure () -> JSON
  ) {
    guard let asked else { return }
    note(question, .responder(asked), about: selector, answer: answer())
  }
}
