import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The requests that wait for changes of a session, or for deliveries in any session. They hold no threads.
///
/// When a session changes, the requests that wait for it are retried in the order of their arrival. So if two wait for
/// a delivery to claim, the first one gets it.
final class WaitingRequests: Sendable {
  private struct Entry: Sendable {
    let number: Int
    let deadline: Int
    /// Returns true if the client is gone.
    let isAbandoned: @Sendable () -> Bool
    let answer: Answer
  }

  /// Tries to answer a request; on the last attempt, it always answers.
  ///
  /// The second argument is called once the change of the answer is committed, if it makes one: with true if the
  /// request was answered, and with false if it waits again.
  typealias Answer =
    @Sendable (
      _ isLast: Bool, _ whenSettled: @escaping @Sendable (_ isAnswered: Bool) -> Void
    ) -> Attempt

  /// The result of trying to answer a request.
  enum Attempt {
    case waits
    case answered
    /// The answer makes a change, which the writer commits. Later requests are tried after that.
    case changes
  }

  private struct Contents {
    var entries: [Wait.Subject: [Entry]] = [:]
    /// The followers of sessions, and the watch of deliveries.
    var followers: [Wait.Subject: any Sendable] = [:]
    /// The subjects whose requests must be retried.
    var due: Set<Wait.Subject> = []
    /// The subjects whose requests are being retried, or are affected by the change of an answer.
    var busy: Set<Wait.Subject> = []
    /// True if a thread is retrying requests already.
    var isAsking = false
    var isDraining = false
    var count = 0
    var lastNumber = 0
  }

  private let contents = Lock(Contents())
  private let nanoseconds: @Sendable () -> Int
  /// Runs a closure on another thread, and returns false if its queue is full; nil if there is no such thread.
  private let runLater: Worker.Runner?
  private let capacity: Int

  init(
    atMost capacity: Int, nanoseconds: @escaping @Sendable () -> Int,
    runLater: Worker.Runner?
  ) {
    self.capacity = capacity
    self.nanoseconds = nanoseconds
    self.runLater = runLater
  }

  var count: Int { contents.withLock(\.count) }

  /// Adds a request; returns false if it may not wait, because there are too many, or the server is about to stop.
  func add(
    waitingFor subject: Wait.Subject, of store: SessionStore, until deadline: Int,
    isAbandoned: @escaping @Sendable () -> Bool = { false },
    answer: @escaping Answer
  ) -> Bool {
    let isUnfollowed = contents.withLock { contents -> Bool? in
      guard !contents.isDraining, contents.count < capacity else { return nil }
      contents.lastNumber += 1
      contents.count += 1
      contents.entries[subject, default: []].append(
        Entry(
          number: contents.lastNumber, deadline: deadline, isAbandoned: isAbandoned,
          answer: answer))
      return contents.followers[subject] == nil
    }
    guard let isUnfollowed else { return false }
    if isUnfollowed { follow(subject, of: store) }
    // The subject may have changed since the request read it.
    ask { $0.due.insert(subject) }
    return true
  }

  private func follow(_ subject: Wait.Subject, of store: SessionStore) {
    let wake: @Sendable () -> Void = { [weak self] in self?.wake(subject) }
    let follower: any Sendable =
      switch subject {
      case .session(let id): store.follow(.session(id), wake: wake)
      case .deliveries: store.watchDeliveries(wake: wake)
      }
    let superfluous = contents.withLock { contents -> (any Sendable)? in
      guard contents.followers[subject] == nil, contents.entries[subject] != nil else {
        return follower
      }
      contents.followers[subject] = follower
      return nil
    }
    withExtendedLifetime(superfluous) {}
  }

  /// Retries the requests whose deadline has passed, whose clients have disconnected, or for which no thread was
  /// available.
  func tick() {
    let now = nanoseconds()
    ask { contents in
      for (subject, entries) in contents.entries
      where entries.contains(where: { $0.deadline <= now || $0.isAbandoned() }) {
        contents.due.insert(subject)
      }
    }
  }

  /// Answers all waiting requests, since the server is about to stop; later ones may not wait.
  func drain() {
    ask { contents in
      contents.isDraining = true
      contents.due.formUnion(contents.entries.keys)
    }
  }

  private func wake(_ subject: Wait.Subject) {
    ask(isHere: false) { contents in
      if contents.entries[subject] != nil { contents.due.insert(subject) }
    }
  }

  /// Records the due subjects, and retries their requests unless a thread does so already.
  ///
  /// - Parameter isHere: True if this thread may retry them when there is no other thread. A thread that wakes may
  ///   not: it is the writer's, or the reader's.
  private func ask(isHere: Bool = true, _ note: (inout Contents) -> Void) {
    let isFirst = contents.withLock { contents in
      note(&contents)
      guard !contents.due.isSubset(of: contents.busy), !contents.isAsking, isHere || runLater != nil
      else {
        return false
      }
      contents.isAsking = true
      return true
    }
    guard isFirst else { return }
    guard let runLater else { return askDue() }
    if !runLater({ [self] in askDue() }) { contents.withLock { $0.isAsking = false } }
  }

  /// Retries all due requests, including those that become due meanwhile.
  private func askDue() {
    while let (subject, entries, isDraining) = nextDue() {
      if !hasChange(entries, of: subject, isDraining: isDraining) {
        contents.withLock { _ = $0.busy.remove(subject) }
      }
    }
  }

  /// Retries requests until the answer of one makes a change; returns true then.
  private func hasChange(
    _ entries: [Entry], of subject: Wait.Subject, isDraining: Bool
  ) -> Bool {
    for entry in entries {
      let isLast = isDraining || entry.deadline <= nanoseconds() || entry.isAbandoned()
      let attempt = entry.answer(isLast) { [self] isAnswered in
        if isAnswered { remove(entry, of: subject) }
        ask(isHere: false) { contents in
          contents.busy.remove(subject)
          if contents.entries[subject] != nil { contents.due.insert(subject) }
        }
      }
      switch attempt {
      case .waits: continue
      case .answered: remove(entry, of: subject)
      case .changes: return true
      }
    }
    return false
  }

  private func nextDue() -> (Wait.Subject, [Entry], isDraining: Bool)? {
    contents.withLock { contents in
      guard let subject = contents.due.first(where: { !contents.busy.contains($0) }) else {
        contents.isAsking = false
        return nil
      }
      contents.due.remove(subject)
      contents.busy.insert(subject)
      return (subject, contents.entries[subject] ?? [], contents.isDraining)
    }
  }

  private func remove(_ entry: Entry, of subject: Wait.Subject) {
    let follower = contents.withLock { contents -> (any Sendable)? in
      contents.count -= 1
      contents.entries[subject]?.removeAll { $0.number == entry.number }
      guard contents.entries[subject]?.isEmpty == true else { return nil }
      contents.entries[subject] = nil
      return contents.followers.removeValue(forKey: subject)
    }
    withExtendedLifetime(follower) {}
  }
}

/// A request that waits for a change.
struct Wait: Sendable {
  /// The subject of a wait.
  enum Subject: Hashable, Sendable {
    /// A change of a session.
    case session(SessionID)
    /// A delivery to claim, of any session.
    case deliveries
  }

  /// The subject whose changes wake it.
  let subject: Subject
  /// The deadline, in nanoseconds.
  let deadline: Int
  /// The request. It stops waiting if its client disconnects.
  let request: Request
  /// Returns the answer, or nil to wait further; always an answer once the deadline has passed.
  let answer: @Sendable (Waiting) -> Response?

  enum Patience: Sendable {
    /// The request may wait.
    case possible
    /// The deadline has passed.
    case over
    /// The request may not wait.
    case none
  }
}

extension Call {
  /// The number of seconds that the client prefers to wait, at most the limit; nil without a preference.
  var preferredWait: Int? {
    WaitPreference(request.headers).map { min($0.seconds, service.limits.longestWait) }
  }

  /// Returns the time after a number of seconds, in nanoseconds.
  func deadline(in seconds: Int) -> Int {
    service.dependencies.nanoseconds() &+ seconds * 1_000_000_000
  }

  /// True if the request has waited and is being answered again.
  var isAgain: Bool { waiting.isAgain }

  /// Lets the request wait for a change and be answered again, if the client prefers that.
  func waitIfPreferred(for subject: Wait.Subject) {
    guard case .possible = waiting.patience, let seconds = preferredWait else { return }
    let (service, request) = (service, request)
    waiting.wait = Wait(
      subject: subject, deadline: deadline(in: seconds), request: request,
      answer: { again in
        let response = service.respond(to: request, again)
        return again.wait == nil ? response : nil
      })
  }

  /// Returns the response with a `Preference-Applied` field, if the preference was applied.
  func heedingPreference(_ response: Response) -> Response {
    guard let seconds = preferredWait else { return response }
    if case .none = waiting.patience { return response }
    var response = response
    response.headers.append("Preference-Applied", "wait=\(seconds)")
    return response
  }
}

/// The time that a client prefers to wait for an answer: `Prefer: wait=SECONDS` (RFC 7240).
struct WaitPreference: Sendable {
  let seconds: Int

  /// Creates the preference of a request; nil if it has none, or one that is not a number of seconds, which is
  /// ignored.
  init?(_ headers: Headers) {
    let preferences = headers.values(of: "prefer").flatMap { $0.utf8.split(separator: Self.comma) }
    for preference in preferences {
      // Parameters follow a semicolon; `wait` has none.
      let pair = preference.prefix { $0 != Self.semicolon }
      let sides = pair.split(
        separator: Self.equals, maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, Self.text(sides[0]).lowercased() == "wait" else { continue }
      guard let seconds = Int(Self.text(sides[1])), seconds >= 0 else { return nil }
      self.seconds = seconds
      return
    }
    return nil
  }

  private static let comma = UInt8(ascii: ",")
  private static let semicolon = UInt8(ascii: ";")
  private static let equals = UInt8(ascii: "=")

  /// A name or value without the spaces and quotes around it.
  private static func text(_ bytes: Substring.UTF8View) -> String {
    let isAround: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x22 }
    let text = bytes.drop(while: isAround)
    return String(Substring(text)).trimmingEnd(where: isAround)
  }
}

extension String {
  fileprivate func trimmingEnd(where isAround: (UInt8) -> Bool) -> String {
    var bytes = Array(utf8)
    while let last = bytes.last, isAround(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A monotonic clock. It begins at the system's time on its first use, and never goes back, even if the system's clock
/// does.
final class SteadyClock: Sendable {
  private let dependencies: Service.Dependencies
  private let beginning = Lock<(time: Int64, ticks: Int)?>(nil)

  init(_ dependencies: Service.Dependencies) { self.dependencies = dependencies }

  /// Begins at a time shared with other replicas, in milliseconds since 1970-01-01T00:00:00Z, unless the clock
  /// was used already.
  func begin(at time: Int64) {
    let ticks = dependencies.nanoseconds()
    beginning.withLock { $0 = $0 ?? (time, ticks) }
  }

  /// The time in milliseconds since 1970-01-01T00:00:00Z.
  var now: Int64 {
    let ticks = dependencies.nanoseconds()
    let begin = beginning.withLock { beginning in
      let begin = beginning ?? (dependencies.now(), ticks)
      beginning = begin
      return begin
    }
    return begin.time &+ Int64((ticks &- begin.ticks) / 1_000_000)
  }
}
