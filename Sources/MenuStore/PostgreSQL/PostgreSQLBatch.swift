/// The statements of a batch, and the positions of its subjects after it.
///
/// Consecutive changes are one statement with arrays. It expects each session, and the catalogue, at the edition that
/// this process has.
struct PostgreSQLBatch {
  private(set) var statements: [PostgreSQLStatement] = []
  /// The new positions; nil for sessions that are closed.
  private(set) var positions: [JournalSubject: SubjectPosition?] = [:]
  /// The states to write later.
  private(set) var marks: [LaggingStates.Mark] = []
  /// True if it changes the directory.
  private(set) var changesDirectory = false
  private let held: [JournalSubject: SubjectPosition]
  private let every: Int64
  private var run = ChangeRun()

  /// - Parameters:
  ///   - held: The positions of the subjects and of the catalogue before the batch.
  ///   - every: The number of records of a session between two marks.
  ///   - now: The time of the retention clock. Answers that have expired by then are replaced; an unexpired one under
  ///     the key is a conflict.
  /// - Throws: `JournalFault.conflict` if the position of a subject is unknown.
  init(
    of writes: [JournalWrite], after held: [JournalSubject: SubjectPosition],
    markingEvery every: Int, at now: Int64
  ) throws(JournalFault) {
    self.held = held
    self.every = Int64(max(1, every))
    for write in writes {
      guard let record = write.record else { continue }
      try add(record, of: write)
    }
    endRun()
    if statements.isEmpty {
      // An answer or a refusal alone depends on the catalogue too.
      run.catalog = catalogEdition
      statements.append(run.statement)
    }
    addHistory(of: writes.compactMap(\.history))
    addAnswers(of: writes, at: now)
  }

  /// The edition of the catalogue; -1 if there is none so far.
  private var catalogEdition: Int64 { (try? position(of: .catalog).edition) ?? -1 }

  private func position(of subject: JournalSubject) throws(JournalFault) -> SubjectPosition {
    guard let place = positions[subject] ?? held[subject] else { throw .conflict }
    return place
  }

  private mutating func add(_ record: JournalRecord, of write: JournalWrite) throws(JournalFault) {
    let subject = record.subject
    guard record.kind != .opened else { return open(record, of: write) }
    let former = try position(of: subject)
    let edition = former.edition + 1
    let place = SubjectPosition(
      incarnation: former.incarnation, edition: edition,
      checksum: record.checksum(at: edition, after: former.checksum))
    guard record.kind == .changed else { return close(record, at: place) }
    // A change of the catalogue is a run of its own, because later changes expect its result.
    if subject == .catalog { endRun() }
    if run.isEmpty { run.catalog = catalogEdition }
    run.add(record, from: former, to: place, delivers: write.delivers)
    positions[subject] = .some(place)
    if subject == .catalog {
      endRun()
      changesDirectory = true
    } else if edition.isMultiple(of: every), let state = write.state {
      marks.append(.init(subject, at: place, revision: record.revision, state: state))
    }
  }

  private mutating func open(_ record: JournalRecord, of write: JournalWrite) {
    endRun()
    let incarnation = record.subject == .catalog ? 1 : write.opening
    let place = SubjectPosition(
      incarnation: incarnation, edition: 0, checksum: record.checksum(at: 0, after: 0))
    add(
      "menud_add_opened", .text(record.subject.text), .int(incarnation), .int(record.revision),
      .bytes(record.payload), .int(place.checksum), .bytes(write.label ?? []),
      .int(write.delivers ? 1 : 0))
    positions[record.subject] = .some(place)
    changesDirectory = true
  }

  private mutating func close(_ record: JournalRecord, at place: SubjectPosition) {
    endRun()
    add(
      "menud_add_closed", .text(record.subject.text), .int(place.incarnation), .int(place.edition),
      .int(record.revision), .int(place.checksum))
    positions.updateValue(nil, forKey: record.subject)
    changesDirectory = true
  }

  private mutating func endRun() {
    guard !run.isEmpty else { return }
    statements.append(run.statement)
    run = ChangeRun()
  }

  private mutating func add(_ name: String, _ values: PostgreSQLValue...) {
    statements.append(PostgreSQLStatement(name, values))
  }

  private mutating func addHistory(of rows: [HistoryRow]) {
    // Skip rows of sessions that the batch closes. All replicas add rows in one order, to avoid deadlocks.
    let rows = rows.filter { row in
      guard let place = positions[row.subject] else { return true }
      return place?.incarnation == row.opening
    }.sorted { $0.subject.text.utf8.lexicographicallyPrecedes($1.subject.text.utf8) }
    guard let bounds = rows.first?.bounds, let time = rows.map(\.time).max() else { return }
    var sizes: [JournalSubject: Int64] = [:]
    let ends = rows.map { row in
      sizes[row.subject, default: 0] += row.size
      return sizes[row.subject] ?? 0
    }
    add(
      "menud_add_history", .texts(rows.map(\.subject.text)), .ints(rows.map(\.opening)),
      .ints(ends), .ints(rows.map(\.base)), .ints(rows.map(\.revision)), .ints(rows.map(\.time)),
      .byteses(rows.map(\.record)), .byteses(rows.map(\.result)), .ints(rows.map(\.checksum)),
      .int(Int64(bounds.size)), .int(time - bounds.retention))
  }

  private mutating func addAnswers(of writes: [JournalWrite], at now: Int64) {
    var answers: [[UInt8]: IdempotencyEntry] = [:]
    var forgotten: [[UInt8]] = []
    for write in writes {
      for key in write.forgotten { answers[key] = nil }
      forgotten += write.forgotten
      if let entry = write.entry { answers[entry.key] = entry }
    }
    if !forgotten.isEmpty { add("menud_remove_answers", .byteses(forgotten)) }
    guard !answers.isEmpty else { return }
    let entries = Array(answers.values)
    add(
      "menud_keep_answers", .int(now), .byteses(entries.map(\.key)),
      .byteses(entries.map(\.fingerprint)), .ints(entries.map(\.status)),
      .byteses(entries.map(\.headers)), .byteses(entries.map(\.body)),
      .ints(entries.map(\.expiry)), .ints(entries.map { $0.checksum(at: 0) }))
  }
}

/// Consecutive changes of several subjects.
private struct ChangeRun {
  /// The edition of the catalogue that they expect.
  var catalog: Int64 = 0
  private var subjects: [String: Change] = [:]
  private var records: [(record: JournalRecord, place: SubjectPosition)] = []

  /// The combined effect of all changes of a subject.
  private struct Change {
    let former: SubjectPosition
    var last: SubjectPosition
    var revision: Int64
    var delivers: Bool
  }

  var isEmpty: Bool { records.isEmpty }

  mutating func add(
    _ record: JournalRecord, from former: SubjectPosition, to place: SubjectPosition,
    delivers: Bool
  ) {
    let name = record.subject.text
    subjects[name] = Change(
      former: subjects[name]?.former ?? former, last: place, revision: record.revision,
      delivers: delivers)
    records.append((record, place))
  }

  var statement: PostgreSQLStatement {
    // Rows are locked in the order of their names: with `PostgreSQLSchema.settings` the statement is a nested loop
    // over these arrays, or over the index. Since all replicas use this order, they do not deadlock.
    let known = subjects.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let changes = known.map(\.value)
    return PostgreSQLStatement(
      "menud_add_records",
      [
        .int(catalog), .texts(known.map(\.key)), .ints(changes.map(\.former.incarnation)),
        .ints(changes.map(\.former.edition)), .ints(changes.map(\.last.edition)),
        .ints(changes.map(\.revision)), .ints(changes.map(\.last.checksum)),
        .ints(changes.map { $0.delivers ? 1 : 0 }),
        .texts(records.map(\.record.subject.text)), .ints(records.map(\.place.incarnation)),
        .ints(records.map(\.place.edition)), .ints(records.map(\.record.revision)),
        .byteses(records.map(\.record.payload)), .ints(records.map(\.place.checksum)),
      ])
  }
}
