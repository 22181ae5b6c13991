import JSONText

/// The result of resolving a pressed key, without performing anything.
package struct KeyResolution: Equatable, Sendable {
  /// The strokes so far.
  package let key: KeySequence
  /// The platform that was pressed on.
  package let platform: KeyPlatform
  /// The matches tried, in order (K1); only the last one can be enabled.
  package let tried: [KeyMatch]
  /// The matches after the chosen one, which were not tried.
  package let shadowed: [KeyClaim]
  /// The longer keys that begin with these strokes and can be performed, in order (K8); empty for a final press.
  package let continuations: [KeyMatch]
  /// The trace, if requested.
  package let trace: Trace

  /// `enabled` if a match is performed, `pending` if another stroke can follow, otherwise the reason for passing over
  /// the first match; `noMatch` if there is none.
  package var reason: ValidationReason {
    isPending ? .pending : chosen?.reason ?? tried.first?.reason ?? .noMatch
  }

  /// The resolution without responders' key commands, which perform no command.
  package var ofCommands: KeyResolution {
    KeyResolution(
      key: key, platform: platform, tried: tried.filter(\.claim.isOfCommand),
      shadowed: shadowed.filter(\.isOfCommand),
      continuations: continuations.filter(\.claim.isOfCommand), trace: trace)
  }

  /// The command that is performed; nil for none, or if a responder's key command is.
  package var command: CommandID? { chosen?.claim.command }

  /// True if another stroke can follow (K8).
  package var isPending: Bool { !continuations.isEmpty }

  /// The match that is performed; nil for none, and while another stroke can follow.
  package var chosen: KeyMatch? { isPending ? nil : whole }

  /// The match that is performed if no other stroke follows; nil for none.
  package var whole: KeyMatch? { tried.last.flatMap { $0.isEnabled ? $0 : nil } }
}

/// A declaration that matches a pressed key (K4), with its validation.
package struct KeyMatch: Equatable, Sendable {
  package let claim: KeyClaim
  /// `enabled` if it is chosen, else the reason for passing it over (K3).
  package let reason: ValidationReason
  /// The failed rule, if the reason is `ruleError`.
  package let fault: RuleFault?
  /// Its item, with the target of the action, from a search of its own (K2); nil if a rule of the key command excludes
  /// it.
  package let item: ValidatedItem?

  package var isEnabled: Bool { reason == .enabled }

  /// The validated title, or else the declared one; nil for none.
  package var title: String? {
    guard let title = item?.title, !title.isEmpty else { return claim.title }
    return title
  }

  /// The validated title in a list of key commands, or else the declared one; nil for none.
  package var discoverabilityTitle: String? {
    item?.discoverabilityTitle ?? claim.discoverabilityTitle
  }

  /// The target of the action.
  package var target: Receiver? { item?.target }

  /// True if its command cannot be performed without parameters, and the key has none.
  package var needsParameters: Bool { item?.needsParameters == true && claim.parameters == nil }
}

extension KeyMatch {
  fileprivate init(_ claim: KeyClaim, reason: ValidationReason, fault: RuleFault? = nil) {
    self.init(claim: claim, reason: reason, fault: fault, item: nil)
  }

  fileprivate init(_ claim: KeyClaim, _ item: ValidatedItem) {
    self.init(claim: claim, reason: item.reason, fault: item.fault, item: item)
  }
}

extension Inquiry {
  /// Returns the resolution of a key: matches are tried in order (K1), and one that cannot be performed does
  /// not swallow the key (K3).
  mutating func resolve(_ press: KeyPress) throws(MutationFault) -> KeyResolution {
    sender = press.sender.map { Sender(description: $0) }
    let claims = try matches(for: press)
    let longer = claims.filter { ($0.key?.count ?? 0) > press.key.count }
    var rest =
      longer.isEmpty ? claims[...] : claims.filter { $0.key?.count == press.key.count }[...]
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
    let continuations = press.isFinal == true ? [] : try continuations(longer, of: press)
    return KeyResolution(
      key: press.key, platform: press.platform ?? .apple, tried: tried, shadowed: Array(rest),
      continuations: continuations, trace: trace)
  }

  /// Returns the longer keys that can be performed, each once (K8).
  private mutating func continuations(
    _ longer: [KeyClaim], of press: KeyPress
  ) throws(MutationFault) -> [KeyMatch] {
    var found: [KeyMatch] = []
    var taken = TakenKeys()
    for claim in longer {
      guard let key = claim.key, !taken.contains(key) else { continue }
      sender = claim.sender(besides: press.sender)
      let match = attempt(claim, from: press.from)
      try effort.check()
      guard let match, match.isEnabled else { continue }
      found.append(match)
      taken.insert(key)
    }
    return found
  }

  /// Returns the declarations of the key, and of longer ones that begin with it, in order. The responders are those of
  /// the session's search: in AppKit's also the main window's, the application and its delegate (R10, a decision).
  private mutating func matches(
    for press: KeyPress
  ) throws(MutationFault) -> [KeyClaim] {
    var responders: [KeyClaim] = []
    for id in order(from: press.from) {
      if trace.isRecording { effort.spend(Effort.traceStep) }
      let claims = keyClaims(of: id, matching: press.key)
      trace.note(.keyCommands, .responder(id), answer: claims.actions)
      responders += claims
    }
    let platform = press.platform ?? .apple
    effort.spend(catalog.keyClaims.count)
    let commands = catalog.keyClaims.filter { $0.match(press.key, on: platform) != nil }
    trace.note(.menuKeys, menuKeeper, answer: commands.actions)
    let chosen = keymapClaims(on: platform, matching: press.key)
    if keymap != nil { trace.note(.keymap, menuKeeper, answer: chosen.actions) }
    let claims = KeyClaims(ofKeymap: chosen, ofResponders: responders, ofCommands: commands)
    return try remaining(of: claims.ordered, on: platform, from: press.from)
  }

  /// Returns the match, which the target of its action validates (K2, M5); nil if it does not exist at present
  /// (K5).
  mutating func attempt(_ claim: KeyClaim, from: ResponderID?) -> KeyMatch? {
    effort.spend(trace.isRecording ? 3 * Effort.traceStep : 1)
    do throws(RuleFault) {
      guard try isThere(claim, from: from) else { return nil }
      switch claim.declaration {
      case .command(let command):
        return KeyMatch(claim, validate(command, from: from).item)
      case .entry(let entry, let command):
        guard let brought = entry.parameters, case .entry(_, let index) = claim.holder else {
          return KeyMatch(claim, validate(command, from: from).item)
        }
        let (item, _) = validate(
          command, bringing: brought, at: "entries/\(index)/parameters",
          writtenAs: JSON.object(brought).text(), from: from)
        return KeyMatch(claim, item)
      case .keyCommand(let keyCommand, _):
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

  /// Returns true if a declaration exists at present, according to its rule (K5, K9). If the rule fails, the
  /// declaration exists but cannot be performed.
  mutating func isThere(_ claim: KeyClaim, from: ResponderID?) throws(RuleFault) -> Bool {
    if case .entry(let entry, _) = claim.declaration, case .entry(_, let index) = claim.holder {
      return try holds(entry, at: index, from: from)
    }
    return try answer(of: claim, to: .when) { $0.when }
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

  /// The responder recorded for the main menu in traces: the application.
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
