import Foundation
import Testing

/// libpq, which is loaded for journals in PostgreSQL alone.
@Suite(Program.isBuilt) struct LibpqTests {
  @Test func `without a journal in PostgreSQL, libpq is not loaded`() throws {
    let program = try RunningProgram.serving()
    _ = try program.port()
    let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(program.id)/maps"))
    let loaded = String(decoding: try maps.readToEnd() ?? Data(), as: UTF8.self)
    #expect(loaded.contains("libmicrohttpd"))
    #expect(!loaded.contains("libpq"))
    #expect(!loaded.contains("libldap"))
  }

  /// A file of the library's name that is none stands before the system's.
  @Test func `without libpq, a journal in PostgreSQL is refused with what to do`() throws {
    let folder = try TemporaryFolder()
    try folder.write("no library", to: "libpq.so.5")
    let outcome = try Program.run(
      "serve",
      environment: [
        "LD_LIBRARY_PATH": folder.path, "MENUD_JOURNAL_STORE": "postgresql",
        "MENUD_JOURNAL_URL": "postgresql://menud@localhost/menud",
      ])
    #expect(outcome.status == 74)
    let sentence = """
      PostgreSQL: It cannot be reached. libpq cannot be loaded: \(folder.path)/libpq.so.5: file too \
      short. Install it (on Debian: libpq5).
      """
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
  }
}
