import Foundation
import Testing

/// Journals in files that cannot be copied, or copied into.
@Suite(Program.isBuilt) struct MigrateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func migrate(_ from: String, _ to: String) throws -> Program.Outcome {
    try Program.run("migrate", from, to, in: folder.url)
  }

  /// Makes the journal of a sample at a path.
  private func make(_ name: String) throws {
    let server = try RunningProgram(
      ["serve", "--port", "0", "--log-format", "json"],
      environment: ["MENUD_JOURNAL_PATH": "\(folder.path)/\(name)"])
    _ = try server.port()
    server.signal(SIGTERM)
    _ = try server.outcome()
  }

  /// The names in the folder, and in a folder in it.
  private var names: [String] {
    get throws { try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test func `a journal is not copied into itself`() throws {
    try make("menud.db")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/same.db", withDestinationPath: "menud.db")
    for to in ["menud.db", "same.db"] {
      let outcome = try migrate("menud.db", to)
      #expect(outcome.status == 74)
      #expect(outcome.errors == "menud: \(to): It is the journal to copy.\n")
    }
  }

  @Test func `what is refused leaves no file behind`() throws {
    try make("menud.db")
    try folder.write("Dear diary, today", to: "diary.txt")
    try folder.write("x", to: "folder/x")
    let before = try names
    let source = try migrate("folder", "b.db")
    #expect(source.status == 74)
    #expect(source.errors == "menud: folder: There is no file.\n")
    let target = try migrate("menud.db", "diary.txt")
    #expect(target.status == 74)
    #expect(target.errors.contains("diary.txt: It is damaged: file is not a database."))
    let missing = try migrate("menud.db", "none/b.db")
    #expect(missing.status == 74)
    #expect(
      missing.errors
        == "menud: none: The system says: No such file or directory. Name another place.\n")
    #expect(try names == before)
  }

  @Test func `what SQLite says takes one line`() throws {
    try make("menud.db")
    let file = folder.url.appending(path: "menud.db")
    var bytes = try Data(contentsOf: file)
    // The first page of the content behind that of the schema.
    for index in 4096..<8192 { bytes[index] = 0xA5 }
    try bytes.write(to: file)
    for outcome in [
      try migrate("menud.db", "b.db"),
      try Program.run(
        "check", Program.path + "/Config/photo-app", "--journal",
        environment: ["MENUD_JOURNAL_PATH": file.path]),
    ] {
      let text = outcome.output + outcome.errors
      #expect(text.contains("menud.db: It is damaged: "), "\(text)")
      #expect(!text.contains("\u{FFFD}"), "\(text)")
      #expect(text.split(separator: "\n").count == 1, "\(text)")
    }
  }
}
