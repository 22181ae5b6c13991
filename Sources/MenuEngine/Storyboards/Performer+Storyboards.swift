import JSONText

extension Performer {
  /// Makes an effect with storyboards, delegates and windows happen; faults are those of the effect.
  mutating func make(
    _ effect: ComputedStoryboardEffect, _ scope: EffectScope, _ invocation: inout Invocation
  ) throws(MutationFault) {
    try attributing(scope) { (performer) throws(MutationFault) in
      try performer.make(effect, for: scope.responder, &invocation)
    }
  }

  /// Does something that may send messages; faults are those of the effect, unless they say already of
  /// which one they are.
  mutating func attributing(
    _ scope: EffectScope, _ act: (inout Performer) throws(MutationFault) -> Void
  ) throws(MutationFault) {
    do throws(MutationFault) {
      try act(&self)
    } catch {
      throw error.isOfEffect ? error : scope.attributed(error)
    }
  }

  private mutating func make(
    _ effect: ComputedStoryboardEffect, for receiver: ResponderID,
    _ invocation: inout Invocation
  ) throws(MutationFault) {
    switch effect {
    case .instantiate(let scene, let storyboard, let id):
      let name = storyboard ?? session.graph[receiver]?.scene?.storyboard
      guard let name = name ?? catalog.template?.launch?.storyboard else {
        throw .storyboard(.noStoryboard(receiver))
      }
      try instantiate(SceneReference(storyboard: name, scene: scene), as: id)
    case .instantiateClass(let name, let id): try instantiate(name, as: id)
    case .segue(let identifier, let source, let sender):
      let request = SegueRequest(
        identifier, from: source ?? receiver, by: .code, when: invocation.when)
      try performSegue(request, sender: sender.map(Sender.init(value:)) ?? invocation.sender)
    case .unwind(let action, let source, let sender):
      let segue = SegueInProgress(
        identifier: nil, kind: .unwind, source: source ?? receiver, destination: nil)
      _ = try unwind(
        action, segue, nil, sender: sender.map(Sender.init(value:)) ?? invocation.sender,
        when: invocation.when)
    case .delegate(of: let holder, to: let delegate):
      try setDelegate(of: holder ?? receiver, to: delegate)
    case .message(let message, let destination, let from, let arguments, let answers, let queue):
      let delivery = try deliver(
        MessageRequest(
          message, from: from ?? receiver, to: destination, arguments: arguments,
          when: invocation.when, isQueued: queue))
      if answers { invocation.setResult(delivery.answer) }
    case .makeKeyAndVisible(let window, let root): try makeKeyAndVisible(window, root)
    }
  }
}

extension MutationFault {
  /// True if it says already which effect it is of, or is one of no effect alone.
  fileprivate var isOfEffect: Bool {
    switch self {
    case .effect, .effectRule, .effectPatch, .wrongAnswer, .doesNotRecognizeSelector,
      .senderCarriesNoAction,
      .sendsTooDeep, .tooManyEffects, .tooMuchEffort, .notPerformed, .keyNotPerformed, .inList:
      true
    default: false
    }
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
