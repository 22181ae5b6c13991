import Foundation
import MenuEngine
import Testing

@testable import menud

/// The files below the folder of an application.
struct FolderFilesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("inside", to: "app/texts/a.txt")
    try folder.write("outside", to: "secret.txt")
    try folder.write("outside", to: "app2/secret.txt")
  }

  private func read(_ path: String, upTo limit: Int = 100) -> Result<String, FileFault> {
    do throws(FileFault) {
      let bytes = try Posix.reader(ofFilesBelow: folder.path + "/app")(path, limit)
      return .success(String(decoding: bytes, as: UTF8.self))
    } catch {
      return .failure(error)
    }
  }

  private func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/app/\(name)", withDestinationPath: destination)
  }

  @Test func `a file is read, also through links that stay in the folder`() throws {
    #expect(read("texts/a.txt") == .success("inside"))
    try link("data", to: "texts")
    try link("b.txt", to: "data/a.txt")
    #expect(read("b.txt") == .success("inside"))
    #expect(read("data/a.txt") == .success("inside"))
  }

  @Test func `no link leads out of the folder`() throws {
    try link("up", to: "..")
    try link("c.txt", to: "../secret.txt")
    try link("d.txt", to: folder.path + "/secret.txt")
    try link("sibling", to: "../app2")
    for path in ["up/secret.txt", "c.txt", "d.txt", "sibling/secret.txt"] {
      #expect(read(path) == .failure(.outside), "\(path)")
    }
  }

  @Test func `what is no file, or too large, is refused`() throws {
    #expect(read("texts") == .failure(.notAFile))
    #expect(read("none.txt") == .failure(.absent))
    #expect(read("texts/a.txt", upTo: 5) == .failure(.tooLarge(limit: 5)))
    let made = unsafe mkfifo(folder.path + "/app/pipe", 0o600)
    #expect(made == 0)
    #expect(read("pipe") == .failure(.notAFile))
    try link("loop", to: "loop")
    #expect(read("loop") == .failure(.absent))
  }

  @Test func `a JSON file that a resource names is no stray one`() throws {
    try folder.write("{}", to: "app/resource.json")
    try folder.write(
      #"{"a": {"uri": "app:a", "file": "resource.json"}}"#, to: "app/resources.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.output == "ok: app has 0 commands, 0 menus, 0 classes, 0 responders\n")
  }

  @Test func `check names the place of a file that it cannot read`() throws {
    try folder.write(
      #"""
      {"a": {"uri": "app:a", "file": "texts/a.txt"},
       "b": {"uri": "app:b", "file": "texts/b.txt"}}
      """#, to: "app/resources.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 1)
    #expect(
      outcome.output
        == "app/resources.json:2:32: /b/file: There is no such file in the folder.\n")
  }
}
