import Foundation
import StoreSupport
import Testing

@testable import MenuStore

/// The properties that only a journal in a SQLite file has.
@Suite struct SQLiteJournalTests {
  @Test func `a second one is refused while the first is open, and is told who has it`() throws {
    let place = try Place()
    let model = try place.model()
    #expect(throws: JournalFault.locked(path: place.path, holder: getpid())) {
      try place.model()
    }
    model.close()
    _ = try place.model()
  }

  @Test func `the process that has it is named before it has committed anything`() throws {
    let place = try Place()
    let model = try place.model()
    try model.open("a")
    model.close()
    let lock = URL(filePath: place.path + ".lock")
    let text = try String(contentsOf: lock, encoding: .utf8)
    try Lock.write("process 1 record 9 ", to: lock)
    for isOnlyRead in [false, true] {
      let journal = try SQLiteJournal(
        JournalConfiguration(path: place.path, isOnlyRead: isOnlyRead), clock: RetentionClock { 0 })
      #expect(throws: JournalFault.locked(path: place.path, holder: getpid())) {
        try place.model()
      }
      journal.close()
    }
    let kept = try String(contentsOf: lock, encoding: .utf8)
    #expect(kept.hasPrefix("process \(getpid()) record 9 checksum "))
    #expect(kept.utf8.count == text.utf8.count)
  }

  /// The content of the file beside a journal.
  private enum Lock {
    static func write(_ text: String, to file: URL) throws {
      var checksum = Checksum()
      checksum.add(Array(text.utf8))
      let line = text + "checksum " + String(checksum.value, radix: 16)
      let spaces = String(repeating: " ", count: 95 - line.utf8.count)
      try Data((line + spaces + "\n").utf8).write(to: file)
    }
  }

  @Test func `one whose files were moved away leaves those of the next one alone`() throws {
    let place = try Place()
    let first = try place.model()
    try first.open("a")
    for end in ["", "-wal", ".lock"] {
      let path = place.path + end
      try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
    }
    let second = try place.model()
    try second.open("b")
    #expect(first.journal.fault == .removed(path: place.path))
    first.close()
    #expect(second.journal.fault == nil)
    second.close()
  }

  /// Between `fork` and `exec`, a process has copies of all descriptors, as `dup` makes one here.
  @Test func `a process that is starting while it closes does not keep its lock`() throws {
    let place = try Place()
    let model = try place.model()
    let copy = dup(try descriptor(of: place.path + ".lock"))
    #expect(copy >= 0)
    defer { close(copy) }
    model.close()
    _ = try place.model()
  }

  /// The descriptor by which this process has a file open.
  private func descriptor(of path: String) throws -> Int32 {
    let file = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
    let number = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      .compactMap(Int32.init)
      .first { number in
        var status = stat()
        return unsafe fstat(number, &status) == 0 && UInt64(status.st_ino) == file
      }
    return try #require(number)
  }

  @Test func `nobody but its user may read its files`() throws {
    let place = try Place()
    let permissions = { (end: String) throws in
      try FileManager.default.attributesOfItem(atPath: place.path + end)[.posixPermissions] as? Int
    }
    for _ in 0..<2 {
      let model = try place.model()
      try model.open("a")
      for end in ["", "-wal", ".lock"] { #expect(try permissions(end) == 0o600) }
      model.close()
      // As a copy has them.
      for end in ["", ".lock"] {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o644], ofItemAtPath: place.path + end)
      }
    }
  }

  @Test func `other programs cannot read it in SQLite while it is open`() throws {
    let place = try Place()
    let model = try place.model()
    try model.open("a")
    let other = try SQLiteConnection(path: place.path, mayCreate: false)
    #expect(throws: JournalFault.busy(path: place.path)) {
      try other.value(of: "SELECT count(*) FROM record")
    }
    #expect(try model.change("a", [1]).wait() == .durable)
  }

  @Test func `when another program has it open, that is what the fault says`() throws {
    let place = try Place()
    try place.model().close()
    let other = try SQLiteConnection(path: place.path, mayCreate: false)
    try other.execute("BEGIN IMMEDIATE")
    #expect(throws: JournalFault.busy(path: place.path)) { try place.model() }
    try other.execute("ROLLBACK")
  }

  @Test(arguments: zip(Durability.allCases, [2, 1, 0] as [Int64]))
  func `the durability is the one of SQLite`(durability: Durability, level: Int64) throws {
    let place = try Place()
    var configuration = JournalConfiguration(path: place.path)
    #expect(configuration.durability == .full)
    configuration.durability = durability
    let file = try JournalFile(configuration, acknowledged: nil)
    #expect(try file.connection.value(of: "PRAGMA synchronous")?.int == level)
    #expect(try file.connection.value(of: "PRAGMA journal_mode")?.text == "wal")
    #expect(try file.connection.value(of: "PRAGMA locking_mode")?.text == "exclusive")
  }

  @Test func `a new one says so, and one that was closed leaves nothing in the log`() throws {
    let place = try Place()
    let model = try place.model()
    #expect(model.recovery.notices == [.created(path: place.path)])
    try model.open("a")
    let recovered = try place.reopen(model)
    #expect(recovered.recovery.notices.isEmpty)
    recovered.close()
    let files = try FileManager.default.contentsOfDirectory(atPath: place.folder.path)
    #expect(files.sorted() == ["menud.db", "menud.db.lock"])
  }

  @Test func `a symbolic link stands for its target, beside which SQLite's log is`() throws {
    let place = try Place()
    let link = place.folder.appending(path: "link.db").path
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: place.path)
    let opened = {
      try SQLiteJournal(JournalConfiguration(path: link), clock: place.clock)
    }
    #expect(throws: JournalFault.danglingLink(path: link)) { try opened() }
    #expect(
      JournalFault.danglingLink(path: link).description == """
        \(link): It is a symbolic link to what is not there. Bring that back, such as by mounting its \
        volume, or remove the link to begin anew.
        """)
    try place.model().close()
    let journal = try opened()
    #expect(journal.fault == nil)
    try FileManager.default.removeItem(atPath: place.path + "-wal")
    let target = try JournalFile.path(of: link)
    #expect(journal.fault == .removed(path: target + "-wal"))
    journal.close()
  }

  @Test func `what a killed process had made durable is there`() throws {
    let place = try Place()
    let model = try place.model()
    try model.open("a")
    #expect(try model.change("a", [1, 2]).wait() == .durable)
    let copy = try place.copy()
    let recovered = try copy.model()
    #expect(recovered.all == model.all)
    #expect(recovered.recovery.notices.isEmpty)
  }

  @Test func `records that were acknowledged and are not there are told`() throws {
    let place = try Place()
    let model = try place.model()
    try model.open("a")
    model.close()
    let earlier = try place.copy()
    let later = try place.model()
    for number in 0..<3 { try later.change("a", [UInt8(number)]) }
    later.close()
    try FileManager.default.removeItem(atPath: earlier.path + ".lock")
    try FileManager.default.copyItem(atPath: place.path + ".lock", toPath: earlier.path + ".lock")
    let recovery = try earlier.model().recovery
    #expect(recovery.notices == [.acknowledgedMissing(first: 2, last: 4)])
    #expect(
      recovery.notices[0].description == """
        Records 2 to 4 are missing at the end of the journal, although acknowledged: the system went \
        down before the disk had them, or a file was cut.
        """)
  }

  @Test func `records that are no longer needed leave the file after a while`() throws {
    let place = try Place()
    let model = try place.model(snapshotEvery: 100)
    try model.open("a")
    for _ in 0..<10_000 { try model.change("a", [0]) }
    #expect(try model.change("a", [0]).wait() == .durable)
    let recovered = try place.reopen(model, snapshotEvery: 100)
    for _ in 0..<300 { #expect(try recovered.change("a", [0]).wait() == .durable) }
    recovered.close()
    let connection = try SQLiteConnection(path: place.path, mayCreate: false)
    let count = try connection.value(of: "SELECT count(*) FROM record")?.int ?? .max
    #expect(count < 600)
  }

  @Test func `a stop writes the states of sessions that changed often, and only these`() throws {
    let place = try Place()
    let model = try place.model(snapshotEvery: 1000)
    for name in ["often", "seldom", "never"] { try model.open(name) }
    for number in 0..<9 { try model.change("often", [UInt8(number)]) }
    for number in 0..<7 { try model.change("seldom", [UInt8(number)]) }
    let recovered = try place.reopen(model, snapshotEvery: 1000)
    #expect(recovered.all == model.all)
    #expect(recovered.recovery.states == 1)
    // Three openings less one, and the changes of the session without a state.
    #expect(recovered.recovery.replayed == 9)
    for number in 0..<9 { try recovered.change("often", [UInt8(number)]) }
    let again = try place.reopen(recovered, snapshotEvery: 1000)
    #expect(again.all == recovered.all)
    #expect(again.recovery.states == 1)
    #expect(again.recovery.replayed == 9)
  }

  @Test func `expired answers leave the file as new ones come`() throws {
    let place = try Place()
    let model = try place.model()
    for number in 0..<100 { try model.keep(.sample("early\(number)", expiry: 10)) }
    place.setClock(10)
    for number in 0..<30 { #expect(try model.keep(.sample("\(number)")).wait() == .durable) }
    model.close()
    let connection = try SQLiteConnection(path: place.path, mayCreate: false)
    #expect(try connection.value(of: "SELECT count(*) FROM entry") == .int(30))
  }
}

/// Files that no journal is opened on.
@Suite struct ForeignFileTests {
  @Test func `a file of another program is refused and left alone`() throws {
    let place = try Place()
    do {
      let other = try SQLiteConnection(path: place.path, mayCreate: true)
      try other.execute("CREATE TABLE mine (x)")
    }
    let before = try Data(contentsOf: URL(filePath: place.path))
    try expect(place, .foreign(path: place.path)) {
      "\($0): It is a SQLite file, but no journal of menud. Give another path, or move it away."
    }
    #expect(try Data(contentsOf: URL(filePath: place.path)) == before)
  }

  @Test func `a file that is no SQLite file is refused and left alone`() throws {
    let place = try Place()
    let text = Data(String(repeating: "Dear diary, ", count: 100).utf8)
    try text.write(to: URL(filePath: place.path))
    try expect(place, .damaged(path: place.path, .file("file is not a database"))) {
      """
      \($0): It is damaged: file is not a database. Nothing was changed. Put back a copy of the \
      file, or move it and those beside it away to begin anew.
      """
    }
    #expect(try Data(contentsOf: URL(filePath: place.path)) == text)
  }

  @Test func `a file that is no journal keeps its permissions`() throws {
    let place = try Place()
    try Data("Dear diary, ".utf8).write(to: URL(filePath: place.path))
    let paths = [place.path, place.folder.path]
    for path in paths {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      #expect(throws: JournalFault.self) {
        try SQLiteJournal(JournalConfiguration(path: path), clock: place.clock)
      }
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o755, "\(path)")
    }
    #expect(
      JournalFault.system(path: "x", code: EISDIR).description
        == "x: It is a folder, not a file. Name another file as the journal, or remove the folder.")
  }

  @Test func `an empty file is no new journal, since it may have been a full one`() throws {
    let place = try Place()
    try Data().write(to: URL(filePath: place.path))
    try expect(place, .damaged(path: place.path, .empty)) {
      """
      \($0): It is empty, which no journal ever is. Nothing was changed. Put back a copy of the \
      file, or move it and those beside it away to begin anew.
      """
    }
  }

  @Test func `a log without its file is refused, since it may hold what is not elsewhere`() throws {
    let place = try Place()
    let log = place.path + "-wal"
    try Data([1]).write(to: URL(filePath: log))
    try expect(place, .damaged(path: place.path, .onlyLog(path: log))) {
      """
      \($0): It is not there, but \($0)-wal, which belongs to it, is. Nothing was changed. Put back \
      a copy of the file, or move it and those beside it away to begin anew.
      """
    }
  }

  @Test func `a newer format is refused and named`() throws {
    let place = try Place()
    try place.model().close()
    do {
      let other = try SQLiteConnection(path: place.path, mayCreate: false)
      try other.execute("PRAGMA user_version = 3")
    }
    try expect(place, .newer(path: place.path, version: 3, known: 2)) {
      """
      \($0): It has format 3, which a newer menud wrote; this one knows formats up to 2. Use the \
      newer one.
      """
    }
  }

  @Test func `a journal of an unreleased version is refused and named`() throws {
    let place = try Place()
    try place.model().close()
    do {
      let other = try SQLiteConnection(path: place.path, mayCreate: false)
      try other.execute("PRAGMA application_id = 1835363957; PRAGMA user_version = 1")
    }
    try expect(place, .unreleased(place: place.path)) {
      """
      \($0): An unreleased version of menud wrote it, and this one does not read that. Move it away, or \
      give another file, database or schema, to begin anew.
      """
    }
  }

  @Test func `a folder that is not there is refused with what the system says`() throws {
    let place = try Place()
    let path = place.folder.appending(path: "none/menud.db").path
    let folder = place.folder.appending(path: "none").path
    #expect(throws: JournalFault.system(path: folder, code: ENOENT)) {
      try SQLiteJournal(JournalConfiguration(path: path), clock: place.clock)
    }
    #expect(
      JournalFault.system(path: path, code: ENOENT).description
        == "\(path): The system says: No such file or directory. Name another place.")
  }

  @Test(arguments: [":memory:", "file:menud.db?mode=memory"])
  func `a path has no meaning of its own in SQLite`(path: String) throws {
    #expect(try JournalFile.path(of: path) == "./" + path)
  }

  private func expect(
    _ place: Place, _ fault: JournalFault, _ wording: (String) -> String
  ) throws {
    #expect(throws: fault) { try place.model() }
    #expect(fault.description == wording(place.path))
    // Nobody is kept away by one that was refused.
    #expect(throws: fault) { try place.model() }
  }
}

extension Place {
  /// A copy of the files as they are, as if the process had been killed now.
  func copy() throws -> Place {
    let copy = try Place(bed)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.copyItem(
        at: folder.appending(path: name), to: copy.folder.appending(path: name))
    }
    return copy
  }
}
