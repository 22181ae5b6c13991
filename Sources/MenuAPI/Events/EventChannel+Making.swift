import JSONText
import Locks
import MenuEngine
import MenuStore
import Synchronization

// Following durable commits.

extension EventChannel {
  /// Follows the new durable commits.
  func follow(_ making: inout Making) {
    isMaking.store(true, ordering: .releasing)
    defer { isMaking.store(false, ordering: .releasing) }
    guard !hasEnded, mayHaveNews.exchange(false, ordering: .acquiringAndReleasing),
      let sources
    else { return }
    let time = newsTime.exchange(0, ordering: .relaxed)
    if !making.hasBegun { begin(&making, with: sources.session.past) }
    guard let news = making.versions.follow(sources) else { return }
    if let reason = news.end {
      end(reason)
      return
    }
    let snapshot = news.snapshot
    if news.isAnew || snapshot == nil { kept.change { $0.beginAnew() } }
    if let snapshot { follow(news.changes, to: snapshot, at: time) }
  }

  /// Begins with the session's past, so that subscribers from before a restart, or from another replica, can resume.
  ///
  /// Subscribers see only the final view, because an id must not go back.
  private func begin(_ making: inout Making, with past: [PastMoment]) {
    making.hasBegun = true
    guard let first = past.first, let last = past.last else { return }
    making.versions = FollowedVersions(of: last.snapshot)
    let view = environment.charging(subscription.session) {
      var view = newView(of: first.snapshot)
      for step in past.dropFirst() {
        let change = EventNews.Change(
          revision: step.session.session.revision, outcomes: step.outcomes,
          actor: step.actor ?? .local)
        view.follow(
          step.outcomes.isEmpty ? [] : [change], to: viewed(step.snapshot), asking: plan)
      }
      return view
    }
    let id = EventID(last.snapshot, of: subscription.name)
    kept.change { $0.advance(to: id, with: view, at: environment.nanoseconds()) }
  }

  /// Follows the new durable commits, and resolves a cursor with known ids to a place.
  ///
  /// If the view does not know that place, because this channel had no subscriber while another replica sent it, the
  /// channel begins again with the session's past.
  func resolve(_ cursor: inout KeptEvents.Cursor, _ making: inout Making) {
    follow(&making)
    beginAgain(&making, at: cursor)
    kept.read { $0.resolve(&cursor) }
  }

  private func beginAgain(_ making: inout Making, at cursor: KeptEvents.Cursor) {
    guard let place = kept.read({ $0.unknownPlace(of: cursor) }), let past = sources?.session.past,
      past.contains(where: { $0.snapshot.revisions == place.revisions })
    else { return }
    begin(&making, with: past)
  }

  /// Follows the changes that led to a snapshot.
  private func follow(_ changes: [EventNews.Change], to snapshot: Snapshot, at time: Int) {
    let id = EventID(snapshot, of: subscription.name)
    let (former, evictions) = kept.change { ($0.view.take(), $0.evictions) }
    let view = environment.charging(subscription.session) {
      guard var view = former else { return newView(of: snapshot) }
      view.follow(changes, to: viewed(snapshot), asking: plan)
      return view
    }
    let time = time == 0 ? environment.nanoseconds() : time
    kept.change { kept in
      // If the view was evicted in the meantime, every subscriber starts over with a reset.
      kept.advance(to: id, with: kept.evictions == evictions ? view : nil, at: time)
    }
  }

  private func newView(of snapshot: Snapshot) -> EventView {
    EventView(subscription, of: viewed(snapshot), asking: plan, within: environment.limits.kept)
  }

  /// Returns a snapshot as the viewer sees it.
  private func viewed(_ snapshot: Snapshot) -> Snapshot {
    environment.sessions.view(snapshot, limitedTo: subscription.viewer.commands)
  }
}

// MARK: Events

extension EventChannel {
  /// Returns the event at a cursor, and moves the cursor after it; nil if there is none at the moment.
  func event(
    at cursor: inout KeptEvents.Cursor, _ making: inout Making
  ) -> SessionEvent? {
    for _ in 0..<4 {
      resolve(&cursor, &making)
      switch kept.read({ $0.next(at: &cursor) }) {
      case .none: return nil
      case .event(let event): return event
      case .unmade(let start):
        guard let event = start.map(change) ?? reset(at: making) else { continue }
        cursor.id = event.id
        return event
      }
    }
    return nil
  }

  /// Returns the event with the changes since revisions; nil if they are not known.
  private func change(since start: EventID.Revisions) -> SessionEvent? {
    let (view, id, time, evictions) = kept.read { ($0.view, $0.id, $0.time, $0.evictions) }
    guard let view, let id else { return nil }
    var writer = JSONWriter()
    environment.charging(subscription.session) {
      writer.beginObject()
      writer.member("session", subscription.session.rawValue)
      writer.member("from", start.session)
      writer.member("revision", id.revisions.session)
      writer.member("catalogRevision", id.revisions.catalog)
      writer.optionalMember("selection", subscription.name?.rawValue)
      view.write(since: start, to: &writer)
      writer.endObject()
    }
    if id.revisions.count(since: start) > 1 { environment.figures.merged.add() }
    let event = SessionEvent(.change, to: id, at: time, data: writer.bytes)
    kept.change { if $0.evictions == evictions { $0.keep(event, since: start) } }
    return event
  }

  /// Returns the event with everything; nil if there is none at the moment.
  private func reset(at making: Making) -> SessionEvent? {
    let (known, evictions) = kept.read { ($0.view, $0.evictions) }
    guard !hasEnded, let snapshot = making.versions.snapshot else { return nil }
    let id = EventID(snapshot, of: subscription.name)
    var writer = JSONWriter()
    let (view, inset) = environment.charging(subscription.session) {
      let view = known ?? newView(of: snapshot)
      writer.beginObject()
      writer.members(snapshot)
      writer.optionalMember("selection", subscription.name?.rawValue)
      let document = subscription.hasDocument ? self.document.text(of: snapshot) : nil
      let inset = view.write(with: document, to: &writer)
      writer.endObject()
      return (view, inset)
    }
    let event = SessionEvent(
      .reset, to: id, at: environment.nanoseconds(), data: writer.bytes, with: inset)
    kept.change { kept in
      guard kept.evictions == evictions else { return }
      if known == nil { kept.advance(to: id, with: view, at: event.time) }
      kept.keep(event, since: nil)
    }
    return event
  }

  /// Ends the events for a reason, without waking subscribers; returns false if they have already ended.
  @discardableResult
  func end(_ reason: String) -> Bool {
    kept.change { kept in
      guard !kept.hasEnded else { return false }
      kept.end(with: kept.id.map { closedEvent(reason, after: $0) })
      ended.store(true, ordering: .relaxed)
      return true
    }
  }

  /// Returns the last event for a subscriber at an id.
  func closedEvent(_ reason: String, after id: EventID) -> SessionEvent {
    SessionEvent(
      .closed, to: id, at: environment.nanoseconds(), data: subscription.closing(for: reason))
  }
}

extension PastMoment {
  fileprivate var snapshot: Snapshot {
    Snapshot(sessionEdition: session, catalogEdition: catalog)
  }
}

extension EventSubscription {
  /// Returns the data of the last event of the subscription.
  fileprivate func closing(for reason: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("session", session.rawValue)
    writer.optionalMember("selection", name?.rawValue)
    writer.member("reason", reason)
    writer.endObject()
    return writer.bytes
  }

  /// Returns the last event as sent, without an id, because the stream's id belongs to the other sessions.
  func closedEvent(_ reason: String) -> [UInt8] {
    SessionEvent.Kind.closed.beginning + closing(for: reason) + Array("\n\n".utf8)
  }
}
