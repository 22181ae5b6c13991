import CEL
import JSONText

/// Operations that perform commands, send actions and press keys.
extension Operations {
  static let ofRequests: [any AnyOperation] = [
    perform, pressKey, invoke, performInEffect, pressKeyInEffect, invokeInEffect,
  ]

  static let perform = Operation(
    "perform", needs: .perform, about: "Performs a command (M7) or sends an action (R7).",
    Member("request", .actionRequest),
    uses: .mutation, traits: .sends,
    constraints: [
      .exactlyOne("command", "action"), .only("modifiers", with: "command"),
      .only("parameters", with: "command"), .only("confirmed", with: "command"),
      .only("itemKey", with: "command"), .atMostOne("itemKey", "parameters"),
      .atMostOne("itemKey", "modifiers"),
    ]
  ) { (performer: inout Performer, request) throws(MutationFault) in
    try performer.perform(request)
  }

  static let pressKey = Operation(
    "pressKey", needs: .perform, about: "Performs what a key means (K1).",
    Member("press", .keyPress),
    uses: .mutation,
    traits: .sends
  ) { (performer: inout Performer, press) throws(MutationFault) in try performer.press(press) }

  static let invoke = Operation(
    "invoke", needs: .perform,
    about: "Sends an invocation again, to its target or else along the chain (F9).",
    Member("invocation", .invocation, about: "The message."), uses: .mutation, traits: .sends
  ) { (performer: inout Performer, invocation) throws(MutationFault) in
    try performer.invoke(invocation)
  }

  static let performInEffect = Operation(
    effect: "perform",
    about: "Performs a command (M7) or sends an action (R7), as a front end does.",
    Member(optional: "command", .identifier(), about: "The command."), itemKey,
    Member(optional: "action", .selector, about: "The action, in place of a command."), sender,
    from,
    Member(optional: "to", .receiver, about: "The receiver, without a search."),
    Member(optional: "arguments", .arguments, about: "The arguments."),
    Member("modifiers", .modifiers, about: "The modifiers held.", default: []),
    Member(optional: "parameters", .parameters, about: "The parameters of the command (P2)."),
    window,
    traits: .changesScreen,
    constraints: [
      .exactlyOne("command", "action"), .only("modifiers", with: "command"),
      .only("parameters", with: "command"), .only("itemKey", with: "command"),
      .atMostOne("itemKey", "parameters"), .atMostOne("itemKey", "modifiers"),
    ],
    check: checkCommandOrAction
  ) {
    (
      performer: inout Performer, scope, invocation: inout Invocation, command: CommandID?, itemKey,
      action, sender, from, to, arguments, modifiers, parameters, window
    ) throws(MutationFault) in
    let subject = command.map(ActionRequest.Subject.command) ?? action.map { .action($0) }
    guard let subject else { return }
    let request = ActionRequest(
      subject, itemKey: itemKey, sender: sender, from: from, window: window, to: to,
      arguments: arguments,
      parameters: parameters, modifiers: modifiers, when: invocation.when)
    try performer.attributing(scope) { (performer) throws(MutationFault) in
      try performer.perform(request)
    }
  }

  static let pressKeyInEffect = Operation(
    effect: "pressKey",
    about: "Performs what a key means on Apple's platforms (K1), as a front end does.",
    Member("key", .key, about: "The key, and all modifiers held."), from, sender, window,
    traits: .changesScreen
  ) {
    (performer: inout Performer, scope, invocation: inout Invocation, key, from, sender, window)
      throws(MutationFault) in
    // Handlers give the complete key.
    let press = KeyPress(
      key, isFinal: true, from: from, window: window, sender: sender, when: invocation.when)
    try performer.attributing(scope) { (performer) throws(MutationFault) in
      try performer.press(press)
    }
  }

  static let invokeInEffect = Operation(
    effect: "invoke",
    about: "Sends an invocation again, to its target or else along the chain (F9).",
    Member("invocation", .object, about: "The message."), traits: .changesScreen
  ) {
    (performer: inout Performer, scope, running: inout Invocation, message) throws(MutationFault) in
    let log = FaultLog()
    let invocation = Invocation(reading: message, at: .root, log: log, in: performer.catalog)
    guard let invocation, log.faults.isEmpty else {
      throw scope.fault("invocation", .answered(.map, expected: .invocation))
    }
    try performer.attributing(scope) { (performer) throws(MutationFault) in
      try performer.invoke(running.when.map(invocation.dated) ?? invocation)
    }
  }

  private static let itemKey = Member(
    optional: "itemKey", MemberType<ItemKey>.itemKey, about: itemKeyDescription.about)
  private static let sender = Member(
    optional: "sender", MemberType<SenderDescription>.sender,
    about: "The sender. The default is the request itself for an action.")
  private static let from = Member(
    optional: "from", MemberType<ResponderID>.responder,
    about: "Where the search begins. The default is the first responder.")
  private static let window = Member(
    optional: "window", MemberType<ResponderID>.responder,
    about: "The window that is as if it were key (R11). The default is the one that is.")
}

extension Operations {
  /// Rejects an effect with both a command and an action, or neither.
  private static func checkCommandOrAction(_ reader: ObjectReader) {
    switch (reader.has("command"), reader.has("action")) {
    case (true, true): reader.log.note(.conflictingMembers("command", "action"), at: reader.pointer)
    case (false, false):
      reader.log.note(.missingMember("command", orElse: ["action"]), at: reader.pointer)
    case (true, false), (false, true): break
    }
    reader.checkItemKey()
    for member in ["modifiers", "parameters", "itemKey"]
    where reader.has("action") && reader.has(member) {
      reader.log.note(.conflictingMembers("action", member), at: reader.pointer)
    }
  }
}

/// The member of requests that names the window to treat as key.
private let windowDescription = MemberDescription(
  "window", "Identifier",
  about: "The window that is as if it were key (R11). The default is the one that is.")

/// The member of requests that names an item from data.
private let itemKeyDescription = MemberDescription(
  "itemKey", "ItemKey",
  about: "The key of an item from data of the command (M12), which brings its parameters.")

/// The member of requests for the user's confirmation.
private let confirmedDescription = MemberDescription(
  "confirmed", "Confirmed",
  about: "True if a person agreed to the command's confirmation (W4). The default is false.")

extension MemberType where Value == ActionRequest {
  /// The members of a request to perform a command or send an action.
  static var actionRequest: MemberType {
    MemberType(
      [
        MemberDescription("command", "Identifier", about: "The command."), itemKeyDescription,
        MemberDescription("action", "Selector", about: "The action, in place of a command."),
        MemberDescription("sender", "Sender", about: "The sender."),
        MemberDescription(
          "from", "Identifier",
          about: "Where the search begins. The default is the first responder."),
        windowDescription,
        MemberDescription("to", "Receiver", about: "The receiver, without a search."),
        MemberDescription("arguments", "Arguments", about: "The arguments."),
        MemberDescription("parameters", "Parameters", about: "The parameters of the command (P2)."),
        MemberDescription("when", "Time", about: "When it is performed. The default is now."),
        MemberDescription("modifiers", "Modifiers", about: "The modifiers held."),
        confirmedDescription,
      ], read: { ActionRequest(&$0) }, write: \.members, dated: { $0.dated($1) })
  }
}

extension MemberType where Value == KeyPress {
  static var keyPress: MemberType {
    MemberType(
      [
        MemberDescription(
          "key", "KeyOrStrokes", isRequired: true,
          about: "The key, and all modifiers held; or the strokes so far (K8)."),
        MemberDescription(
          "final", "FinalStroke",
          about: "True if no further stroke is waited for (K8). The default is false."),
        MemberDescription(
          "platform", "KeyPlatform",
          about: "The platform that it is pressed on (M2). The default is `apple`."),
        MemberDescription(
          "from", "Identifier", about: "Where the chain begins. The default is the first responder."
        ),
        windowDescription,
        MemberDescription("sender", "Sender", about: "The sender."),
        confirmedDescription,
        MemberDescription("when", "Time", about: "When it was pressed. The default is now."),
      ], read: { KeyPress(&$0) }, write: \.members, dated: { $0.dated($1) })
  }
}

extension Mutation {
  /// Performs a command (M7) or sends an action (R7).
  public static func perform(_ request: ActionRequest) -> Mutation {
    Mutation(Operations.perform, request)
  }

  /// Performs the command or action of a key press (K1).
  public static func pressKey(_ press: KeyPress) -> Mutation {
    Mutation(Operations.pressKey, press)
  }

  /// Sends a message again, to its target or, if it has none, along the chain (F9).
  package static func invoke(_ invocation: Invocation) -> Mutation {
    Mutation(Operations.invoke, invocation)
  }

  /// The command that the mutation performs, if it names one.
  package var command: CommandID? {
    guard case .command(let id)? = values(of: Operations.perform)?.values.subject else {
      return nil
    }
    return id
  }
}

extension Performer {
  /// Performs a command or sends an action (M7, R7).
  mutating func perform(_ request: ActionRequest) throws(MutationFault) {
    try inWindow(request.window) { (performer) throws(MutationFault) in
      try performer.performHere(request)
    }
  }

  /// Performs a request in the current window.
  private mutating func performHere(_ request: ActionRequest) throws(MutationFault) {
    if let plan = request.plan { try session.use(plan, at: request.when) }
    try session.check(request.from)
    try session.check(request.to?.responder)
    try session.check(request.sender?.responder)
    switch request.subject {
    case .command(let id):
      guard let command = catalog.command(id) else { throw .unknownCommand(id) }
      if let key = request.itemKey {
        let element = try element(key, of: command)
        return try performShown(
          command.asItem(of: element), request.bringing(element.parameters), showing: element)
      }
      try performShown(command.whileHolding(request.modifiers), request)
    case .action(let action):
      try check(request.parameters, of: nil)
      let sender = request.sender.map { Sender(description: $0) }
      let search = inquire(sender) { $0.search(for: action, from: request.from, to: request.to) }
      try send(action, asRequested: request, sender, to: found(search, action))
    }
  }

  /// Sends a message again (F9): to its target, else along the chain.
  mutating func invoke(_ invocation: Invocation) throws(MutationFault) {
    var invocation = invocation
    invocation.sender = invocation.sender.map { shown($0) }
    let search = inquire(invocation.sender) {
      $0.search(for: invocation.selector, to: invocation.target)
    }
    try deliver(invocation, to: found(search, invocation.selector))
  }

  /// Performs a command or an item of it as shown.
  private mutating func performShown(
    _ command: Command, _ request: ActionRequest, showing element: DataElement? = nil
  ) throws(MutationFault) {
    // Rules for choices read what the target's rules read, so they are evaluated together. The parameters of an item
    // from data are checked with the item.
    if !command.hasPresentChoices, element == nil {
      try check(request.parameters, of: command)
    }
    let sender = Sender(command: command, description: request.sender)
    let (item, target) = inquire(sender) { $0.validate(command, asIn: request, showing: element) }
    if command.hasPresentChoices, element == nil {
      do throws(MutationFault) {
        try check(request.parameters, of: command, from: sender, at: target)
      } catch {
        // If choices are unknown for the item, the reason why it is disabled takes precedence.
        guard !item.isEnabled, case .command(.invalidParameters(_, let faults)) = error,
          faults.areUnknown
        else { throw error }
      }
    }
    guard item.isEnabled, let target, let action = command.action else {
      throw refused(item, of: command)
    }
    try checkConfirmation(of: item, request.confirmed)
    if !phase.isInHandler {
      let isComposed = target.composes(item.title, of: command, in: catalog)
      session.nameUndoGroup(after: item.title, of: command, isComposed: isComposed)
    }
    events.append(.willSendAction(command.id, action, target: target.receiver))
    let isPerformed = try send(action, asRequested: request, sender, to: target)
    if !phase.isInHandler { outcome.note(item) }
    if isPerformed, !phase.isInHandler { session.noteUse(of: command.id) }
    events.append(
      .didSendAction(command.id, action, target: target.receiver, isPerformed: isPerformed))
  }

  /// Refuses a command whose item requires a confirmation, unless it was confirmed, the session is a dry copy, or an
  /// effect performs it (W4). Mutations of a reply do not count as effects, although they are applied like effects.
  func checkConfirmation(of item: ValidatedItem, _ confirmed: Bool?) throws(MutationFault) {
    let isInEffect = phase.depth > (replier == nil ? 0 : 1)
    guard let confirmation = item.confirmation, confirmed != true, !context.isDry, !isInEffect
    else { return }
    throw .command(.needsConfirmation(item, confirmation))
  }

  /// Returns the refusal of an item of a command.
  func refused(_ item: ValidatedItem, of command: Command) -> MutationFault {
    .command(
      .notPerformed(
        Refusal(
          item: item, action: command.action, reason: item.reason, fault: item.fault, trace: trace))
    )
  }

  private func found(
    _ search: Inquiry.Search, _ action: Selector
  ) throws(MutationFault) -> Inquiry.Target {
    switch search {
    case .found(let target): return target
    case .nobody(let fault):
      throw .command(
        .notPerformed(
          Refusal(
            item: nil, action: action, reason: fault == nil ? .noTarget : .ruleError, fault: fault,
            trace: trace)))
    case .cycle:
      throw .command(
        .notPerformed(
          Refusal(item: nil, action: action, reason: .cycle, fault: nil, trace: trace)))
    }
  }

  @discardableResult
  private mutating func send(
    _ action: Selector, asRequested request: ActionRequest, _ sender: Sender?,
    to target: Inquiry.Target
  ) throws(MutationFault) -> Bool {
    var invocation = try Invocation(
      action, of: sender, to: target.receiver, arguments: request.arguments, when: request.when,
      in: session)
    invocation.parameters = request.parameters ?? JSONObject()
    return try deliver(invocation, to: target)
  }

  /// Delivers a message to a target. Returns true if a handler ran.
  @discardableResult
  private mutating func deliver(
    _ invocation: Invocation, to target: Inquiry.Target
  ) throws(MutationFault) -> Bool {
    if !phase.isInHandler, session.undo.event.actionName == nil,
      let title = invocation.sender?.title
    {
      session.nameUndoGroup(after: title, of: invocation.sender?.command)
    }
    var invocation = invocation
    invocation.target = target.receiver
    invocation.result = nil
    let reason = try deliver(&invocation, to: target.receiver)
    guard !phase.isInHandler else { return reason == .enabled }
    outcome.performance = Outcome.Performance(
      isPerformed: reason == .enabled, reason: reason, target: target.receiver,
      proxied: target.proxied, invocation: invocation, trace: trace)
    return reason == .enabled
  }
}

extension Session {
  /// Returns an inquiry into this session for a sender, by default none.
  func inquiry(in context: SessionContext, sender: Sender? = nil) -> Inquiry {
    Inquiry(
      self, in: context, source: .sender(sender), trace: Trace(isRecording: context.isExplaining))
  }

  /// Throws `unknownResponder` if the responder does not exist.
  func check(_ responder: ResponderID?) throws(MutationFault) {
    if let responder, !graph.contains(responder) { throw .unknownResponder(responder) }
  }
}

extension Inquiry.Target {
  /// Returns true if a title is neither the command's nor a literal in its rule, nor the translation of a literal key,
  /// and so describes the present state.
  fileprivate func composes(_ title: String, of command: Command, in catalog: Catalog) -> Bool {
    guard !title.hasSameBytes(as: command.title) else { return false }
    return handler?.validate.title?.spellsOut(title, in: catalog.translations) != true
  }
}
