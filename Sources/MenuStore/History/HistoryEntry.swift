package import MenuEngine

/// A change in the history of a session, or a refusal (T5).
package struct HistoryEntry: Sendable {
  /// The revision before it.
  package let base: Int
  /// The revision after it; that of before for a refusal.
  package let revision: Int
  /// The time in milliseconds since 1970-01-01T00:00:00Z.
  package let time: Int64
  /// The mutations, and their actor.
  package let record: SessionRecord
  package let result: Result
  /// The place in the history: greater than that of every earlier entry. It is the number of bytes up to here.
  package internal(set) var position: Int64 = 0

  /// The result of a change, or of a request that was refused.
  package enum Result: Sendable {
    case outcomes([Outcome])
    /// The members of a JSON object, which was made of the outcomes or of a refusal.
    case members([UInt8])
  }
}

/// The settings of histories (T5).
package struct HistorySettings: Sendable {
  /// The bounds of each session's history.
  package struct Bounds: Equatable, Sendable {
    /// The most bytes; the default is 256 KiB.
    package var size = 256 << 10
    /// The milliseconds for which an entry is kept; the default is a day.
    package var retention: Int64 = 86_400_000

    package init() {}

    /// Bounds that nothing exceeds.
    static var unlimited: Bounds {
      var bounds = Bounds()
      (bounds.size, bounds.retention) = (.max, .max)
      return bounds
    }
  }

  let bounds: Bounds
  /// True if refused commands are entries too. The default is false.
  let keepsRefusals: Bool
  /// Returns the time in milliseconds since 1970-01-01T00:00:00Z.
  let now: @Sendable () -> Int64
  let writer: any HistoryWriter

  package init(
    _ bounds: Bounds = Bounds(), keepsRefusals: Bool = false,
    now: @escaping @Sendable () -> Int64, writer: any HistoryWriter
  ) {
    (self.bounds, self.keepsRefusals) = (bounds, keepsRefusals)
    (self.now, self.writer) = (now, writer)
  }

  /// The time from which on entries are kept.
  var beginning: Int64 { now() - bounds.retention }
}

/// Writes what came of a request as a JSON object.
package protocol HistoryWriter: Sendable {
  func members(of outcomes: [Outcome]) -> [UInt8]

  /// Returns nil if the fault is no refusal of a command or an action.
  func members(of fault: MutationFault) -> [UInt8]?
}

/// An entry as journals keep it.
package struct HistoryRow: Equatable, Sendable {
  package var subject: JournalSubject
  /// The number of the session's opening.
  package var opening: Int64
  package var base: Int64
  package var revision: Int64
  package var time: Int64
  /// The mutations and their actor, as records have them.
  package var record: [UInt8]
  /// A JSON object with what came of it.
  package var result: [UInt8]
  /// The place in the history, which the journal gives.
  package var position: Int64 = 0
  /// The bounds of the history that it joins.
  package var bounds = HistorySettings.Bounds()

  /// The number of bytes that count for the bound, which include a share for the row.
  var size: Int64 { Int64(record.count + result.count) + Self.share }

  /// The time from which on entries are kept when it joins.
  var beginning: Int64 { time - bounds.retention }

  /// About the bytes that a row takes besides its contents.
  static let share: Int64 = 128

  var checksum: Int64 {
    var checksum = Checksum()
    checksum.add(counted: Array(subject.text.utf8))
    for number in [opening, base, revision, time] { checksum.add(number) }
    checksum.add(counted: record)
    checksum.add(counted: result)
    return Int64(bitPattern: checksum.value)
  }
}

/// A question about the history of one opening of a session.
package struct HistoryQuestion: Sendable {
  package var subject: JournalSubject
  package var opening: Int64
  /// The position before which entries are asked for; the default is the end.
  package var before = Int64.max
  /// The time in milliseconds since 1970-01-01T00:00:00Z from which on entries count.
  package var since = Int64.min
  /// The most entries.
  package var limit = 1
  /// True for the oldest first. The default is the latest first.
  package var isFromBeginning = false
}

/// The entries of one history in memory, within bounds.
struct HistoryList<Element: Sendable>: Sendable {
  private var entries: [(element: Element, time: Int64, position: Int64)] = []
  /// The number of entries in front that are dropped.
  private var dropped = 0
  private var end: Int64 = 0

  /// Adds an entry, and drops those that are beyond the bounds then.
  mutating func append(
    _ element: Element, at time: Int64, size: Int64, within bounds: HistorySettings.Bounds
  ) {
    end += size
    entries.append((element, time, end))
    let beginning = time - bounds.retention
    while dropped < entries.count,
      entries[dropped].position <= end - Int64(bounds.size) || entries[dropped].time < beginning
    {
      dropped += 1
    }
    guard dropped > 16, dropped > entries.count / 2 else { return }
    entries.removeFirst(dropped)
    dropped = 0
  }

  /// Returns the entries that a question asks for, with their positions.
  func answer(to question: HistoryQuestion) -> [(element: Element, position: Int64)] {
    let known = entries[dropped...].lazy.filter { entry in
      entry.position < question.before && entry.time >= question.since
    }
    let found =
      question.isFromBeginning
      ? Array(known.prefix(question.limit)) : Array(known.reversed().prefix(question.limit))
    return found.map { ($0.element, $0.position) }
  }

  /// All entries, the oldest first.
  var all: [Element] { entries[dropped...].map(\.element) }
}
