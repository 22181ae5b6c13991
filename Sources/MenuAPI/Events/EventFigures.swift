import MenuStore

/// The counters of events since the start.
final class EventFigures: Sendable {
  /// Events that were sent, by the position of their kind.
  private let sent = Counters()
  /// Changes that tell of more than one revision.
  let merged = Counter()
  /// The time from a commit's becoming durable to the sending of its event, in nanoseconds.
  let lag = Histogram(bounds: Histogram.durations)

  func noteSent(_ kind: SessionEvent.Kind) { sent.add(at: kind.position) }

  /// The number of events of a kind that were sent.
  func sent(_ kind: SessionEvent.Kind) -> Int { sent[kind.position] }
}

extension SessionEvent.Kind {
  fileprivate var position: Int {
    switch self {
    case .reset: 0
    case .change: 1
    case .closed: 2
    }
  }
}
