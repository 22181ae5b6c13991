import Locks
package import MenuEngine
import Synchronization

extension SessionStore {
  /// Forgets the sessions that nobody asked for longer than that many milliseconds, but for some; answers
  /// their names in alphabetical order, and why the others could not be forgotten.
  package func closeIdle(
    forMoreThan patience: Int64, besides kept: Set<SessionID> = []
  ) -> (closed: [SessionID], fault: JournalFault?) {
    let time = now()
    let idle = slots.withLock { slots in
      slots.byID.values.filter { $0.idleTime(at: time) > patience && !kept.contains($0.id) }
    }
    var closed: [SessionID] = []
    for slot in idle.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      do throws(StayReason) {
        let accepted = try close(slot, unkept: StayReason.unkept) { (_) throws(StayReason) in
          if slot.idleTime(at: time) <= patience { throw .isAsked }
        }
        guard accepted != nil else { continue }
        closed.append(slot.id)
        figures.expired.add()
      } catch {
        if case .unkept(let fault) = error { return (closed, fault) }
      }
    }
    return (closed, nil)
  }

  /// Why an idle session stays open.
  private enum StayReason: Error {
    /// Somebody asked it meanwhile.
    case isAsked
    case unkept(JournalFault)
  }
}
