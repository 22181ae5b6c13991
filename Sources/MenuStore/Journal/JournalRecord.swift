/// The subject of a record or a state.
package enum JournalSubject: Hashable, Sendable {
  case catalog
  /// A session, by its name: 1 to 128 ASCII characters.
  case session(String)
}

/// One thing that happened, as it is kept.
package struct JournalRecord: Hashable, Sendable {
  /// The event that a record tells of its subject.
  package enum Kind: Int64, Hashable, Sendable {
    /// A session was opened, or there is a catalogue from now on. The payload is its whole state.
    case opened = 1
    /// The payload says what was changed.
    case changed
    /// The session is no more.
    case closed
  }

  package var kind: Kind
  package var subject: JournalSubject
  /// The revision of its subject afterwards.
  package var revision: Int64
  package var payload: [UInt8]

  package init(
    _ kind: Kind, _ subject: JournalSubject, revision: Int64, payload: [UInt8] = []
  ) {
    self.kind = kind
    self.subject = subject
    self.revision = revision
    self.payload = payload
  }
}

/// An item that a recovery reads.
package enum JournalItem: Hashable, Sendable {
  /// The whole state of a subject, in place of its earlier records.
  case state(JournalSubject, revision: Int64, [UInt8])
  /// A record and its place among all; these numbers grow, and leave out what is not needed.
  case record(JournalRecord, sequence: Int64)
  /// The answer to an earlier request.
  case entry(IdempotencyEntry)
  /// An open session that is read when somebody asks for it, and its label.
  case unread(JournalSubject, label: [UInt8])
}

/// The answer to a request that had an idempotency key, kept so that the request is not done again.
package struct IdempotencyEntry: Hashable, Sendable {
  /// The key of the request. An older entry under it is replaced.
  package var key: [UInt8]
  /// The fingerprint that tells the request from others under the same key.
  package var fingerprint: [UInt8]
  /// The status of the answer.
  package var status: Int64
  /// Its header, in a coding that the caller chooses.
  package var headers: [UInt8]
  package var body: [UInt8]
  /// The time of the journal's ``RetentionClock`` at which it expires.
  package var expiry: Int64

  package init(
    key: [UInt8], fingerprint: [UInt8], status: Int64, headers: [UInt8], body: [UInt8],
    expiry: Int64
  ) {
    self.key = key
    self.fingerprint = fingerprint
    self.status = status
    self.headers = headers
    self.body = body
    self.expiry = expiry
  }
}
