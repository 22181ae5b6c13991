import MenuEngine

extension StoryboardFault {
  /// The reason for which nothing was instantiated, performed or linked, and the remedy, as a sentence.
  var sentence: String {
    switch self {
    case .unknownStoryboard(let name): DeclarationFault.unknownStoryboard(name).sentence
    case .unknownScene(let reference):
      DeclarationFault.unknownScene(reference.storyboard, reference.scene).sentence
    case .noStoryboard(let id):
      "\(quoted(id)) comes from no storyboard; instantiate it from one, or PUT it with members "
        + "'storyboard' and 'scene'."
    case .unknownSegue(let identifier, of: let id, let reference, let known):
      "The scene \(quoted(reference.scene)) of \(quoted(id)) has no segue \(quoted(identifier)); "
        + (known.isEmpty
          ? "it has none with an identifier." : "it has \(list(known.map { quoted($0) })).")
    case .embedded(let identifier, of: let id):
      "The segue \(quoted(identifier)) of \(quoted(id)) embeds, which happens when \(quoted(id)) is "
        + "instantiated and not again."
    case .nameTaken(let id):
      "The session has a responder \(quoted(id)) already; choose another id, or leave it out."
    case .unknownOwner(let owner, of: let id):
      "The view \(quoted(id)) was made for \(quoted(owner)), but the session has no view controller of "
        + "that name; put it first, or leave out 'isInstance' and 'owner'."
    case .nameTooLong(let name):
      "An instance would be called \(quoted(name)), which is too long; give it an id."
    case .delegateLacks(let messages, let delegate, of: let holder, let name):
      "\(quoted(delegate)) cannot be the delegate of \(quoted(holder)): it has no handler for "
        + "\(list(messages.map { quoted($0) })), which the protocol \(quoted(name)) requires."
    case .handlerRequired(let message, let delegate, of: let holder, let name):
      "\(quoted(delegate)) keeps its handler for \(quoted(message)): it is the delegate of "
        + "\(quoted(holder)), and the protocol \(quoted(name)) requires it; give \(quoted(holder)) "
        + "another delegate first."
    case .messageOutsideProtocol(let message, of: let holder, let name):
      "\(quoted(holder)) cannot send \(quoted(message)) to its delegate: the protocol "
        + "\(quoted(name)) does not have it."
    case .notChildren(let id, let answer):
      "\(quoted(id)) answers '\(Selector.allowedChildrenForUnwinding)' with \(answer.shown) instead "
        + "of a list of the ids of its children."
    case .launchedAlready(let application):
      "The session has the application \(quoted(application)) already; open another session to "
        + "launch in."
    case .nothingToLaunch:
      "Neither the request nor the catalogue's session says what to launch; give a 'storyboard', a "
        + "'delegate' or both."
    case .notAWindow(let id, let kind):
      "\(quoted(id)) is of kind '\(kind)'; only a window can become visible."
    }
  }

  /// The kind of problem that a request with this fault meets.
  var type: ProblemType {
    switch self {
    case .unknownStoryboard, .unknownScene, .unknownOwner: .unresolvedReference
    case .noStoryboard: .noStoryboard
    case .unknownSegue, .embedded: .unknownSegue
    case .nameTaken: .linkConflict
    case .nameTooLong, .messageOutsideProtocol, .nothingToLaunch, .notAWindow: .invalidBody
    case .delegateLacks, .handlerRequired: .delegateRefused
    case .notChildren: .effectFailed
    case .launchedAlready: .launchedAlready
    }
  }
}
