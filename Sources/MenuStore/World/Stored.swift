import JSONText
import MenuEngine

// The encoding of sessions, catalogues and their changes in a journal.

extension Session {
  var subject: JournalSubject { .session(id.rawValue) }

  func stored() throws(JournalFault) -> [UInt8] { try bytes(of: self, subject) }

  var journalState: JournalState { { [self] in try? StoredFormat.bytes(of: self) } }
}

extension Catalog {
  func stored() throws(JournalFault) -> [UInt8] { try bytes(of: self, .catalog) }

  var journalState: JournalState { { [self] in try? StoredFormat.bytes(of: self) } }
}

extension SessionRecord {
  /// Returns the journal's record of the mutations that led to a session.
  func record(of session: Session) throws(JournalFault) -> JournalRecord {
    JournalRecord(
      .changed, session.subject, revision: Int64(session.revision),
      payload: try bytes(of: self, session.subject))
  }
}

extension CatalogMutation {
  func record(revision: Int) throws(JournalFault) -> JournalRecord {
    JournalRecord(
      .changed, .catalog, revision: Int64(revision), payload: try bytes(of: self, .catalog))
  }
}

private func bytes(
  of value: some Encodable, _ subject: JournalSubject
) throws(JournalFault) -> [UInt8] {
  do throws(JSONCodingFault) {
    return try StoredFormat.bytes(of: value)
  } catch {
    throw .unwritable(subject, reason: "\(error)")
  }
}
