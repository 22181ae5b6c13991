import JSONText

/// Operations on storyboards and delegates (V1 to V7).
extension Operations {
  static let ofStoryboards: [any AnyOperation] = [
    launch, instantiate, performSegue, unwind, setDelegate, message, instantiateInEffect, segue,
    performSegueInEffect, unwindInEffect, delegate, messageInEffect,
  ]

  static let launch = Operation(
    "launch", needs: .declare, about: "Launches the application (V1).",
    Member(
      optional: "launch", .launch,
      about: "The launch. The default is the one of the catalogue's template."
    ),
    traits: .changesScreen
  ) { (performer: inout Performer, launch) throws(MutationFault) in
    try performer.launch(launch)
  }

  static let instantiate = Operation(
    "instantiate", needs: .declare, about: "Makes an instance of a scene (V2).",
    Member("scene", .scene, about: "The scene."),
    Member(optional: "id", .newResponder, about: "The id of the instance."), uses: .mutation
  ) { (performer: inout Performer, scene, id) throws(MutationFault) in
    performer.beginUndo(from: performer.session.undoOrigin)
    performer.outcome.instance = try performer.instantiate(scene, as: id)
  }

  static let instantiateInEffect = Operation(
    effect: "instantiate", about: "Instantiates a scene, or a responder of a class (V2).",
    Member(optional: "scene", .identifier(), about: "The scene."),
    Member(
      optional: "storyboard", .identifier(),
      about: "The storyboard. The default is the receiver's, else the one that is launched."),
    Member(optional: "class", .identifier(), about: "The class, in place of a scene."),
    Member(
      optional: "id", .newResponder, about: "The id. The default is the name of the scene or class."
    ),
    traits: .changesScreen,
    constraints: [.exactlyOne("class", "scene"), .only("storyboard", with: "scene")],
    check: checkSceneOrClass
  ) {
    (
      performer: inout Performer, scope, _, name: SceneName?, storyboard: StoryboardName?,
      className: ClassName?, id
    ) throws(MutationFault) in
    try performer.attributing(scope) { (performer) throws(MutationFault) in
      if let className { try performer.instantiate(className, as: id) }
      guard let name else { return }
      let scene = try performer.reference(to: name, in: storyboard, from: scope.responder)
      try performer.instantiate(scene, as: id)
    }
  }

  static let performSegue = Operation(
    "performSegue", needs: .perform, about: "Performs a segue (V3).",
    Member("request", .segueRequest),
    uses: .mutation
  ) { (performer: inout Performer, request) throws(MutationFault) in
    let sender = try performer.session.sender(request.sender)
    performer.beginUndo(from: request.source, sentBy: sender)
    performer.outcome.segue = try performer.performSegue(request, sender: sender)
  }

  static let segue = Operation(
    effect: "segue", about: "Performs a segue without asking first (V3).", identifier, source,
    sender,
    traits: .changesScreen
  ) {
    (performer: inout Performer, scope, invocation: inout Invocation, identifier, source, sender)
      throws(MutationFault) in
    let request = SegueRequest(
      identifier: identifier, source: source, trigger: .code, when: invocation.when)
    try performer.perform(request, sender: sender, in: scope, invocation)
  }

  static let performSegueInEffect = Operation(
    effect: "performSegue", about: "Performs a segue (V3).", identifier, source, sender,
    Member("by", .segueTrigger, about: "The trigger: the user, or the program.", default: .user),
    Member(optional: "id", .newResponder, about: "The id of the destination."),
    traits: .changesScreen
  ) {
    (
      performer: inout Performer, scope, invocation: inout Invocation, identifier, source, sender,
      trigger, id
    ) throws(MutationFault) in
    let request = SegueRequest(
      identifier: identifier, source: source, trigger: trigger, id: id, when: invocation.when)
    try performer.perform(request, sender: sender, in: scope, invocation)
  }

  static let unwind = Operation(
    "unwind", needs: .perform, about: "Unwinds (V6).", Member("request", .unwindRequest),
    uses: .mutation
  ) { (performer: inout Performer, request) throws(MutationFault) in
    let sender = try performer.session.sender(request.sender)
    performer.beginUndo(from: request.source, sentBy: sender)
    performer.outcome.segue = try performer.unwind(
      by: request.action, from: request.source, sending: Sending(by: sender, when: request.when))
  }

  static let unwindInEffect = Operation(
    effect: "unwind", about: "Unwinds (V6).",
    Member("action", .selector, about: "The unwind action."), source,
    sender, traits: .changesScreen
  ) {
    (performer: inout Performer, scope, invocation: inout Invocation, action, source, sender)
      throws(MutationFault) in
    let message = invocation
    try performer.attributing(scope) { (performer) throws(MutationFault) in
      _ = try performer.unwind(
        by: action, from: source,
        sending: Sending(
          by: sender.map(Sender.init(value:)) ?? message.sender, when: message.when))
    }
  }

  private static let identifier = Member(
    "identifier", MemberType<SegueIdentifier>.identifier(), about: "The identifier of the segue.")
  private static let source = Member(
    receiver: "source", about: "The view controller. The default is the receiver.")
  private static let sender = Member(
    optional: "sender", MemberType<JSON>.json,
    about: "The sender. The default is that of the running message.")
}

extension Operations {
  /// Rejects an effect with both a class and a scene, or neither.
  private static func checkSceneOrClass(_ reader: ObjectReader) {
    guard reader.has("class") else {
      if !reader.has("scene") { reader.log.note(.missingMember("scene"), at: reader.pointer) }
      return
    }
    for other in ["scene", "storyboard"] where reader.has(other) {
      reader.log.note(.conflictingMembers("class", other), at: reader.pointer)
    }
  }
}

extension Performer {
  fileprivate mutating func perform(
    _ request: SegueRequest, sender: JSON?, in scope: EffectScope, _ message: Invocation
  ) throws(MutationFault) {
    try attributing(scope) { (performer) throws(MutationFault) in
      try performer.performSegue(
        request, sender: sender.map(Sender.init(value:)) ?? message.sender)
    }
  }
}

extension Mutation {
  /// Launches the application (V1). The default is the launch of the catalogue's template.
  package static func launch(_ launch: Launch?) -> Mutation { Mutation(Operations.launch, launch) }

  /// Performs a segue (V3).
  package static func performSegue(_ request: SegueRequest) -> Mutation {
    Mutation(Operations.performSegue, request)
  }

  /// Unwinds (V6).
  package static func unwind(_ request: UnwindRequest) -> Mutation {
    Mutation(Operations.unwind, request)
  }
}

extension MemberType where Value == SceneReference {
  /// The members that name a scene of a storyboard.
  static var scene: MemberType {
    MemberType(
      [
        MemberDescription("storyboard", "Identifier", isRequired: true, about: "The storyboard."),
        MemberDescription("scene", "Identifier", isRequired: true, about: "The scene."),
      ],
      read: { reader in
        let storyboard: StoryboardName? = reader.required("storyboard", Read.identifier)
        let scene: SceneName? = reader.required("scene", Read.identifier)
        guard let storyboard, let scene else { return nil }
        return SceneReference(storyboard: storyboard, scene: scene)
      },
      write: {
        [
          ("storyboard", .string($0.storyboard.rawValue)), ("scene", .string($0.scene.rawValue)),
        ]
      })
  }
}

extension MemberType where Value == SegueRequest.Trigger {
  static var segueTrigger: MemberType {
    MemberType("SegueTrigger", read: Read.word, write: { .string($0.rawValue) })
  }
}

extension MemberType where Value == SegueRequest {
  static var segueRequest: MemberType {
    MemberType(
      [
        MemberDescription(
          "identifier", "Identifier", isRequired: true, about: "The identifier of the segue."),
        MemberDescription(
          "source", "Identifier", isRequired: true, about: "The view controller that has it."),
        MemberDescription("by", "SegueTrigger", about: "The trigger: the user, or the program."),
        MemberDescription("sender", "Sender", about: "The sender."),
        MemberDescription("id", "Identifier", about: "The id of the destination."),
        MemberDescription("when", "Time", about: "When it is performed. The default is now."),
      ],
      read: { SegueRequest(&$0, $0.required("identifier", Read.identifier)) }, write: \.members,
      dated: { $0.dated($1) })
  }
}

extension MemberType where Value == UnwindRequest {
  static var unwindRequest: MemberType {
    MemberType(
      [
        MemberDescription("action", "Selector", isRequired: true, about: "The unwind action."),
        MemberDescription("source", "Identifier", isRequired: true, about: "The view controller."),
        MemberDescription("sender", "Sender", about: "The sender."),
        MemberDescription("when", "Time", about: "When it is done. The default is now."),
      ], read: { UnwindRequest(&$0) }, write: \.members, dated: { $0.dated($1) })
  }
}

extension Performer {
  /// Launches the application, by default with the launch of the catalogue's template.
  ///
  /// **Decision:** a launch is not a user action. It cannot be undone, and earlier undo registrations stay.
  mutating func launch(_ given: Launch?) throws(MutationFault) {
    guard let launch = given ?? catalog.template?.launch else {
      throw .launch(.nothingToLaunch)
    }
    let wasRegistered = session.undo.event.isRegistered
    session.undo.event.isRegistered = false
    let steps = try self.launch(launch, when: nil)
    if phase.isInHandler {
      session.undo.event.isRegistered = wasRegistered
    } else {
      outcome.launch = steps
    }
  }

  /// Returns the scene that a responder's handler names, by default in the responder's own storyboard.
  func reference(
    to scene: SceneName, in storyboard: StoryboardName?, from receiver: ResponderID
  ) throws(MutationFault) -> SceneReference {
    let name =
      storyboard ?? session.graph[receiver]?.scene?.storyboard
      ?? catalog.template?.launch?.storyboard
    guard let name else { throw .storyboard(.noStoryboard(receiver)) }
    return SceneReference(storyboard: name, scene: scene)
  }

  /// Unwinds by an action, without a segue.
  mutating func unwind(
    by action: Selector, from source: ResponderID, sending: Sending
  ) throws(MutationFault) -> SegueOutcome {
    let segue = SegueInProgress(identifier: nil, kind: .unwind, source: source, destination: nil)
    return try unwind(by: action, segue, of: nil, sending: sending)
  }

  /// Sends a message, or queues it.
  mutating func deliver(_ request: MessageRequest) throws(MutationFault) -> MessageOutcome {
    guard !request.isQueued else { return try enqueue(request) }
    let sender = Sender(of: request.message, from: request.from)
    switch request.destination {
    case .chain: return try sendUp(request, sender: sender)
    case .delegate: return try sendToDelegate(request, sender: sender)
    }
  }
}

extension Session {
  /// Returns the sender of a request.
  ///
  /// - Throws: `MutationFault.unknownResponder` if it is a missing responder.
  func sender(_ description: SenderDescription?) throws(MutationFault) -> Sender? {
    try check(description?.responder)
    return description.map { Sender(description: $0) }
  }
}

extension Sender {
  /// Creates a sender from a handler's value, which stays unchanged (V5). The responder is named by its id or
  /// given as a whole; the action is the one in the value.
  init(value: JSON) {
    var members = value.members
    var responder: ResponderID?
    switch members["responder"] {
    case .string(let text): responder = ResponderID(text)
    case .object(let object):
      if case .string(let text)? = object["id"] { responder = ResponderID(text) }
    case .null, .bool, .int, .double, .array, nil: break
    }
    members["responder"] = nil
    self.init(
      command: nil, description: SenderDescription(responder: responder, members: members),
      value: value)
  }
}
