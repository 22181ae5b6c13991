import ArgumentParser
import MenuStore

/// Copies a journal into another one, and verifies the copy.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy a journal into another, empty one.",
    discussion: """
      A journal is the path of a SQLite file, or the address of a PostgreSQL database: \
      postgresql://user@host/database. Passwords belong into libpq's own variables or files, since \
      others can read the arguments of a command; postgresql:// alone leaves everything to them. The \
      copy is read again and compared record by record. No menud may use either journal meanwhile. \
      Exits with 74 if a journal cannot be used.
      """)

  @Argument(help: "The journal to copy.", completion: .file())
  var from: String

  @Argument(
    help: "The journal to copy into; it is made if it does not exist.", completion: .file())
  var to: String

  func run() throws {
    guard from.isPostgreSQLAddress || Posix.isPresent(from) && !Posix.isFolder(from) else {
      throw Self.failed("\(from): There is no file.")
    }
    let isSameFile = Posix.resolved(from).map { $0 == Posix.resolved(to) } ?? false
    guard from != to, !isSameFile else { throw Self.failed("\(to): It is the journal to copy.") }
    do {
      let copy: JournalCopy
      do {
        let source = try journal(from, isOnlyRead: true)
        defer { source.close() }
        copy = try JournalCopy(of: source, into: journal(to))
      }
      let target = try journal(to)
      defer { target.close() }
      try copy.check(target)
      Posix.print(
        "ok: copied and compared \(copy.records) records, \(copy.entries) kept answers and "
          + "\(copy.history) entries of histories")
    } catch let fault as JournalCopyFault {
      throw Self.failed(fault.wording)
    } catch let fault as JournalFault {
      throw Self.failed("\(fault)")
    }
  }

  private func journal(_ place: String, isOnlyRead: Bool = false) throws -> any Journal {
    let clock = RetentionClock { Posix.monotonicMilliseconds }
    guard place.isPostgreSQLAddress else {
      return try SQLiteJournal(
        JournalConfiguration(path: place, isOnlyRead: isOnlyRead), clock: clock)
    }
    guard let address = PostgreSQLAddress(place) else {
      throw Self.failed("It is no address of a database: postgresql://user@host/database.")
    }
    return try PostgreSQLJournal(PostgreSQLConfiguration(address: address), clock: clock)
  }

  private static func failed(_ sentence: String) -> ExitCode {
    Posix.write("menud: \(sentence)\n", to: Posix.errors)
    return .inputOutput
  }
}

extension JournalCopyFault {
  fileprivate var wording: String {
    switch self {
    case .journal(let fault): "\(fault)"
    case .lacksRecords(let notices):
      notices.map { "\($0)" }.joined(separator: " ")
        + " Do not use the copy. Start menud with the journal once: then nobody takes later changes for the missing "
        + "ones."
    case .notEmpty: "The journal to copy into has something already; nothing was copied."
    case .recordDiffers(let sequence):
      "Record \(sequence) of the copy is not the one that was copied. Do not use the copy."
    case .answersDiffer:
      "The kept answers of the copy are not those that were copied. Do not use the copy."
    case .historiesDiffer:
      "The histories of the copy are not those that were copied. Do not use the copy."
    }
  }
}
