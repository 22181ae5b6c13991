/// The subject of a record or a state.
package enum JournalSubject: Hashable, Sendable {
  case catalog
  /// A session, by its name: 1 to 128 ASCII characters.
  case session(String)
}

/// A stored change or event of one subject.
package struct JournalRecord: Hashable, Sendable {
  /// The kinds of events.
  package enum Kind: Int64, Hashable, Sendable {
    /// The subject was created: a session was opened, or the catalogue stored. The payload is its complete state.
    case opened = 1
    /// The subject was changed. The payload describes the change.
    case changed
    /// The session was closed.
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
  /// The complete state of a subject, which replaces its earlier records.
  case state(JournalSubject, revision: Int64, [UInt8])
  /// A record with its sequence number. Sequence numbers increase, with gaps for records that are not needed.
  case record(JournalRecord, sequence: Int64)
  /// The answer to an earlier request.
  case entry(IdempotencyEntry)
  /// An open session that is loaded on demand, and its label.
  case unread(JournalSubject, label: [UInt8])
}

/// The answer to a request with an idempotency key, kept so that a retry does not repeat the request.
package struct IdempotencyEntry: Hashable, Sendable {
  /// The key of the request. An older entry under it is replaced.
  package var key: [UInt8]
  /// The fingerprint that distinguishes the request from different ones with the same key.
  package var fingerprint: [UInt8]
  /// The status of the answer.
  package var status: Int64
  /// Its header fields, encoded by the caller.
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
