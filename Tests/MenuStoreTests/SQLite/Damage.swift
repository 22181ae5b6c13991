import Foundation
import StoreSupport

@testable import MenuStore

/// The files of a small journal, to damage copies of, and all that it ever was.
struct SmallJournal: Sendable {
  /// The files' bytes, by what their names end in after `menud.db`.
  let files: [String: [UInt8]]
  /// The contents after so many records.
  let history: [Int64: Model.Contents]
  /// The number of the last record.
  let last: Int64

  /// A journal with sessions, a catalogue, answers and, when they are due so often, states.
  ///
  /// Some of it is in the file, and, when it is `cutOff` like the journal of a killed process, some
  /// in SQLite's log.
  init(snapshotEvery: Int, isCutOff: Bool) throws {
    let place = try Place()
    try Self.makeFile(place.path)
    var history: [Int64: Model.Contents] = [0: Model.Contents()]
    var last: Int64 = 0
    var model = try place.model(snapshotEvery: snapshotEvery)
    func add(_ act: (Model) throws -> Ticket) throws {
      guard try act(model).wait() == .durable else { throw Failure.notDurable }
      last += 1
      history[last] = model.all
    }
    try add { try $0.open(.catalog, [1]) }
    for name in ["demo", "gone"] { try add { try $0.open(.session(name), [2]) } }
    try add { try $0.change("demo", [3, 4], entry: .sample("first")) }
    try add { try $0.close("gone") }
    model = try place.reopen(model, snapshotEvery: snapshotEvery)
    try add { try $0.changeCatalog([5]) }
    try add { try $0.change("demo", [6]) }
    try add { try $0.open(.session("more"), [7]) }
    try add { try $0.change("more", [8], entry: .sample("second")) }
    if !isCutOff { model.close() }
    files = try place.files()
    self.history = history
    self.last = last
  }

  enum Failure: Error { case notDurable }

  /// Small pages, so that there are few bytes.
  private static func makeFile(_ path: String) throws {
    let connection = try SQLiteConnection(path: path, mayCreate: true)
    try JournalSchema.make(connection, pageSize: 512)
  }
}

extension Place {
  /// The files, by what their names end in after `menud.db`.
  fileprivate func files() throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for end in ["", "-wal", ".lock"] {
      if let data = FileManager.default.contents(atPath: path + end) { files[end] = Array(data) }
    }
    return files
  }

  /// Puts these files in the place of all that are there.
  func lay(_ files: [String: [UInt8]]) throws {
    for end in ["", "-wal", "-journal", ".lock"] {
      let file = URL(filePath: path + end)
      if let bytes = files[end] {
        try Data(bytes).write(to: file)
      } else {
        try? FileManager.default.removeItem(at: file)
      }
    }
  }
}

/// One thing that can happen to a file.
enum Damage: Hashable, Sendable {
  /// The file ends before this offset.
  case cut(Int)
  /// The bits of the mask are others in the byte at this offset.
  case flip(Int, UInt8)

  func done(to bytes: [UInt8]) -> [UInt8] {
    var damaged = bytes
    switch self {
    case .cut(let offset): damaged.removeLast(bytes.count - offset)
    case .flip(let offset, let mask): damaged[offset] ^= mask
    }
    return damaged
  }
}

/// The fates of damaged journals.
struct DamageReport: CustomStringConvertible, Sendable {
  /// All that was acknowledged was there.
  var whole = 0
  /// It ended earlier, and said so.
  var shorter = 0
  /// It was refused, with what was wrong.
  var refused = 0
  /// The failures, with the damage.
  var wrong: [String] = []

  var description: String {
    "\(whole + shorter + refused) damages: \(whole) whole, \(shorter) shorter with a notice, "
      + "\(refused) refused"
  }

  /// Opens a journal with a damage, and judges what comes of it.
  ///
  /// When it `goesOn`, something is added and the journal opened again.
  mutating func judge(
    _ damage: Damage, to end: String, of journal: SmallJournal, in place: Place, goesOn: Bool
  ) {
    var files = journal.files
    files[end] = damage.done(to: files[end] ?? [])
    do {
      try place.lay(files)
      let model = try place.model(snapshotEvery: 3)
      judge(model, journal, "\(damage) of menud.db\(end)")
      if goesOn { try goOn(model, place, "\(damage) of menud.db\(end)") }
      model.close()
    } catch let fault as JournalFault {
      refused += 1
      if fault.description.utf8.count < 30 { wrong.append("\(damage): \(fault)") }
    } catch {
      wrong.append("\(damage) of menud.db\(end): \(error)")
    }
  }

  private mutating func judge(_ model: Model, _ journal: SmallJournal, _ damage: String) {
    let last = model.recovery.last
    guard let expected = journal.history[last], model.all == expected else {
      wrong.append("\(damage): it is not as it was after record \(last)")
      return
    }
    if last == journal.last {
      whole += 1
    } else if model.recovery.notices.contains(where: \.isLoss) {
      shorter += 1
    } else {
      wrong.append("\(damage): it ends at record \(last) without a notice")
    }
  }

  /// Checks that the recovered journal works like any other.
  private mutating func goOn(_ model: Model, _ place: Place, _ damage: String) throws {
    for name in ["x", "y"] { try model.open(name) }
    guard try model.change("x", [1]).wait() == .durable else {
      wrong.append("\(damage): nothing can be added")
      return
    }
    let again = try place.reopen(model)
    if again.all != model.all { wrong.append("\(damage): what was added is not there") }
    if !again.recovery.notices.isEmpty { wrong.append("\(damage): \(again.recovery.notices)") }
    again.close()
  }
}
