public import JSONText

/// An effect on storyboards, delegates and windows (V1–V7).
public enum StoryboardEffect: Equatable, Sendable, Codable {
  /// Makes an instance of a scene, by default of the receiver's own storyboard (V2). Without a name it
  /// is called as the scene, or `SCENE-2` and so on while that is taken.
  case instantiate(scene: Rule, storyboard: Rule?, id: Rule?)
  /// Makes a responder of a class, which is of the kind that the class has.
  case instantiateClass(Rule, id: Rule?)
  /// Performs a segue, by default of the receiver, which is not asked whether (V3). The default sender
  /// is that of the running message.
  case segue(Rule, source: Rule?, sender: Rule?)
  /// Unwinds, by default from the receiver (V6).
  case unwind(action: Rule, source: Rule?, sender: Rule?)
  /// Makes a responder the delegate of another one, by default of the receiver; null is none (V7).
  case delegate(of: Rule?, to: Rule)
  /// Sends a message, by default from the receiver, or lets it wait; what it answers becomes the answer
  /// with `answers` (C2, C6, V7). The default arguments are those of a ``MessageRequest``.
  case message(
    Rule, MessageRequest.Destination, from: Rule?, arguments: Rule?, answers: Bool,
    queue: Bool = false)
  /// Makes a window the key window, after giving it a root view controller, if one is named (V1).
  case makeKeyAndVisible(window: Rule, rootViewController: Rule?)
}

extension StoryboardEffect {
  /// Its rules.
  var rules: [Rule] {
    switch self {
    case .instantiate(let scene, let storyboard, let id):
      [scene, storyboard, id].compactMap(\.self)
    case .instantiateClass(let rule, let id): [rule, id].compactMap(\.self)
    case .segue(let rule, let source, let sender), .unwind(let rule, let source, let sender):
      [rule, source, sender].compactMap(\.self)
    case .delegate(of: let holder, to: let delegate): [holder, delegate].compactMap(\.self)
    case .message(let message, _, let from, let arguments, _, _):
      [message, from, arguments].compactMap(\.self)
    case .makeKeyAndVisible(let window, let root): [window, root].compactMap(\.self)
    }
  }
}

/// A ``StoryboardEffect`` with its values computed.
public enum ComputedStoryboardEffect: Equatable, Sendable {
  /// Makes an instance of a scene (V2).
  case instantiate(SceneName, storyboard: StoryboardName? = nil, id: ResponderID? = nil)
  /// Makes a responder of a class.
  case instantiateClass(ClassName, id: ResponderID? = nil)
  /// Performs a segue (V3).
  case segue(SegueIdentifier, source: ResponderID? = nil, sender: JSON? = nil)
  /// Unwinds (V6).
  case unwind(action: Selector, source: ResponderID? = nil, sender: JSON? = nil)
  /// Makes a responder the delegate of another one (V7).
  case delegate(of: ResponderID? = nil, to: ResponderID?)
  /// Sends a message, or lets it wait (C2, C6, V7).
  case message(
    Selector, MessageRequest.Destination = .chain, from: ResponderID? = nil,
    arguments: [JSON]? = nil, answers: Bool = false, queue: Bool = false)
  /// Makes a window the key window (V1).
  case makeKeyAndVisible(window: ResponderID, rootViewController: ResponderID? = nil)
}

extension EffectScope {
  /// An effect with its values computed.
  func computed(_ effect: StoryboardEffect) throws(MutationFault) -> ComputedStoryboardEffect {
    switch effect {
    case .instantiate(let scene, let storyboard, let id):
      .instantiate(
        try name(scene, "scene", .identifier, SceneName.init(_:)),
        storyboard: try optionalName(storyboard, "storyboard"), id: try optionalName(id, "id"))
    case .instantiateClass(let rule, let id):
      .instantiateClass(
        try name(rule, "class", .identifier, ClassName.init(_:)), id: try optionalName(id, "id"))
    case .segue(let identifier, let source, let sender):
      .segue(
        try name(identifier, "identifier", .identifier, SegueIdentifier.init(_:)),
        source: try optionalName(source, "source"), sender: try optionalJSON(sender, "sender"))
    case .unwind(let action, let source, let sender):
      .unwind(
        action: try name(action, "action", .selector, Selector.init(_:)),
        source: try optionalName(source, "source"), sender: try optionalJSON(sender, "sender"))
    case .delegate(of: let holder, to: let rule):
      .delegate(of: try optionalName(holder, "of"), to: try nullableResponder(rule, "to"))
    case .message(let rule, let destination, let from, let arguments, let answers, let queue):
      .message(
        try name(rule, "message", .selector, Selector.init(_:)), destination,
        from: try optionalName(from, "from"),
        arguments: try arguments.map { (rule) throws(MutationFault) in
          try array(rule, "arguments")
        }, answers: answers, queue: queue)
    case .makeKeyAndVisible(let window, let root):
      .makeKeyAndVisible(
        window: try responder(window, "window"),
        rootViewController: try optionalName(root, "rootViewController"))
    }
  }

  private func optionalName<Subject>(
    _ rule: Rule?, _ member: String
  ) throws(MutationFault) -> Identifier<Subject>? {
    guard let rule else { return nil }
    return try name(rule, member, .identifier, Identifier<Subject>.init(_:))
  }

  private func optionalJSON(_ rule: Rule?, _ member: String) throws(MutationFault) -> JSON? {
    guard let rule else { return nil }
    return try json(rule, member)
  }
}
