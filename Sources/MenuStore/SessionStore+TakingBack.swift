import Locks
import MenuEngine
import Synchronization

/// Rolls back changes that cannot be made durable, the last first.
///
/// The earlier value gets its own ticket again: among several changes that fail together it is not durable
/// either, and is rolled back next. Each rollback is counted under the lock of the value, so that a later
/// value is never taken for an earlier one of the same revision.
extension SessionStore {
  /// Closes a session whose opening is not kept.
  func takeBack(opening slot: SessionSlot, to ticket: Ticket) {
    slot.state.withLock { state in
      state.isClosed = true
      slots.withLock { slots in
        slots.remove(slot)
        slots.ticket = ticket
      }
      generation.add(1, ordering: .releasing)
    }
  }

  /// Opens a session again whose closing is not kept.
  func takeBack(closing slot: SessionSlot, to old: (session: Ticket, slots: Ticket)) {
    slot.state.withLock { state in
      state.isClosed = false
      state.ticket = old.session
      slots.withLock { slots in
        slots.insert(slot)
        slots.ticket = old.slots
      }
      generation.add(1, ordering: .releasing)
    }
  }

  /// Lets a session be what it was before a change that is not kept.
  func takeBack(to old: (session: Session, ticket: Ticket), in slot: SessionSlot) {
    slot.state.withLock { state in
      (state.session, state.ticket) = old
      generation.add(1, ordering: .releasing)
    }
  }

  /// Lets the catalogue be what it was before a change that is not kept.
  func takeBack(to old: CatalogState) {
    order.writing {
      catalogState.change { state in
        state = old
        generation.add(1, ordering: .releasing)
      }
    }
  }
}
