import Glibc
import MenuStore

/// Measures how many changes a journal keeps in a second, and how long a recovery takes.
///
/// A change is a record of 300 bytes; a session has 20 KB, and its state is due every 50 changes.
/// Files lie in the folder that is the argument, by default the one where this is run: durability is
/// measured on a disk, not in memory.
@main
struct Main {
  static func main() throws {
    let folder = CommandLine.arguments.dropFirst().first ?? "."
    print("| changes in a second | one after another | 64 at once |")
    print("|---|--:|--:|")
    for kind in [nil] + Durability.allCases.reversed().map(Optional.some) {
      let rates = try [1, 64].map { try rate(kind, in: folder, waiting: $0) }
      print("| \(kind?.rawValue ?? "memory") | \(rates[0]) | \(rates[1]) |")
    }
    print("\n| sessions | records | file, MB | recovery, ms |")
    print("|--:|--:|--:|--:|")
    for sessions in [1, 100, 1000, 5000] { try measureRecovery(of: sessions, in: folder) }
  }

  /// Returns the number of changes that become durable in a second, so many in a batch.
  static func rate(_ kind: Durability?, in folder: String, waiting: Int) throws -> Int {
    let path = "\(folder)/journal-benchmark.db"
    remove(path)
    defer { remove(path) }
    let journal = try Self.journal(kind, path)
    _ = try journal.recover(reading: { (_) throws(JournalFault) in }, stateOf: { _ in nil })
    let sessions = (0..<100).map { JournalSubject.session("s\($0)") }
    _ = try journal.append(sessions.map(opening)) {}
    let start = ContinuousClock.now
    var done = 0
    while start.duration(to: .now) < .seconds(2) {
      _ = try journal.append((0..<waiting).map { change(sessions[(done + $0) % 100]) }) {}
      done += waiting
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    journal.close()
    return Int(Double(done) / seconds)
  }

  /// Opens a journal of so many sessions, each with changes behind its state.
  static func measureRecovery(of sessions: Int, in folder: String) throws {
    let path = "\(folder)/journal-benchmark.db"
    remove(path)
    defer { remove(path) }
    let first = try journal(.off, path)
    _ = try first.recover(reading: { (_) throws(JournalFault) in }, stateOf: { _ in nil })
    let subjects = (0..<sessions).map { JournalSubject.session("s\($0)") }
    _ = try first.append(subjects.map(opening)) {}
    for _ in 0..<60 { _ = try first.append(subjects.map(change)) {} }
    first.close()
    var status = stat()
    unsafe stat(path, &status)
    let start = ContinuousClock.now
    let second = try journal(.off, path)
    let recovery = try second.recover(
      reading: { (_) throws(JournalFault) in }, stateOf: { _ in { state } })
    let milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
    second.close()
    print("| \(sessions) | \(recovery.replayed) | \(status.st_size >> 20) | \(milliseconds) |")
  }

  private static let state = [UInt8](repeating: 0x41, count: 20_000)
  private static let payload = [UInt8](repeating: 0x42, count: 300)

  private static func journal(_ kind: Durability?, _ path: String) throws -> any Journal {
    guard let kind else { return MemoryJournal(clock: RetentionClock { 0 }) }
    var configuration = JournalConfiguration(path: path)
    configuration.durability = kind
    return try SQLiteJournal(configuration, clock: RetentionClock { 0 })
  }

  private static func opening(_ subject: JournalSubject) -> JournalWrite {
    JournalWrite(
      record: JournalRecord(.opened, subject, revision: 0, payload: state), state: { state })
  }

  private static func change(_ subject: JournalSubject) -> JournalWrite {
    JournalWrite(
      record: JournalRecord(.changed, subject, revision: 1, payload: payload), state: { state })
  }

  private static func remove(_ path: String) {
    for end in ["", "-wal", ".lock"] { unsafe unlink(path + end) }
  }
}
