import JSONText
import MenuEngine
import MenuStore

/// The caches that all channels of a session share: the text of its document, and the plans for items and
/// menus. Both can be evicted at any time.
final class FollowedSession: Sendable {
  private let contents: MemoryPart<Contents>

  var memory: SessionMemory { contents.memory }

  private struct Contents: Remakeable {
    /// The text of the document, with the number of its version.
    var document: (edition: Int, text: [UInt8])?
    /// The plans by the place where searches begin; a plan is absent while it is in use.
    var plans: [Place: ValidationPlan] = [:]
    /// The bytes of each plan, with the state that it retains.
    var sizes: [Place: Int] = [:]

    var size: Int { sizes.values.reduce(document?.text.count ?? 0, +) }

    mutating func evict() { self = Contents() }
  }

  /// The place where searches begin.
  private struct Place: Hashable {
    let from: ResponderID?
    let window: ResponderID?
  }

  /// Creates empty caches.
  init(in memory: SessionMemory) { contents = MemoryPart(Contents(), in: memory) }

  var evictable: EvictablePart? { contents.evictable { [self] in contents.evict() } }

  /// Returns the document as `GET /sessions/{session}` answers it.
  func document(of snapshot: Snapshot) -> [UInt8] {
    let edition = snapshot.sessionEdition.number
    let known = contents.read { contents in
      contents.document.flatMap { $0.edition == edition ? $0.text : nil }
    }
    if let known { return known }
    var writer = JSONWriter()
    writer.beginObject()
    writer.value(members: snapshot.session)
    writer.endObject()
    let text = writer.bytes
    contents.use { $0.document = (edition, text) }
    return text
  }

  /// Puts a question to the plan for searches that begin at the request's place.
  func ask<Answer: Sendable, Fault: Error>(
    at moment: PlanMoment, as request: ValidationRequest,
    _ question: (inout ValidationPlan) throws(Fault) -> Answer
  ) throws(Fault) -> Answer {
    let start = Place(from: request.from, window: request.window)
    var plan = contents.change { $0.plans.removeValue(forKey: start) } ?? .empty
    defer { keep(plan, for: start, moment) }
    return try question(&plan)
  }

  private func keep(_ plan: ValidationPlan, for start: Place, _ moment: PlanMoment) {
    let size = plan.size + moment.session.stateSize
    contents.use { contents in
      contents.plans[start] = plan
      contents.sizes[start] = size
    }
  }

  /// Evicts the document, which is made again when needed.
  func forgetDocument() {
    let forgotten = contents.change { $0.document.take() }
    withExtendedLifetime(forgotten) {}
  }
}
