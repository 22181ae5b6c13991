import JSONText

/// A mutation of a session by its storyboards and delegates (V1–V7).
public enum StoryboardMutation: Sendable, Codable {
  /// Launches the application, by default as the catalogue's template says (V1).
  case launch(Launch?)
  /// Makes an instance of a scene (V2); who never had a container, presenter or window stays.
  case instantiate(SceneReference, id: ResponderID?)
  /// Performs a segue (V3).
  case performSegue(SegueRequest)
  /// Unwinds (V6).
  case unwind(UnwindRequest)
  /// Makes a responder the delegate of another one, or nobody (V7).
  case setDelegate(ResponderID?, of: ResponderID)
  /// Sends a message, or lets it wait (C2, C6, V7).
  case message(MessageRequest)
}

extension StoryboardMutation {
  /// The mutation, its messages sent at a time unless they say their own.
  public func dated(_ time: Int64) -> StoryboardMutation {
    switch self {
    case .performSegue(var request):
      request.when = request.when ?? time
      return .performSegue(request)
    case .unwind(var request):
      request.when = request.when ?? time
      return .unwind(request)
    case .message(let request): return .message(request.dated(time))
    case .launch, .instantiate, .setDelegate: return self
    }
  }
}

extension Session {
  mutating func change(
    by mutation: StoryboardMutation, in catalog: Catalog, _ isExplaining: Bool, _ effort: Effort
  ) throws(MutationFault) -> Outcome {
    var performer = Performer(after: inquiry(in: catalog, sender: nil, isExplaining, effort))
    var outcome = Outcome()
    switch mutation {
    case .launch(let given):
      guard let launch = given ?? catalog.template?.launch else {
        throw .storyboard(.nothingToLaunch)
      }
      outcome.launch = try performer.launch(launch, when: nil)
      outcome.trace = performer.trace
    case .instantiate(let reference, let id):
      outcome.instance = try performer.instantiate(reference, as: id)
      outcome.trace = performer.trace
    case .performSegue(let request):
      let sender = try sender(request.sender)
      performer.session.undo.event.actionName = sender?.title
      outcome.segue = try performer.performSegue(request, sender: sender)
      outcome.segue?.trace = performer.trace
    case .unwind(let request):
      let sender = try sender(request.sender)
      performer.session.undo.event.actionName = sender?.title
      let segue = SegueInProgress(
        identifier: nil, kind: .unwind, source: request.source, destination: nil)
      outcome.segue = try performer.unwind(
        request.action, segue, nil, sender: sender, when: request.when)
      outcome.segue?.trace = performer.trace
    case .setDelegate(let delegate, of: let holder):
      try performer.setDelegate(of: holder, to: delegate)
      outcome.trace = performer.trace
    case .message(let request):
      outcome.delivery = try performer.deliver(request)
      outcome.delivery?.trace = performer.trace
    }
    self = performer.session
    outcome.changes = performer.changes
    outcome.events = performer.events
    return outcome
  }

  private func sender(_ description: SenderDescription?) throws(MutationFault) -> Sender? {
    try check(description?.responder)
    return description.map { Sender(command: nil, description: $0) }
  }
}

extension Performer {
  /// Sends a message to whom it is for, or lets it wait.
  mutating func deliver(_ request: MessageRequest) throws(MutationFault) -> Delivery {
    guard !request.isQueued else { return try enqueue(request) }
    let sender = Sender(
      command: nil,
      description: SenderDescription(
        responder: request.from, members: ["action": .string(request.message.rawValue)]))
    switch request.destination {
    case .chain: return try sendUp(request, sender: sender)
    case .delegate:
      return try sendToDelegate(
        of: request.from, request.message, request.arguments, sender: sender, when: request.when)
    }
  }
}
