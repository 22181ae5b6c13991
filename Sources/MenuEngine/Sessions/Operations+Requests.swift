import CEL
import JSONText

/// Operations that perform commands, send actions and press keys.
extension Operations {
  static let ofRequests: [any AnyOperation] = [
    perform, pressKey, invoke, performInEffect, pressKeyInEffect, invokeInEffect,
  ]

  static let perform = Operation(
    "perform", about: "Performs a command (M7) or sends an action (R7).",
    Member("request", .actionRequest),
    uses: .mutation, traits: .sends,
    constraints: [
      .exactlyOne("command", "action"), .only("modifiers", with: "command"),
      .only("parameters", with: "command"),
    ]
  ) { (performer: inout Performer, request) throws(MutationFault) in
    try performer.perform(request)
  }

  static let pressKey = Operation(
    "pressKey", about: "Performs what a key means (K1).", Member("press", .keyPress),
    uses: .mutation,
    traits: .sends
  ) { (performer: inout Performer, press) throws(MutationFault) in try performer.press(press) }

  static let invoke = Operation(
    "invoke", about: "Sends an invocation again, to its target or else along the chain (F9).",
    Member("invocation", .invocation, about: "The message."), uses: .mutation, traits: .sends
  ) { (performer: inout Performer, invocation) throws(MutationFault) in
    try performer.invoke(invocation)
  }

  static let performInEffect = Operation(
    effect: "perform",
    about: "Performs a command (M7) or sends an action (R7), as a front end does.",
    Member(optional: "command", .identifier(), about: "The command."),
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
      .only("parameters", with: "command"),
    ],
    check: checkCommandOrAction
  ) {
    (
      performer: inout Performer, scope, invocation: inout Invocation, command: CommandID?, action,
      sender, from, to, arguments, modifiers, parameters, window
    ) throws(MutationFault) in
    let subject = command.map(ActionRequest.Subject.command) ?? action.map { .action($0) }
    guard let subject else { return }
    let request = ActionRequest(
      subject, sender: sender, from: from, window: window, to: to, arguments: arguments,
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
    let press = KeyPress(key, from: from, window: window, sender: sender, when: invocation.when)
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
  /// Refuses an effect that names both a command and an action, or neither.
  private static func checkCommandOrAction(_ reader: ObjectReader) {
    switch (reader.has("command"), reader.has("action")) {
    case (true, true): reader.log.note(.conflictingMembers("command", "action"), at: reader.pointer)
    case (false, false):
      reader.log.note(.missingMember("command", orElse: ["action"]), at: reader.pointer)
    case (true, false), (false, true): break
    }
    for member in ["modifiers", "parameters"] where reader.has("action") && reader.has(member) {
      reader.log.note(.conflictingMembers("action", member), at: reader.pointer)
    }
  }
}

/// The member of requests that says in which window they are made.
private let windowDescription = MemberDescription(
  "window", "Identifier",
  about: "The window that is as if it were key (R11). The default is the one that is.")

extension MemberType where Value == ActionRequest {
  /// A command to perform or an action to send, in several members.
  static var actionRequest: MemberType {
    MemberType(
      [
        MemberDescription("command", "Identifier", about: "The command."),
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
      ], read: { ActionRequest(&$0) }, write: \.members, dated: { $0.dated($1) })
  }
}

extension MemberType where Value == KeyPress {
  /// A key that was pressed, in several members.
  static var keyPress: MemberType {
    MemberType(
      [
        MemberDescription(
          "key", "Key", isRequired: true, about: "The key, and all modifiers held."),
        MemberDescription(
          "platform", "KeyPlatform",
          about: "The platform that it is pressed on (M2). The default is `apple`."),
        MemberDescription(
          "from", "Identifier", about: "Where the chain begins. The default is the first responder."
        ),
        windowDescription,
        MemberDescription("sender", "Sender", about: "The sender."),
        MemberDescription("when", "Time", about: "When it was pressed. The default is now."),
      ], read: { KeyPress(&$0) }, write: \.members, dated: { $0.dated($1) })
  }
}

extension Mutation {
  /// Performs a command (M7) or sends an action (R7).
  public static func perform(_ request: ActionRequest) -> Mutation {
    Mutation(Operations.perform, request)
  }

  /// Performs what a key means (K1).
  public static func pressKey(_ press: KeyPress) -> Mutation {
    Mutation(Operations.pressKey, press)
  }

  /// Sends a message again, to its target or, without one, along the chain (F9).
  public static func invoke(_ invocation: Invocation) -> Mutation {
    Mutation(Operations.invoke, invocation)
  }

  /// The command that it performs, if it names one.
  public var command: CommandID? {
    guard case .command(let id)? = values(of: Operations.perform)?.values.subject else {
      return nil
    }
    return id
  }
}
