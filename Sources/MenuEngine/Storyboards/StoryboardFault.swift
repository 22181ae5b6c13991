public import JSONText

/// A reason why nothing is instantiated, performed or linked (V1–V7).
public enum StoryboardFault: Error, Equatable, Sendable {
  /// There is no storyboard of this name.
  case unknownStoryboard(StoryboardName)
  /// The storyboard has no such scene.
  case unknownScene(SceneReference)
  /// The view controller is no instance of a scene, so that it has no segues, and no scene can be
  /// named without its storyboard.
  case noStoryboard(ResponderID)
  /// The scene of the view controller has no such segue, but these.
  case unknownSegue(SegueIdentifier, of: ResponderID, SceneReference, known: [SegueIdentifier])
  /// An embedded view controller is there from the instantiation on, and not shown by a segue.
  case embedded(SegueIdentifier, of: ResponderID)
  /// There is a responder of this name already.
  case nameTaken(ResponderID)
  /// The view controller that a view was made for is not there.
  case unknownOwner(ResponderID, of: ResponderID)
  /// The name that an instance would have is too long.
  case nameTooLong(String)
  /// A delegate does not answer to these messages, which its protocol requires (V7).
  case delegateLacks([Selector], delegate: ResponderID, of: ResponderID, ProtocolName)
  /// A delegate must keep its handler for a message, which its protocol requires (V7).
  case handlerRequired(Selector, delegate: ResponderID, of: ResponderID, ProtocolName)
  /// The protocol of the delegate does not have the message.
  case messageOutsideProtocol(Selector, of: ResponderID, ProtocolName)
  /// A view controller allowed something else for unwinding than a list of its children (V6).
  case notChildren(ResponderID, JSON)
  /// The session has an application already, and so was launched.
  case launchedAlready(application: ResponderID)
  /// Neither the request nor the catalogue's template says what to launch.
  case nothingToLaunch
  /// The responder is no window and cannot become visible.
  case notAWindow(ResponderID, ResponderKind)
}

extension StoryboardFault {
  /// The storyboard, scene, segue, message or responder to blame, and its place in a session document.
  var blame: Blame {
    switch self {
    case .unknownStoryboard(let name): Blame(name)
    case .unknownScene(let reference): Blame(reference.scene)
    case .noStoryboard(let id), .nameTaken(let id), .notAWindow(let id, _): Blame(id)
    case .unknownOwner(let id, of: let view): Blame(id, at: Blame.responder(view, ["owner"]))
    case .delegateLacks(_, delegate: let id, of: let holder, _):
      Blame(id, at: Blame.responder(holder, ["delegate"]))
    case .unknownSegue(let identifier, of: _, _, _), .embedded(let identifier, of: _):
      Blame(identifier)
    case .handlerRequired(let selector, delegate: _, of: _, _),
      .messageOutsideProtocol(let selector, of: _, _):
      Blame(selector)
    case .nameTooLong, .notChildren, .launchedAlready, .nothingToLaunch: Blame()
    }
  }
}
