/// The sessions and keys that a batch affects.
package struct BatchScope: Sendable {
  /// The sessions that it changes, opens or closes.
  package var sessions: Set<JournalSubject> = []
  /// The idempotency keys of its answers.
  package var keys: [[UInt8]] = []
  /// True if it opens or closes sessions, or changes the catalogue.
  package var changesDirectory = false
  /// True if it changes the catalogue.
  package var changesCatalog = false

  package init() {}
}
