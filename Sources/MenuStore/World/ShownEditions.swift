package import MenuEngine

/// The editions that an answer was made of, in a process that is not alone on its journal.
package struct ShownEditions: Sendable {
  private var catalog: CatalogEdition?
  private var sessions: [(id: SessionID, edition: SessionEdition?)] = []
  /// True if the answer shows several editions of one subject.
  private var isMixed = false
  /// The number of times that the open sessions changed until the answer showed which they are; nil if it does not.
  private var openings: Int?
  /// The keys without an answer.
  package private(set) var keys: [[UInt8]] = []

  /// Nothing yet.
  package init() {}

  /// Notes the catalogue.
  package mutating func note(_ edition: CatalogEdition) {
    if let catalog, catalog !== edition { isMixed = true }
    catalog = edition
  }

  /// Notes a session, or that there is none.
  package mutating func note(_ look: StoreSnapshot, of id: SessionID) {
    note(look.catalog)
    note(look.session, of: id)
  }

  /// Notes a session, or that there is none.
  package mutating func note(_ edition: SessionEdition?, of id: SessionID) {
    guard let known = sessions.first(where: { $0.id == id }) else {
      return sessions.append((id, edition))
    }
    if known.edition !== edition { isMixed = true }
  }

  /// Notes which sessions are open.
  package mutating func noteOpenSessions(of store: SessionStore) {
    openings = openings ?? store.openingCount
  }

  /// Notes that there is no answer under a key.
  package mutating func note(missing key: [UInt8]) { keys.append(key) }

  /// The sessions that are shown.
  package var ids: [SessionID] { sessions.map(\.id) }

  /// The opening and revision of the session that is shown, and the revision of the catalogue.
  package var revisions: (opening: Int?, session: Int, catalog: Int) {
    let edition = sessions.first?.edition
    return (
      edition?.opening.number, edition?.session.revision ?? -1, catalog?.catalog.revision ?? -1
    )
  }

  /// True if the sessions lack at most what other processes committed within so long a time.
  package func areCurrent(within time: Duration) -> Bool {
    sessions.allSatisfy { $0.edition?.opening.isCurrent(within: time) ?? true }
  }

  /// True if a world is still as it was shown.
  func isCurrent(in world: World, at now: Int64) -> Bool {
    !isMixed && (catalog == nil || catalog === world.catalog)
      && (openings == nil || openings == world.openingCount)
      && sessions.allSatisfy { world.sessions[$0.id] === $0.edition }
      && lacksAnswers(in: world, at: now)
  }

  /// True if there is still no answer under the keys.
  func lacksAnswers(in world: World, at now: Int64) -> Bool {
    keys.allSatisfy { world.answers.answer(under: AnswerKey($0), at: now) == nil }
  }
}
