import Glibc

extension JournalFault: CustomStringConvertible {
  /// The fault and its remedy as sentences, beginning with the file.
  package var description: String {
    switch self {
    case .noRoom(let path): "\(path): There is no room left on the disk."
    case .system(let path, let code): "\(path): \(Self.sentences(ofSystem: code))"
    case .danglingLink(let path):
      "\(path): It is a symbolic link to what is not there. Bring that back, such as by mounting its "
        + "volume, or remove the link to begin anew."
    case .unflushed(let path, code: 0):
      "\(path): The system failed to flush it, and says no reason."
    case .unflushed(let path, let code):
      "\(path): The system says, when it was to flush: \(Self.text(of: code))."
    case .removed(let path):
      "\(path): It was removed or replaced while menud has it open, so that no change would be kept. "
        + "Put it back if it was moved; otherwise save what you need, and start menud again."
    case .refused(let path, let message): "\(path): SQLite says: \(message)."
    case .locked(let path, let holder):
      "\(path): It is in use by \(holder.map { "process \($0)" } ?? "another process"). "
        + "Only one process can have a journal; stop that one, or give this one another file."
    case .busy(let path):
      "\(path): Another program has it open in SQLite. Close it there; a copy can be looked at."
    case .foreign(let path):
      "\(path): It is a SQLite file, but no journal of menud. Give another path, or move it away."
    case .unreleased(let place):
      "\(place): An unreleased version of menud wrote it, and this one does not read that. Move it "
        + "away, or give another file, database or schema, to begin anew."
    case .newer(let path, let version, let known):
      "\(path): It has format \(version), which a newer menud wrote; this one knows formats up to "
        + "\(known). Use the newer one."
    case .damaged(let path, let damage):
      "\(path): \(damage.sentence) Nothing was changed. Put back a copy of the file, or move it and "
        + "those beside it away to begin anew."
    case .outcomeUnknown, .unreadable, .unwritable, .closed, .unreachable, .refusedByDatabase,
      .lockedDatabase, .noSchema, .takenOver, .unresolved, .conflict, .fellBehind,
      .damagedDatabase:
      descriptionWithoutFile
    }
  }

  /// The description of a fault without a file.
  private var descriptionWithoutFile: String {
    switch self {
    case .outcomeUnknown:
      "The disk fails, and what was written last cannot be replaced: the next start may find it."
    case .unreadable(let subject, let sequence, let reason):
      "The \(sequence.map { "record \($0)" } ?? "state") of \(subject.wording) cannot be read, and so "
        + "nothing was. \(reason)"
    case .unwritable(let subject, let reason):
      "What happened to \(subject.wording) cannot be kept. \(reason)"
    case .closed: "The journal is closed."
    case .unreachable(let database, let message):
      "\(database): It cannot be reached. \(message)"
    case .refusedByDatabase(let database, let state, let message):
      "\(database): PostgreSQL says: \(message) (\(state))."
    case .lockedDatabase(let database):
      "\(database): Another process has the journal in it. Only one can; stop that one, let this one "
        + "wait with journal.wait, or give it another database or schema."
    case .noSchema(let database, let path):
      "\(database): There is no schema of its search path, which is '\(path)'. Create one, or name "
        + "another one."
    case .takenOver(let database):
      "\(database): Another process took the journal over, or the database is not the one that it "
        + "was. Start this one again, which reads it anew."
    case .unresolved(let database):
      "\(database): The connection was lost while changes were committed, and it is not known whether "
        + "they are there. The next start finds out."
    case .conflict: "Another process changed the same at the same time."
    case .fellBehind(let database):
      "\(database): This process was cut off for so long that the database no longer has all that it "
        + "missed. Start it again, which reads it anew."
    case .damagedDatabase(let database, let damage):
      "\(database): \(damage.sentence) Nothing was changed. Restore a backup, or use another database "
        + "or schema to begin anew."
    default: "The journal fails."
    }
  }

  private static func sentences(ofSystem code: Int32) -> String {
    let reason = "The system says: \(text(of: code))."
    return switch code {
    case EISDIR:
      "It is a folder, not a file. Name another file as the journal, or remove the folder."
    case ENOENT, ENOTDIR: reason + " Name another place."
    case EROFS, EACCES, EPERM:
      reason
        + " The journal's folder and files must be writable; make them so, or name another place."
    default: reason
    }
  }

  private static func text(of code: Int32) -> String {
    if code == 0 { return "an error without a number" }
    return unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}

extension JournalFault.Damage {
  fileprivate var sentence: String {
    switch self {
    case .empty: "It is empty, which no journal ever is."
    case .onlyLog(let path): "It is not there, but \(path), which belongs to it, is."
    case .log(let path, let first, let last):
      "\(path): A write in it is not as it was written, and others stand behind it. "
        + "\(JournalNotice.records(first, last)) lost with it, although acknowledged."
    case .file(let message): "It is damaged: \(message.replacing("\n", with: " "))."
    case .tables: "Its tables are not those of a journal."
    case .extent: "It is damaged where it says how much it holds."
    case .record(let sequence):
      "Record \(sequence) is not as it was written, and others stand behind it."
    case .missingRecord(let sequence): "Record \(sequence) is missing, and others stand behind it."
    case .state(let subject): "The state of \(subject.wording) is not as it was written."
    case .states: "The states in it are not those that were written."
    case .history(let subject): "The history of \(subject.wording) is not what was written."
    case .histories: "A history is not what was written."
    case .entries: "The answers kept for repeated requests are not those that were written."
    case .recordsOf(let subject): "The records of \(subject.wording) are not all there."
    }
  }
}

extension JournalNotice: CustomStringConvertible {
  /// The notice as sentences.
  package var description: String {
    switch self {
    case .created(let path): "\(path): There was no journal; this is a new one."
    case .lastRecordDamaged(let sequence):
      "Record \(sequence), the last one, is not as it was written and was left out."
    case .recordsMissing(let first, let last):
      "\(Self.records(first, last)) missing at the end of the journal."
    case .unfinishedWrite(let path, let bytes):
      "\(path): It ends in \(bytes) bytes that are no whole write; they were left out."
    case .acknowledgedMissing(let first, let last):
      "\(Self.records(first, last)) missing at the end of the journal, although acknowledged: the "
        + "system went down before the disk had them, or a file was cut."
    case .markUnreadable(let path):
      "\(path): It does not say up to where records were acknowledged, so that nobody can tell "
        + "whether some are missing at the end."
    }
  }

  /// True if data is lost, or may be.
  package var isLoss: Bool {
    switch self {
    case .created: false
    case .lastRecordDamaged, .recordsMissing, .unfinishedWrite, .acknowledgedMissing,
      .markUnreadable:
      true
    }
  }

  /// True if records are missing that may have been acknowledged.
  var isOfMissingRecords: Bool {
    switch self {
    case .recordsMissing, .acknowledgedMissing, .lastRecordDamaged: true
    case .created, .unfinishedWrite, .markUnreadable: false
    }
  }

  fileprivate static func records(_ first: Int64, _ last: Int64) -> String {
    first == last ? "Record \(first) is" : "Records \(first) to \(last) are"
  }
}

extension JournalSubject {
  fileprivate var wording: String {
    switch self {
    case .catalog: "the catalogue"
    case .session(let name): "session '\(name)'"
    }
  }
}
