import Foundation
import Glibc
import Testing

/// Folders that the program may not read.
@Suite(Program.isBuilt) struct UnreadableFolderTests {
  /// Root can read everything, so root runs the program as nobody.
  @Test(
    .enabled(
      if: shell("\(asNobody) '\(Program.file.path)' --version"), "nobody cannot run the program"),
    arguments: [("", "check"), ("/strings", "check"), ("/tests", "test")])
  func `a folder that cannot be read is no empty one`(part: String, command: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("[]", to: "app/commands.json")
    try folder.write("{}", to: "app/strings/de.json")
    try folder.write("[]", to: "app/tests/a.json")
    let path = folder.path + "/app" + part
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    // Otherwise the folder could not be removed.
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
    let outcome = try RunningProgram(
      [command, folder.path + "/app"], throughScript: "exec \(Self.asNobody) \"$@\"",
      isolatingMounts: false
    ).outcome()
    #expect(outcome.status == 1)
    let told = outcome.output + outcome.errors
    #expect(told.contains("\(path): It cannot be read: Permission denied."), "\(told)")
  }

  @Test(
    .enabled(
      if: shell("\(asNobody) '\(Program.file.path)' --version"), "nobody cannot run the program"))
  func `files are read in a folder that cannot be listed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[]", to: "app/commands.json")
    let path = folder.path + "/app"
    try FileManager.default.setAttributes([.posixPermissions: 0o311], ofItemAtPath: path)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }
    let outcome = try RunningProgram(
      ["check", path], throughScript: "exec \(Self.asNobody) \"$@\"", isolatingMounts: false
    ).outcome()
    #expect(outcome.status == 0, "\(outcome.output + outcome.errors)")
  }

  private static let asNobody =
    getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups" : ""
}
