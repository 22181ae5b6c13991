import JSONText

extension Inquiry {
  /// Returns the meaning of a key now: the matches are tried in order (K1), and one that cannot be
  /// performed does not swallow the key (K3).
  mutating func resolve(_ press: KeyPress) throws(MutationFault) -> KeyResolution {
    sender = press.sender.map { Sender(command: nil, description: $0) }
    var rest = matches(for: press)[...]
    var tried: [KeyMatch] = []
    while let claim = rest.popFirst() {
      sender = claim.sender(besides: press.sender)
      let attempt = attempt(claim, press)
      try effort.check()
      guard let match = attempt else { continue }
      tried.append(match)
      if match.isEnabled { break }
      trace.note(
        .passOver, asker(of: claim), about: claim.action, answer: .string(match.reason.rawValue))
    }
    return KeyResolution(key: press.key, tried: tried, shadowed: Array(rest), trace: trace)
  }

  /// The declarations that match, in order. The responders are those whom the session's own search
  /// asks: with AppKit's also the main window's, the application and its delegate (R10, a decision).
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

  /// A match, or nil when it is not there now (K5).
  private mutating func attempt(_ claim: KeyClaim, _ press: KeyPress) -> KeyMatch? {
    effort.spend(trace.isRecording ? 3 * Effort.traceStep : 1)
    do throws(RuleFault) {
      switch claim.declaration {
      case .command(let command): return match(claim, as: command, by: press)
      case .keyCommand(let keyCommand, _):
        guard try isThere(claim) else { return nil }
        guard try isEnabled(claim) else {
          return KeyMatch(claim: claim, reason: .ruleFalse, target: nil, fault: nil)
        }
        return match(claim, as: keyCommand.command, by: press)
      }
    } catch {
      return KeyMatch(claim: claim, reason: .ruleError, target: nil, fault: error)
    }
  }

  /// The action's target is searched anew (K2), and it validates (M5).
  private mutating func match(
    _ claim: KeyClaim, as command: Command, by press: KeyPress
  ) -> KeyMatch {
    let item = validate(command, from: press.from).item
    return KeyMatch(
      claim: claim, reason: item.reason, target: item.target, fault: item.fault,
      proxied: item.proxied)
  }

  /// True if a key command is there now (K5). One whose rule fails is, and cannot be performed.
  mutating func isThere(_ claim: KeyClaim) throws(RuleFault) -> Bool {
    try answer(of: claim, to: .when) { $0.when }
  }

  private mutating func isEnabled(_ claim: KeyClaim) throws(RuleFault) -> Bool {
    try answer(of: claim, to: .enabled) { $0.enabled }
  }

  /// Returns the answer of a rule of a key command; true without one.
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

  /// The responder that keeps the main menu: the application.
  private var menuKeeper: ResponderID? { session.graph.application }

  private func asker(of claim: KeyClaim) -> ResponderID? { claim.declarer ?? menuKeeper }
}

extension [KeyClaim] {
  fileprivate var actions: JSON {
    .array(compactMap { claim in claim.action.map { .string($0.rawValue) } })
  }
}

extension Trace {
  /// Notes a step, unless there is nobody to ask.
  fileprivate mutating func note(
    _ question: Question, _ asked: ResponderID?, about selector: Selector? = nil,
    answer: @autoclosure () -> JSON
  ) {
    guard let asked else { return }
    note(question, .responder(asked), about: selector, answer: answer())
  }
}
