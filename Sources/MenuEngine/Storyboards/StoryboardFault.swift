package import JSONText

/// A reason why an instantiation, a segue or an unwind fails (V2–V6).
package enum StoryboardFault: Error, Equatable, Sendable {
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
  /// A handler removed the destination of a segue before it was shown.
  case destinationRemoved(ResponderID, source: ResponderID)
  /// The view controller that a view was made for does not exist.
  case unknownOwner(ResponderID, of: ResponderID)
  /// The name of an instance would be too long.
  case nameTooLong(String)
  /// A view controller returned something other than a list of its children for unwinding (V6).
  case notChildren(ResponderID, JSON)
}

extension StoryboardFault {
  /// The storyboard, scene, segue or responder at fault, and its place in a session document.
  var blame: Blame {
    switch self {
    case .unknownStoryboard(let name): Blame(name)
    case .unknownScene(let reference): Blame(reference.scene)
    case .noStoryboard(let id), .nameTaken(let id), .destinationRemoved(let id, source: _):
      Blame(id)
    case .unknownOwner(let id, of: let view): Blame(id, at: Blame.responder(view, ["owner"]))
    case .unknownSegue(let identifier, of: _, _, _), .embedded(let identifier, of: _):
      Blame(identifier)
    case .nameTooLong, .notChildren: Blame()
    }
  }
}

/// A reason why the application cannot be launched (V1).
package enum LaunchFault: Error, Equatable, Sendable {
  /// The session has an application, so it was launched already.
  case launchedAlready(application: ResponderID)
  /// Neither the request nor the catalogue's template has a launch.
  case nothingToLaunch
  /// The responder is not a window and cannot become visible.
  case notAWindow(ResponderID, ResponderKind)
}

extension LaunchFault {
  /// The responder at fault.
  var blame: Blame {
    switch self {
    case .notAWindow(let id, _): Blame(id)
    case .launchedAlready, .nothingToLaunch: Blame()
    }
  }
}
