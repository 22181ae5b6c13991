import JSONText
import MenuStore

/// The reasons why no requests should be routed to this server at present.
package enum UnreadyReason: String, CaseIterable, Sendable {
  /// The journal is being replayed, or is not available yet.
  case recovering
  /// Changes are refused: the journal's disk is full.
  case diskFull
  /// Changes are refused: the journal cannot be written for another reason.
  case journalFailing
  /// Changes are refused: the database of the journal cannot be reached.
  case databaseUnreachable
  case draining

  /// The consequence for requests, as a sentence.
  ///
  /// **Decision:** It mentions no files and devices; the log does.
  package var detail: String {
    switch self {
    case .recovering:
      "The journal is being opened and read, and nothing else is answered until that is done."
    case .diskFull:
      "The disk of the journal is full, so that nothing can be changed; what there is can be read."
    case .journalFailing:
      "The journal cannot be written, so that nothing can be changed; what there is can be read."
    case .databaseUnreachable:
      "The database of the journal cannot be reached, so that nothing can be changed; what there is "
        + "can be read."
    case .draining: "The program is about to stop."
    }
  }
}

extension Service {
  /// The reasons why no requests should be routed to this server at present; empty if it is ready.
  package var unreadyReasons: [UnreadyReason] {
    var reasons: [UnreadyReason] = []
    if let store = storeIfRecovered {
      switch store.fault {
      case nil: break
      case .some(let fault) where fault.isOfRoom: reasons.append(.diskFull)
      case .some(let fault) where fault.isOfReach: reasons.append(.databaseUnreachable)
      case .some: reasons.append(.journalFailing)
      }
    } else {
      reasons.append(.recovering)
    }
    if isDraining { reasons.append(.draining) }
    return reasons
  }
}

extension JSONWriter {
  /// Writes the reasons, as `/health/ready` does.
  mutating func members(_ reasons: [UnreadyReason]) {
    member("status", "notReady")
    member("reasons")
    beginArray()
    for reason in reasons {
      beginObject()
      member("reason", reason.rawValue)
      member("detail", reason.detail)
      endObject()
    }
    endArray()
  }
}
