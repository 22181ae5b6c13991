public import JSONText

/// A reason why nothing is instantiated, performed or linked (V1–V7).
public enum StoryboardFault: Error, Equatable, Sendable {
  /// There is no storyboard of this name.
  case unknownStoryboard(StoryboardName)
  /// The storyboard has no such scene.
  case unknownScene(SceneReference)
  /// The view controller is not an instance of a scene, so it has no segues, and scenes cannot be named without
  /// a storyboard.
  case noStoryboard(ResponderID)
  /// The scene has no such segue; `known` are its segues.
  case unknownSegue(SegueIdentifier, of: ResponderID, SceneReference, known: [SegueIdentifier])
  /// The segue embeds its destination, which exists from instantiation on and cannot be shown by a segue.
  case embedded(SegueIdentifier, of: ResponderID)
  /// A responder of this name exists.
  case nameTaken(ResponderID)
  /// The view controller that a view was made for does not exist.
  case unknownOwner(ResponderID, of: ResponderID)
  /// The name of an instance would be too long.
  case nameTooLong(String)
  /// A delegate does not implement messages that its protocol requires (V7).
  case delegateLacks([Selector], delegate: ResponderID, of: ResponderID, ProtocolName)
  /// A delegate cannot lose its handler for a message that its protocol requires (V7).
  case handlerRequired(Selector, delegate: ResponderID, of: ResponderID, ProtocolName)
  /// The delegate's protocol does not have the message.
  case messageOutsideProtocol(Selector, of: ResponderID, ProtocolName)
  /// A view controller named something other than its children for unwinding (V6).
  case notChildren(ResponderID, JSON)
  /// The session has an application, and so was launched before.
  case launchedAlready(application: ResponderID)
  /// Neither the request nor the catalogue's template has a launch.
  case nothingToLaunch
  /// The responder is not a window and cannot become visible.
  case notAWindow(ResponderID, ResponderKind)
}

extension StoryboardFault {
  /// The storyboard, scene, segue, message or responder at fault, with its place in a session document.
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
