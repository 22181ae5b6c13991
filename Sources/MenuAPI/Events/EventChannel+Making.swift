import JSONText
import Locks
import MenuEngine
import MenuStore
import Synchronization

// Making events from durable commits.

extension EventChannel {
  /// Makes an event of the new durable commits, if they concern the subscribers.
  func advance() {
    guard !hasEnded, mayHaveToMake else { return }
    making.withLock { advance(&$0) }
    kept.use { _ in }
  }

  private func advance(_ making: inout Making) {
    isMaking.store(true, ordering: .releasing)
    defer { isMaking.store(false, ordering: .releasing) }
    guard !hasEnded, mayHaveNews.exchange(false, ordering: .acquiringAndReleasing),
      let sources
    else { return }
    let time = newsTime.exchange(0, ordering: .relaxed)
    begin(&making, sources.session)
    var news = EventNews()
    // Repeated until neither has news, so that both versions are of one moment.
    for _ in 0..<8 {
      while news.take(sources.session, &making.session)
        || news.take(sources.catalog, &making.catalog)
      {}
      guard news.hasAny else { return }
      if let reason = news.end {
        end(reason)
        return
      }
      // A new incarnation of the session does not concern these subscribers.
      if let new = news.session, let old = making.opening, old !== new.opening {
        end("sessionClosed")
        return
      }
      if news.isAnew { forget() }
      guard let snapshot = news.snapshot(from: sources, at: making) else { continue }
      making.opening = snapshot.sessionEdition.opening
      return tell(news.outcomes, snapshot, at: time)
    }
    // The news that was read is discarded, so subscribers start over with a reset.
    forget()
    mayHaveNews.store(true, ordering: .releasing)
  }

  private func forget() { kept.change { $0.beginAnew(at: nil) } }

  /// Begins with the session's past from before a restart, so that its followers can resume.
  private func begin(_ making: inout Making, _ follower: Follower) {
    guard !making.hasBegun else { return }
    making.hasBegun = true
    guard let past = follower.past else { return }
    for step in past.moments {
      (making.session, making.opening) = (step.session.number, step.session.opening)
      making.catalog = step.catalog.number
      tell(
        step.outcomes, Snapshot(sessionEdition: step.session, catalogEdition: step.catalog), at: 0)
    }
  }

  /// Makes an event of the commits that led to the present versions, if they concern the subscribers.
  private func tell(_ outcomes: [Outcome], _ snapshot: Snapshot, at time: Int) {
    let id = EventID(snapshot.sessionEdition, snapshot.catalogEdition, of: subscription.name)
    let (known, start, evictions) = kept.change {
      ($0.contents.take(), $0.id, $0.evictions)
    }
    guard var known, let start, start.opening == id.opening else {
      var known = EventContents(subscription)
      environment.charging(subscription.session) { known.learn(of: snapshot, from: followed) }
      return keep(known, at: id, since: evictions) { $0.beginAnew(at: id) }
    }
    let data = change(by: outcomes, since: start, to: snapshot, &known)
    let event = data.map {
      SessionEvent(
        .change, from: start, to: id, at: time == 0 ? environment.nanoseconds() : time, data: $0)
    }
    if event?.isMerged == true { environment.figures.merged.add() }
    keep(known, at: id, since: evictions) { $0.advance(to: id, with: event) }
  }

  /// Keeps the contents at the new id. If they were evicted in the meantime, every subscriber starts over with
  /// a reset.
  private func keep(
    _ contents: EventContents, at id: EventID, since evictions: Int,
    _ body: (inout KeptEvents) -> Void
  ) {
    kept.change { kept in
      guard kept.evictions == evictions else { return kept.beginAnew(at: id) }
      body(&kept)
      kept.contents = contents
    }
  }

  /// Returns the differences for the subscribers as an object; nil if there are none.
  private func change(
    by outcomes: [Outcome], since start: EventID, to snapshot: Snapshot,
    _ known: inout EventContents
  ) -> [UInt8]? {
    var writer = JSONWriter()
    let differs = environment.charging(subscription.session) {
      writer.beginObject()
      writer.member("session", snapshot.session.id.rawValue)
      writer.member("from", start.revision)
      writer.member("revision", snapshot.session.revision)
      writer.member("catalogRevision", snapshot.catalog.revision)
      writer.optionalMember("selection", subscription.name?.rawValue)
      let differs = known.writeChanges(by: outcomes, to: snapshot, from: followed, &writer)
      writer.endObject()
      return differs
    }
    return differs || subscription.isOfRevisions ? writer.bytes : nil
  }
}

// MARK: Resetting and ending

extension EventChannel {
  /// Returns the event with everything, or the last event if the channel has ended, and the number after it;
  /// nil if there is none at the moment.
  func reset() -> (event: SessionEvent, next: Int)? {
    let made = making.withLock { making in
      advance(&making)
      return reset(at: making)
    }
    kept.use { _ in }
    return made
  }

  private func reset(at making: Making) -> (event: SessionEvent, next: Int)? {
    let (known, end, next, evictions) = kept.read { kept in
      (kept.reset ?? (kept.end == nil ? nil : kept.lastEvent), kept.end, kept.last, kept.evictions)
    }
    if let known { return (known, next) }
    guard end == nil, let sources, let snapshot = EventNews().snapshot(from: sources, at: making)
    else { return nil }
    let id = EventID(snapshot.sessionEdition, snapshot.catalogEdition, of: subscription.name)
    var contents = EventContents(subscription)
    var writer = JSONWriter()
    let inset = environment.charging(subscription.session) {
      writer.beginObject()
      writer.members(snapshot)
      writer.optionalMember("selection", subscription.name?.rawValue)
      let inset = contents.writeAll(of: snapshot, from: followed, to: &writer)
      writer.endObject()
      return inset
    }
    let event = SessionEvent(
      .reset, from: id, to: id, at: environment.nanoseconds(), data: writer.bytes, with: inset)
    return kept.change { kept in
      guard kept.end == nil else { return nil }
      if kept.id != id { kept.beginAnew(at: id) }
      if kept.evictions == evictions { (kept.contents, kept.reset) = (contents, event) }
      return (event, kept.last)
    }
  }

  /// Ends the events for a reason, without waking subscribers; returns false if they have ended before.
  @discardableResult
  func end(_ reason: String) -> Bool {
    kept.change { kept in
      guard kept.end == nil else { return false }
      kept.end = reason
      ended.store(true, ordering: .relaxed)
      if let id = kept.id { kept.append(closedEvent(reason, after: id)) }
      return true
    }
  }

  /// Returns the last event for a subscriber at an id.
  func closedEvent(_ reason: String, after id: EventID) -> SessionEvent {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("session", subscription.session.rawValue)
    writer.optionalMember("selection", subscription.name?.rawValue)
    writer.member("reason", reason)
    writer.endObject()
    return SessionEvent(
      .closed, from: id, to: id, at: environment.nanoseconds(), data: writer.bytes)
  }
}

extension EventNews {
  /// Returns the versions that were taken, with the present version of a source without news; nil if that one
  /// is newer by now.
  fileprivate func snapshot(
    from sources: EventSources, at making: EventChannel.Making
  ) -> Snapshot? {
    var present = EventNews()
    if session == nil { present.read(sources.session) }
    if catalog == nil { present.read(sources.catalog) }
    guard let session = session ?? present.session, let catalog = catalog ?? present.catalog,
      session.number == making.session, catalog.number == making.catalog
    else { return nil }
    return Snapshot(sessionEdition: session, catalogEdition: catalog)
  }
}
