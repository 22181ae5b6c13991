import JSONText

extension StoryboardEffect {
  /// The words for the kinds of effects.
  enum Op: String, CaseIterable {
    case instantiate
    case segue
    case unwind
    case delegate
    case message
    case makeKeyAndVisible
  }

  /// The effect with the members of a document, or nil and the faults.
  init?(_ op: Op, _ reader: inout ObjectReader) {
    let effect: StoryboardEffect?
    switch op {
    case .instantiate: effect = Self.instantiate(&reader)
    case .segue:
      let identifier = reader.required("identifier", Read.stringRule)
      let (source, sender) = Self.sourceAndSender(&reader)
      effect = identifier.map { .segue($0, source: source, sender: sender) }
    case .unwind:
      let action = reader.required("action", Read.stringRule)
      let (source, sender) = Self.sourceAndSender(&reader)
      effect = action.map { .unwind(action: $0, source: source, sender: sender) }
    case .delegate:
      let holder = reader.member("of", Read.stringRule)
      effect = reader.required("to", Read.optionalStringRule).map { .delegate(of: holder, to: $0) }
    case .message:
      let message = reader.required("message", Read.stringRule)
      let destination: MessageRequest.Destination? = reader.member("to", Read.word)
      let from = reader.member("from", Read.stringRule)
      let arguments = reader.member("arguments", Read.listRule)
      let answers = reader.member("answers", Read.bool) ?? false
      let queue = reader.member("queue", Read.bool) ?? false
      if answers, queue {
        reader.log.note(.conflictingMembers("answers", "queue"), at: reader.pointer)
      }
      effect = message.map {
        .message(
          $0, destination ?? .chain, from: from, arguments: arguments, answers: answers,
          queue: queue)
      }
    case .makeKeyAndVisible:
      let root = reader.member("rootViewController", Read.stringRule)
      effect = reader.required("window", Read.stringRule)
        .map { .makeKeyAndVisible(window: $0, rootViewController: root) }
    }
    guard let effect else { return nil }
    self = effect
  }

  private static func instantiate(_ reader: inout ObjectReader) -> StoryboardEffect? {
    let isClass = reader.json("class") != nil
    let id = reader.member("id", Read.stringRule)
    guard !isClass else {
      for other in ["scene", "storyboard"] where reader.json(other) != nil {
        reader.log.note(.conflictingMembers("class", other), at: reader.pointer)
      }
      return reader.member("class", Read.stringRule).map { .instantiateClass($0, id: id) }
    }
    let storyboard = reader.member("storyboard", Read.stringRule)
    return reader.required("scene", Read.stringRule)
      .map { .instantiate(scene: $0, storyboard: storyboard, id: id) }
  }

  private static func sourceAndSender(
    _ reader: inout ObjectReader
  ) -> (source: Rule?, sender: Rule?) {
    (reader.member("source", Read.stringRule), reader.member("sender", Read.rule))
  }

  /// The effect as a document.
  var json: JSON {
    switch self {
    case .instantiate(let scene, let storyboard, let id):
      document(.instantiate, ("scene", scene), ("storyboard", storyboard), ("id", id))
    case .instantiateClass(let rule, let id): document(.instantiate, ("class", rule), ("id", id))
    case .segue(let identifier, let source, let sender):
      document(.segue, ("identifier", identifier), ("source", source), ("sender", sender))
    case .unwind(let action, let source, let sender):
      document(.unwind, ("action", action), ("source", source), ("sender", sender))
    case .delegate(of: let holder, to: let delegate):
      document(.delegate, ("of", holder), ("to", delegate))
    case .message(let message, let destination, let from, let arguments, let answers, let queue):
      Self.with(
        document(.message, ("message", message), ("from", from), ("arguments", arguments)),
        [
          ("to", .string(destination.rawValue)), ("answers", answers ? true : nil),
          ("queue", queue ? true : nil),
        ])
    case .makeKeyAndVisible(let window, let root):
      document(.makeKeyAndVisible, ("window", window), ("rootViewController", root))
    }
  }

  private func document(_ op: Op, _ members: (String, Rule?)...) -> JSON {
    Self.with(["op": .string(op.rawValue)], members.map { ($0.0, $0.1?.json) })
  }

  private static func with(_ json: JSON, _ members: [(String, JSON?)]) -> JSON {
    var object = json.members
    for (name, value) in members { object[name] = value }
    return .object(object)
  }
}
