import JSONText
import Locks
import MenuEngine

@testable import MenuStore

/// Reads what a follower gets, as lines.
final class FollowingReader: Sendable {
  private let follower: Follower
  private let known: Lock<Int?>

  init(of subject: Follower.Subject, in store: SessionStore, after position: Int? = nil) {
    follower = store.follow(subject) {}
    known = Lock(position)
  }

  var position: Int? { known.withLock(\.self) }

  /// All that is new.
  func read() -> [String] {
    var lines: [String] = []
    while true {
      switch follower.news(after: position) {
      case .none: return lines
      case .anew(let state):
        known.withLock { $0 = state.number }
        lines.append(state.line)
      case .commits(let commits, _):
        known.withLock { $0 = commits.last?.number }
        lines += commits.map(\.line)
      }
    }
  }
}

extension FollowedState {
  fileprivate var line: String {
    switch self {
    case .catalog(let edition): "catalogue \(edition.catalog.revision)"
    case .session(let edition): "session at \(edition.session.revision)"
    case .noSession: "no session"
    }
  }
}

extension DurableCommit {
  fileprivate var line: String {
    switch change {
    case .opened: return "opened \(revision)"
    case .closed(let isExpired): return "\(isExpired ? "expired" : "closed") \(revision)"
    case .catalogChanged: return "catalogue changed"
    case .changed(by: let record, let outcomes):
      guard record.mutations.count == 1, outcomes.count == 1,
        case .mergedState(let patch)? = outcomes[0].changes.first,
        case .int(let value)? = patch[JSONPointer(["value"])]
      else { return "something else" }
      return "value \(value) at \(revision)"
    }
  }
}
