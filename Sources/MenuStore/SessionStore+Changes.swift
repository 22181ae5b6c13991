import Locks
package import MenuEngine
import Synchronization

/// The result of an accepted change.
package struct Accepted<Result: Sendable>: Sendable {
  /// The value that the change returned.
  package let result: Result
  /// Settled when the change cannot be lost any more, or was taken back.
  package let ticket: Ticket
  /// True if anything was changed.
  package let isChange: Bool
}

extension SessionStore {
  /// Adds a session, unless one of its name is open or there would be more than `most`; answers the
  /// session, or nil when it did not.
  ///
  /// The catalogue does not change between the making of the session and its place in the journal, so that
  /// a session never stands behind a catalogue that was rolled back.
  ///
  /// - Parameters:
  ///   - note: Is given the ticket of which sessions are open, when it did not.
  ///   - unkept: Makes the error to throw when the opening cannot be kept.
  ///   - entry: Makes the answer to keep of the session and its incarnation.
  ///   - session: Makes the session under the present catalogue.
  /// - Throws: What `session` throws, and what `unkept` makes.
  package func open<Fault: Error>(
    atMost most: Int = .max, noting note: (Ticket) -> Void = { _ in },
    unkept: (JournalFault) -> Fault,
    entry: (Session, _ incarnation: Int) -> IdempotencyEntry? = { _, _ in nil },
    _ session: (Catalog) throws(Fault) -> Session
  ) throws(Fault) -> SessionSnapshot? {
    let time = now()
    return try order.reading { () throws(Fault) -> SessionSnapshot? in
      let (catalog, ticket) = catalogState.reading { ($0.catalog, $0.ticket) }
      // A refusal shows the catalogue, too.
      note(ticket)
      let session = try session(catalog)
      do throws(JournalFault) {
        return try open(session, at: time, atMost: most, noting: note) { entry(session, $0) }
      } catch {
        throw unkept(error)
      }
    }
  }

  /// Adds a session that was made under the present catalogue.
  ///
  /// - Throws: `JournalFault`, when that cannot be kept.
  @discardableResult
  package func open(_ session: Session) throws(JournalFault) -> SessionSnapshot? {
    try open(session, at: now(), atMost: .max, noting: { _ in }, entry: { _ in nil })
  }

  private func open(
    _ session: Session, at time: Int64, atMost most: Int, noting note: (Ticket) -> Void,
    entry: (_ incarnation: Int) -> IdempotencyEntry?
  ) throws(JournalFault) -> SessionSnapshot? {
    let payload = journal == nil ? [] : try session.stored()
    let incarnation = openings.add(1, ordering: .relaxed).newValue
    let entry = entry(incarnation)
    let slot = SessionSlot(session, incarnation: incarnation, at: time)
    let record = JournalRecord(
      .opened, session.subject, revision: Int64(session.revision), payload: payload)
    // The session's own lock first, as everywhere: whoever takes the opening back wants both as well.
    return try slot.state.withLock { (state) throws(JournalFault) -> SessionSnapshot? in
      try slots.withLock { (slots) throws(JournalFault) -> SessionSnapshot? in
        let old = slots.ticket
        guard slots.byID[session.id] == nil, slots.byID.count < most else {
          note(old)
          return nil
        }
        let ticket = try keep(record, session.journalState, entry) {
          self.takeBack(opening: slot, to: old)
        }
        state.ticket = ticket
        slots.ticket = ticket
        slots.insert(slot)
        figures.opened.add()
        return slot.snapshot(of: state, presentGeneration)
      }
    }
  }

  /// Forgets a session, unless `check` throws; answers nil when it was not open.
  ///
  /// - Parameter note: Is given the tickets of what is looked at, before `check` is called.
  /// - Throws: What `check` throws, or what `unkept` makes of why that cannot be kept.
  @discardableResult
  package func close<Fault: Error>(
    _ id: SessionID, noting note: (Ticket) -> Void = { _ in }, unkept: (JournalFault) -> Fault,
    entry: IdempotencyEntry? = nil,
    check: (SessionChange) throws(Fault) -> Void = { (_) throws(Fault) in }
  ) throws(Fault) -> Accepted<Void>? {
    guard let slot = slot(id, noting: note) else { return nil }
    let closed = try close(slot, noting: note, unkept: unkept, entry: entry, check: check)
    if closed != nil { figures.closed.add() }
    return closed
  }

  func close<Fault: Error>(
    _ slot: SessionSlot, noting note: (Ticket) -> Void = { _ in },
    unkept: (JournalFault) -> Fault, entry: IdempotencyEntry? = nil,
    check: (SessionChange) throws(Fault) -> Void
  ) throws(Fault) -> Accepted<Void>? {
    // Under the session's own lock, so that it does not change after it was checked, and before the
    // other one, so that nobody waits for this session but those who want it.
    try slot.state.withLock { (state) throws(Fault) -> Accepted<Void>? in
      note(state.ticket)
      guard !state.isClosed else { return nil }
      try check(SessionChange(state.session, incarnation: slot.incarnation, figures))
      let record = JournalRecord(
        .closed, state.session.subject, revision: Int64(state.session.revision))
      let old = state.ticket
      state.ticket = try slots.withLock { (slots) throws(Fault) -> Ticket in
        let before = (session: old, slots: slots.ticket)
        let ticket = try keep(record, nil, entry, unkept) {
          self.takeBack(closing: slot, to: before)
        }
        slots.remove(slot)
        slots.ticket = ticket
        return ticket
      }
      state.isClosed = true
      return Accepted(result: (), ticket: state.ticket, isChange: true)
    }
  }

  /// Changes a session and answers what `change` does, or nil when it is not open. Nobody else
  /// changes it meanwhile.
  ///
  /// - Parameter note: Is given the tickets of what is looked at, before `change` is called.
  /// - Throws: What `change` throws, or what `unkept` makes of why the change cannot be kept; then
  ///   nothing is changed.
  package func change<Result: Sendable, Fault: Error>(
    _ id: SessionID, noting note: (Ticket) -> Void = { _ in }, unkept: (JournalFault) -> Fault,
    _ change: (inout SessionChange, Catalog) throws(Fault) -> Result
  ) throws(Fault) -> Accepted<Result>? {
    guard let slot = slot(id, noting: note) else { return nil }
    return try order.reading { () throws(Fault) -> Accepted<Result>? in
      let (catalog, ticket) = catalogState.reading { ($0.catalog, $0.ticket) }
      note(ticket)
      return try slot.state.withLock { (state) throws(Fault) -> Accepted<Result>? in
        note(state.ticket)
        guard !state.isClosed else { return nil }
        var present = SessionChange(state.session, incarnation: slot.incarnation, figures)
        let result = try change(&present, catalog)
        let isChange = try keep(present, in: slot, &state, unkept)
        return Accepted(result: result, ticket: state.ticket, isChange: isChange)
      }
    }
  }

  /// Keeps what a change did; answers whether there was anything.
  private func keep<Fault: Error>(
    _ change: SessionChange, in slot: SessionSlot, _ state: inout SessionSlot.State,
    _ unkept: (JournalFault) -> Fault
  ) throws(Fault) -> Bool {
    guard !change.mutations.isEmpty || change.entry != nil else { return false }
    guard journal != nil else {
      if let entry = change.entry { answers.add(entry) }
      state.session = change.session
      figures.noteAccepted(change.mutations)
      return true
    }
    let old = (session: state.session, ticket: state.ticket)
    do throws(JournalFault) {
      let record = change.mutations.isEmpty ? nil : try change.record()
      state.ticket = try keep(record, change.session.journalState, change.entry) {
        self.takeBack(to: old, in: slot)
      }
    } catch {
      throw unkept(error)
    }
    state.session = change.session
    figures.noteAccepted(change.mutations)
    return true
  }
}

extension SessionStore {
  /// Gives the journal what is about to happen, and keeps the answer; without a journal, nothing is to
  /// be waited for.
  func keep(
    _ record: JournalRecord?, _ state: JournalState?, _ entry: IdempotencyEntry? = nil,
    undo: @escaping @Sendable () -> Void
  ) throws(JournalFault) -> Ticket {
    guard let journal else {
      if let entry { answers.add(entry) }
      return .durable
    }
    guard let entry else {
      return try journal.append(JournalWrite(record: record, state: state, undo: undo))
    }
    return try answers.add(entry) { (forgotten, undoAnswer) throws(JournalFault) in
      try journal.append(
        JournalWrite(record: record, state: state, entry: entry, forgotten: forgotten) {
          undo()
          undoAnswer()
        })
    }
  }

  private func keep<Fault: Error>(
    _ record: JournalRecord?, _ state: JournalState?, _ entry: IdempotencyEntry?,
    _ unkept: (JournalFault) -> Fault, undo: @escaping @Sendable () -> Void
  ) throws(Fault) -> Ticket {
    do throws(JournalFault) {
      return try keep(record, state, entry, undo: undo)
    } catch {
      throw unkept(error)
    }
  }
}
