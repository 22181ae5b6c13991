import JSONText
import Locks
import MenuEngine
import MenuStore

/// The caches that all channels of a session share: the text of its document, and the plans for items and
/// menus. Both can be evicted at any time.
final class FollowedSession: Sendable {
  let id: SessionID
  private let memory: FollowingMemory
  private let contents = Lock(Contents())
  private let holder = Lock<FollowingMemory.Holder?>(nil)

  private struct Contents {
    /// The text of the document, with the number of its version.
    var document: (edition: Int, text: [UInt8])?
    /// The plans by the place where searches begin; a plan is absent while it is in use.
    var plans: [Place: ValidationPlan] = [:]
    /// The bytes of each plan, with the state that it retains.
    var sizes: [Place: Int] = [:]
  }

  /// The place where searches begin.
  private struct Place: Hashable {
    let from: ResponderID?
    let window: ResponderID?
  }

  /// Creates empty caches for the session of that id.
  init(_ id: SessionID, in memory: FollowingMemory) {
    (self.id, self.memory) = (id, memory)
    let holder = memory.holder(for: id) { [weak self] in self?.forget() }
    self.holder.withLock { $0 = holder }
  }

  /// Returns another holder in the session's account.
  func holder(evict: @escaping @Sendable () -> Void) -> FollowingMemory.Holder {
    memory.holder(for: id, evict: evict)
  }

  /// Returns the document as `GET /sessions/{session}` answers it.
  func document(of snapshot: Snapshot) -> [UInt8] {
    let edition = snapshot.sessionEdition.number
    let known = contents.withLock { contents in
      contents.document.flatMap { $0.edition == edition ? $0.text : nil }
    }
    if let known { return known }
    var writer = JSONWriter()
    writer.beginObject()
    writer.value(members: snapshot.session)
    writer.endObject()
    let text = writer.bytes
    contents.withLock { $0.document = (edition, text) }
    noteSize()
    return text
  }

  /// Puts a question to the plan for searches that begin at the request's place.
  func ask<Answer: Sendable, Fault: Error>(
    at moment: PlanMoment, as request: ValidationRequest,
    _ question: (inout ValidationPlan) throws(Fault) -> Answer
  ) throws(Fault) -> Answer {
    let start = Place(from: request.from, window: request.window)
    var plan = contents.withLock { $0.plans.removeValue(forKey: start) } ?? Self.emptyPlan
    defer { keep(plan, for: start, moment) }
    return try question(&plan)
  }

  private static let emptyPlan = ValidationPlan { fault, writer in writer.value(fault) }

  private func keep(_ plan: ValidationPlan, for start: Place, _ moment: PlanMoment) {
    let size = plan.size + moment.session.stateSize
    contents.withLock { contents in
      contents.plans[start] = plan
      contents.sizes[start] = size
    }
    noteSize()
  }

  private func noteSize() {
    let size = contents.withLock { contents in
      (contents.document?.text.count ?? 0) + contents.sizes.values.reduce(0, +)
    }
    holder.withLock(\.self)?.note(size)
  }

  /// Evicts everything; it is made again when needed.
  func forget() {
    let forgotten = contents.withLock { contents in
      defer { contents = Contents() }
      return contents
    }
    withExtendedLifetime(forgotten) {}
  }

  func forgetDocument() {
    let forgotten = contents.withLock { $0.document.take() }
    if forgotten != nil { noteSize() }
  }
}
