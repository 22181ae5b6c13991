import JSONText
import MenuEngine

extension Problem {
  /// The problem of a limit that is reached, with its name in the configuration and how much it is.
  static func limitReached(_ name: String, at limit: Int, sentence: String) -> Problem {
    Problem(.limitReached, sentence).with(limit: name, limit)
  }

  /// The same with a limit's name in the configuration, and how much it is.
  func with(limit name: String, _ limit: Int) -> Problem {
    with("limit") { $0.value("limits.\(name)") }.with("maximum") { $0.value(limit) }
  }

  /// The problem of a session for which there is no room. Sessions are closed when nobody asks them any
  /// more, hence the time.
  static func tooManySessions(_ limit: Int) -> Problem {
    Problem(
      .tooManySessions,
      "\(limit) sessions are open, and no more may be (limits.sessions); close some, or try again "
        + "later."
    ).with(limit: "sessions", limit).with(header: "Retry-After", "60")
  }
}

extension Holding {
  /// That a session would hold too much, and what to do.
  func sentence(_ limit: Int) -> String {
    let name = "(limits.\(rawValue))"
    switch self {
    case .responders:
      return "The session would have more than \(limit) responders \(name); remove some first."
    case .handlers:
      return "The session would have more than \(limit) handlers \(name); remove some first, or "
        + "declare them in a class."
    case .rules:
      return "The session would have more than \(limit) rules \(name); remove handlers first, or "
        + "declare them in a class."
    case .keyCommands:
      return
        "The session would have more than \(limit) key commands \(name); remove some first, or "
        + "declare them in a class."
    case .undoManagers:
      return "More than \(limit) responders of the session would have an undo manager of their own "
        + "\(name); let some share the session's."
    case .stateSize:
      return "The state would take more than \(limit) bytes of JSON \(name); remove something from "
        + "it first."
    case .responderSize:
      return "The responders would take more than \(limit) bytes of JSON in all \(name); remove "
        + "some first, or give them less."
    case .deliveries:
      return "More than \(limit) deliveries of the session would be open \(name); reply to some "
        + "first, or cancel them."
    case .deliverySize:
      return "The open deliveries would take more than \(limit) bytes of JSON \(name); reply to "
        + "some first, or deliver less."
    }
  }
}

extension CatalogHolding {
  /// That the catalogue would hold too much, and what to do.
  func sentence(_ limit: Int) -> String {
    let name = "(limits.\(rawValue))"
    switch self {
    case .commands: return "There would be more than \(limit) commands \(name); remove some first."
    case .menuElements:
      return "The menus would have more than \(limit) elements \(name); remove some first."
    case .storyboards:
      return "There would be more than \(limit) storyboards \(name); remove some first."
    case .protocols:
      return "There would be more than \(limit) protocols \(name); remove some first."
    case .catalogChanges:
      return "More than \(limit) changes were made since the catalogue was loaded \(name); write "
        + "them into the application's folder and start anew."
    }
  }
}
