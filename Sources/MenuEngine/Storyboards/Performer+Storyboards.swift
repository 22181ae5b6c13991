import JSONText

extension Performer {
  /// Launches the application, by default as the catalogue's template says.
  ///
  /// **Decision:** a launch is not an action of the user. It cannot be undone, neither the launch
  /// with which a session is opened nor a later one, and registrations before it stay.
  mutating func launch(_ given: Launch?) throws(MutationFault) {
    guard let launch = given ?? catalog.template?.launch else {
      throw .storyboard(.nothingToLaunch)
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

  /// The scene that a responder's handler names, by default of the responder's own storyboard.
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

  /// Sends a message to whom it is for, or lets it wait.
  mutating func deliver(_ request: MessageRequest) throws(MutationFault) -> MessageOutcome {
    guard !request.isQueued else { return try enqueue(request) }
    let sender = Sender(
      command: nil,
      description: SenderDescription(
        responder: request.from, members: ["action": .string(request.message.rawValue)]))
    switch request.destination {
    case .chain: return try sendUp(request, sender: sender)
    case .delegate: return try sendToDelegate(request, sender: sender)
    }
  }
}

extension Session {
  /// The sender that a request describes.
  ///
  /// - Throws: `MutationFault.unknownResponder` when it is a responder that is not there.
  func sender(_ description: SenderDescription?) throws(MutationFault) -> Sender? {
    try check(description?.responder)
    return description.map { Sender(command: nil, description: $0) }
  }
}

extension Sender {
  /// The sender that a handler gives as a value, which stays as it is (V5); it is the responder that it
  /// names by its id or whole, and carries the action that it names.
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
