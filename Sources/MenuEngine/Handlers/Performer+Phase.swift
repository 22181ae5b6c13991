extension Performer {
  /// The one that acts: the mutation itself or a handler, and whether view controllers are being told.
  ///
  /// Both cases occur at every depth: a mutation tells view controllers itself, and a handler does whose
  /// effect brings them into view. What is set off while they are told belongs to that.
  enum Phase: Equatable {
    /// The mutation makes its changes, this many handlers deep; at 0 no handler runs.
    case acting(depth: Int)
    /// View controllers hear their lifecycle (V9), at this depth of handlers.
    case telling(depth: Int)

    /// The number of handlers that run, each set off by the one before.
    var depth: Int {
      switch self {
      case .acting(let depth), .telling(let depth): depth
      }
    }

    /// True if a handler acts, and not the mutation itself.
    var isInHandler: Bool { depth > 0 }

    /// True if view controllers are being told, and those who act only react to that.
    var isTelling: Bool {
      switch self {
      case .acting: false
      case .telling: true
      }
    }

    /// The phase of a handler that is run in this one.
    var inHandler: Phase {
      switch self {
      case .acting(let depth): .acting(depth: depth + 1)
      case .telling(let depth): .telling(depth: depth + 1)
      }
    }

    /// The phase of telling view controllers in this one.
    var telling: Phase { .telling(depth: depth) }
  }

  /// Something that does not begin again while it is going on.
  ///
  /// These are a set beside the phase, since each can set off any other one and is over only when
  /// that is: a message that is processed shows a view controller, whose method deletes another one.
  enum Activity: Hashable {
    /// Views are made, and view controllers told who came and went.
    case settlingViews
    /// Messages that waited are sent (C6).
    case processingMessages
    /// A view controller is told of its end.
    case destroying(ResponderID)
  }

  /// Does something unless it is going on already; then the answer is nil.
  mutating func once<Answer>(
    _ activity: Activity, _ act: (inout Performer) throws(MutationFault) -> Answer
  ) throws(MutationFault) -> Answer? {
    guard underway.insert(activity).inserted else { return nil }
    defer { underway.remove(activity) }
    return try act(&self)
  }
}
