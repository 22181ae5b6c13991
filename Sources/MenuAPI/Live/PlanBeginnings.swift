import Locks
import MenuEngine
import MenuStore

/// The initial plans for new sessions, most recently chosen first.
///
/// They come from sessions that had little in common with each other at their first request.
final class PlanBeginnings: Sendable {
  /// A plan, and the version of the catalogue that it is about.
  private struct Beginning {
    let plan: ValidationPlan
    let catalog: Int
  }

  /// The maximum number of plans.
  private static let maximumCount = 4

  private let plans = Lock<[Beginning]>([])

  /// Returns the plan of the most similar session; nil if there is none.
  func plan(for snapshot: Snapshot) -> (plan: ValidationPlan, resemblance: Int)? {
    plans.withLock { plans in
      let catalog = snapshot.catalogEdition.number
      // A past snapshot of a session may have an older catalogue.
      guard plans.allSatisfy({ $0.catalog <= catalog }) else { return nil }
      plans.removeAll { $0.catalog != catalog }
      var best: (index: Int, resemblance: Int)?
      for index in plans.indices {
        let resemblance = plans[index].plan.resemblance(
          to: snapshot.session, in: snapshot.catalog)
        if resemblance > best?.resemblance ?? -1 { best = (index, resemblance) }
      }
      guard let best else { return nil }
      if best.index > 0 { plans.insert(plans.remove(at: best.index), at: 0) }
      return (plans[0].plan, best.resemblance)
    }
  }

  /// Adds an initial plan for similar sessions. The least recently chosen plan is evicted.
  func add(_ plan: ValidationPlan, _ snapshot: Snapshot) {
    plans.withLock { plans in
      let catalog = snapshot.catalogEdition.number
      guard plans.allSatisfy({ $0.catalog <= catalog }) else { return }
      plans.insert(Beginning(plan: plan, catalog: catalog), at: 0)
      if plans.count > Self.maximumCount { plans.removeLast() }
    }
  }
}
