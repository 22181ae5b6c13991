extension JournalFile {
  /// Checks that the file is a journal of the present format and sound. Nothing is changed.
  static func check(
    _ connection: SQLiteConnection, at path: String
  ) throws(JournalFault) {
    let application = try JournalFault.of(path) { () throws(SQLiteFault) in
      // Other programs are kept out, and SQLite needs no memory that it shares with them.
      try connection.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA cell_size_check = ON")
      return try connection.value(of: "PRAGMA application_id")?.int
    }
    if application == JournalSchema.unreleased { throw .unreleased(place: path) }
    guard application == JournalSchema.application else { throw .foreign(path: path) }
    let format = try JournalFault.of(path) { () throws(SQLiteFault) in
      try connection.value(of: "PRAGMA user_version")?.int ?? 0
    }
    guard format <= JournalSchema.format else {
      throw .newer(path: path, version: format, known: JournalSchema.format)
    }
    let (isMet, answer) = try JournalFault.of(path) { () throws(SQLiteFault) in
      let isMet = try JournalSchema.isMet(by: connection)
      return (
        isMet && format == JournalSchema.format,
        try connection.value(of: "PRAGMA integrity_check(1)")?.text
      )
    }
    guard answer == "ok" else { throw .damaged(path: path, .file(answer ?? "no answer")) }
    guard isMet else { throw .damaged(path: path, .tables) }
  }

  /// The extent that the file says it has.
  static func extent(
    _ connection: SQLiteConnection, _ path: String
  ) throws(JournalFault) -> JournalExtent {
    let rows = try JournalFault.of(path) { () throws(SQLiteFault) in
      var rows: [(Int64?, [UInt8]?, Int64?)] = []
      let statement = try connection.prepare("SELECT id, numbers, checksum FROM extent")
      try statement.start()
      while try statement.next() {
        rows.append((statement[0].int, statement[1].blob, statement[2].int))
      }
      return rows
    }
    guard rows.count == 1, rows[0].0 == 1, let extent = rows[0].1.flatMap(JournalExtent.init(_:)),
      extent.checksum == rows[0].2, 0...extent.last ~= extent.base, extent.last < .max
    else { throw .damaged(path: path, .extent) }
    return extent
  }
}
