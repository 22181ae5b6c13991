/// The new part of a shared journal: the directory behind its applied end, the records of sessions behind their
/// positions, and answers.
struct SharedReading {
  /// The statements of a reading, and what is known before it.
  struct Statements {
    let start: Int64
    /// The sessions whose places are asked for.
    let subjects: Set<JournalSubject>
    /// The statements. The sessions come before the end of the directory: their records belong to the catalogue at that
    /// end, or to an earlier one.
    let all: [PostgreSQLStatement]
    /// True if the news of the directory are read, too.
    fileprivate let readsDirectory: Bool
    /// True if answers are read, too.
    fileprivate let readsAnswers: Bool

    init(
      after start: Int64, held: [(subject: JournalSubject, place: SubjectPosition)],
      keys: [[UInt8]], readingDirectory: Bool
    ) {
      self.start = start
      subjects = Set(held.map(\.subject))
      (readsDirectory, readsAnswers) = (readingDirectory, !keys.isEmpty)
      var all = [
        PostgreSQLStatement(
          "menud_read_news",
          [
            .texts(held.map(\.subject.text)), .ints(held.map(\.place.incarnation)),
            .ints(held.map(\.place.edition)),
          ]), PostgreSQLStatement("menud_read_head"),
      ]
      if readsDirectory { all.append(PostgreSQLStatement("menud_read_directory", [.int(start)])) }
      if readsAnswers { all.append(PostgreSQLStatement("menud_read_answers", [.byteses(keys)])) }
      self.all = all
    }
  }

  /// The end of the directory that it reads from.
  let start: Int64
  /// The end of the directory.
  let end: Int64
  /// The last record of the directory that may be gone.
  let removed: Int64
  /// The sessions that it reads.
  let subjects: Set<JournalSubject>
  /// The news of the directory; nil if that was not read.
  private let directory: PostgreSQLRow?
  /// The sessions that are not where they were held, each with its new records.
  private let news: PostgreSQLRow
  private let answers: PostgreSQLRow?

  /// Creates a reading from the results of all its statements; nil if they are malformed.
  init?(_ results: ArraySlice<PostgreSQLRow>, of statements: Statements) {
    let results = Array(results)
    guard results.count == statements.all.count, let end = results[1].int(0),
      let removed = results[1].int(1)
    else { return nil }
    (start, subjects) = (statements.start, statements.subjects)
    (self.end, self.removed) = (end, removed)
    news = results[0]
    directory = statements.readsDirectory ? results[2] : nil
    answers = statements.readsAnswers ? results.last : nil
  }

  /// True if it tells of none of these subjects, nor of the catalogue, which their changes come before.
  func isApart(from subjects: Set<JournalSubject>) -> Bool {
    guard !subjects.isEmpty else { return true }
    let subjects = subjects.union([.catalog])
    for rows in [directory, news].compactMap(\.self) {
      for index in 0..<rows.count {
        rows.seek(index)
        if subjects.contains(rows.subject) { return false }
      }
    }
    return true
  }

  /// The items of a reading, in order.
  struct Items {
    fileprivate(set) var items: [JournalItem] = []
    /// The number of records among them.
    fileprivate(set) var count = 0
    /// The record of the last change of the catalogue among them.
    fileprivate(set) var catalogAt: Int64?
    /// The nanoseconds since the newest of them.
    fileprivate(set) var age: Int?
  }

  /// Returns the items that others committed, and takes the positions forward.
  ///
  /// A record that does not stand right behind the position of its subject, or is not as it was written, is left out.
  /// So is a change of a session that was made before the catalogue which is applied already.
  func items(
    after position: Int64, catalogAt: Int64, _ held: inout [JournalSubject: SubjectPosition],
    in database: String
  ) throws(JournalFault) -> Items {
    var result = Items()
    for (sequence, rows, index) in places(after: position) {
      rows.seek(index)
      guard rows === directory || sequence > catalogAt,
        let item = try item(of: rows, &held, in: database)
      else { continue }
      result.items.append(item)
      result.count += 1
      if rows.subject == .catalog { result.catalogAt = sequence }
      result.age = rows.int(9).map(Int.init) ?? result.age
    }
    if let answers {
      for index in 0..<answers.count {
        answers.seek(index)
        result.items.append(.entry(try IdempotencyEntry(checking: answers, in: database)))
      }
    }
    return result
  }

  /// The rows with records, in the order of these.
  private func places(after position: Int64) -> [(sequence: Int64, PostgreSQLRow, Int)] {
    var places: [(sequence: Int64, PostgreSQLRow, Int)] = []
    for rows in [directory, news].compactMap(\.self) {
      for index in 0..<rows.count {
        rows.seek(index)
        guard let sequence = rows.int(3) else { continue }
        // Later ones of the directory were committed during the reading.
        if rows === news || position < sequence && sequence <= end {
          places.append((sequence, rows, index))
        }
      }
    }
    return places.sorted { $0.sequence < $1.sequence }
  }

  private func item(
    of row: PostgreSQLRow, _ held: inout [JournalSubject: SubjectPosition], in database: String
  ) throws(JournalFault) -> JournalItem? {
    let subject = row.subject
    guard let kind = row.int(4).flatMap(JournalRecord.Kind.init), let incarnation = row.int(1),
      let edition = row.int(2), let sequence = row.int(3), let revision = row.int(5),
      let checksum = row.int(7)
    else { throw .damagedDatabase(database, .tables) }
    let place = SubjectPosition(incarnation: incarnation, edition: edition, checksum: checksum)
    let record = JournalRecord(kind, subject, revision: revision, payload: row.bytes(6) ?? [])
    switch kind {
    case .opened where subject == .catalog:
      held[subject] = place
    case .opened:
      // One that was closed since has no label, and the closing comes after it.
      return row.bytes(6).map { .unread(subject, label: $0) }
    case .closed:
      if held[subject]?.incarnation == incarnation { held[subject] = nil }
    case .changed:
      guard let former = held[subject], former.incarnation == incarnation,
        former.edition + 1 == edition,
        checksum == record.checksum(at: edition, after: former.checksum)
      else { return nil }
      held[subject] = place
    }
    return .record(record, sequence: sequence)
  }

  /// True if the database has a session at an earlier edition than the one that is held: it went back.
  func isBehind(_ held: [JournalSubject: SubjectPosition]) -> Bool {
    places(beside: held).contains {
      $0.incarnation == $0.known.incarnation && $0.edition < $0.known.edition
    }
  }

  /// The sessions that the database has at another place than the one they are held at.
  func lost(behind held: [JournalSubject: SubjectPosition]) -> [JournalSubject] {
    places(beside: held).filter {
      $0.incarnation != $0.known.incarnation || $0.edition > $0.known.edition
    }.map(\.subject)
  }

  /// The incarnations and editions in the database of the sessions that are open there and held here.
  private func places(
    beside held: [JournalSubject: SubjectPosition]
  ) -> [(subject: JournalSubject, known: SubjectPosition, incarnation: Int64, edition: Int64)] {
    (0..<news.count).compactMap { index in
      news.seek(index)
      guard let known = held[news.subject], let incarnation = news.int(10),
        let edition = news.int(11)
      else { return nil }
      return (news.subject, known, incarnation, edition)
    }
  }
}
