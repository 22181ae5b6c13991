import Locks
import MenuEngine
import MenuStore

/// The command finders of the sessions that are searched, kept beside the sessions.
///
/// The least recently used finders are evicted when there are too many or they take too much room together;
/// idle finders are evicted periodically. The last finder used always stays, however large.
final class CommandFinders: Sendable {
  /// The finder of one incarnation of a session.
  fileprivate final class Entry: Sendable {
    private let finder = Lock(
      CommandFinder(askingBy: ValidationPlan { fault, writer in writer.value(fault) }))
    /// The number of the last search.
    let asked = Atomic(0)
    /// True if it was used since the last eviction of idle finders.
    let isFresh = Atomic(true)
    /// The bytes after the last search; changed only under the lock of all entries.
    let size = Atomic(0)

    func find(_ query: CommandQuery, at moment: PlanMoment) -> Answer {
      finder.withLock { finder in
        let found = Result { () throws(MutationFault) in try finder.find(query, at: moment) }
        return Answer(found: found, ruleErrors: finder.takeRuleErrors(), size: finder.size)
      }
    }
  }

  /// The result of a search, with the bytes that the finder takes after it.
  fileprivate struct Answer {
    let found: Result<FoundCommands, MutationFault>
    let ruleErrors: Int
    let size: Int
  }

  fileprivate struct Contents {
    /// The finders by incarnation number.
    var entries: [Int: Entry] = [:]
    var searches = 0
    var size = 0
  }

  static let maximumCount = 64

  private let contents = Lock(Contents())
  private let maximumSize: Int

  /// Creates an empty collection.
  ///
  /// - Parameter maximumSize: The bytes of all finders; the default is 64 MiB.
  init(maximumSize: Int = 64 << 20) { self.maximumSize = maximumSize }

  var count: Int { contents.withLock(\.entries.count) }

  /// The approximate bytes of all finders.
  var size: Int { contents.withLock(\.size) }

  /// Returns the commands that a query finds, and the number of rules that failed during the search.
  ///
  /// - Throws: As `Session.validate`.
  func find(
    _ query: CommandQuery, _ snapshot: Snapshot
  ) throws(MutationFault) -> (found: FoundCommands, ruleErrors: Int) {
    let opening = snapshot.sessionEdition.opening
    let entry = entry(of: opening)
    let answer = entry.find(query, at: snapshot.moment)
    note(answer.size, of: entry, opening)
    return (try answer.found.get(), answer.ruleErrors)
  }

  /// Evicts the finder of a closed session.
  func forget(_ opening: Incarnation) {
    let evicted = contents.withLock { $0.remove(opening.number) }
    withExtendedLifetime(evicted) {}
  }

  /// Evicts the finders that were not used since the last call.
  func forgetIdle() {
    contents.withLock { contents in
      for (opening, entry) in contents.entries
      where !entry.isFresh.exchange(false, ordering: .relaxed) {
        contents.remove(opening)
      }
    }
  }

  private func entry(of opening: Incarnation) -> Entry {
    contents.withLock { contents in
      contents.searches += 1
      let entry = contents.entries[opening.number] ?? Entry()
      entry.asked.store(contents.searches, ordering: .relaxed)
      entry.isFresh.store(true, ordering: .relaxed)
      contents.entries[opening.number] = entry
      return entry
    }
  }

  /// Records the size of the finder just used, and evicts least recently used ones while there are too many.
  private func note(_ size: Int, of entry: Entry, _ opening: Incarnation) {
    let evicted = contents.withLock { contents -> [Entry] in
      guard contents.entries[opening.number] === entry else { return [] }
      contents.size += size - entry.size.exchange(size, ordering: .relaxed)
      var evicted: [Entry] = []
      while contents.size > maximumSize || contents.entries.count > Self.maximumCount,
        let oldest = contents.oldest(but: opening.number)
      {
        if let entry = contents.remove(oldest) { evicted.append(entry) }
      }
      return evicted
    }
    // The evicted finders are freed outside the lock.
    withExtendedLifetime(evicted) {}
  }
}

extension CommandFinders.Contents {
  fileprivate func oldest(but asked: Int) -> Int? {
    entries.filter { $0.key != asked }.min {
      $0.value.asked.load(ordering: .relaxed) < $1.value.asked.load(ordering: .relaxed)
    }?.key
  }

  @discardableResult
  fileprivate mutating func remove(_ opening: Int) -> CommandFinders.Entry? {
    let entry = entries.removeValue(forKey: opening)
    size -= entry?.size.load(ordering: .relaxed) ?? 0
    return entry
  }
}
