import Foundation
import Testing

/// Clients that others' tools generate from the OpenAPI document; `make generators` runs the same script.
@Suite(Program.isBuilt) struct GeneratorTests {
  private static let environment = Program.path + "/.build/generators"

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: environment + "/installed.txt"),
      "The generators are not installed: 'make test' installs them where PyPI can be reached."))
  func `clients are generated without a warning, and ask, perform and read problems`() throws {
    let script = CheckScript(name: "generators.py")
    let (status, text) = try script.run(["--environment", Self.environment])
    #expect(status == 0, "\(text)")
    #expect(text.contains("examples read, 0 faults"), "\(text)")
  }

  @Test func `without the generators the other tests are run, but nothing is submitted`() throws {
    let folder = try TemporaryFolder()
    try folder.write("#!/bin/sh\nexit 1\n", to: "install")
    try folder.write("#!/bin/sh\necho ran \"$@\"\n", to: "swift")
    for name in ["install", "swift"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/" + name)
    }
    let make = { (targets: String) in
      try Self.output(
        of: "PATH='\(folder.path)':$PATH make CHECKS='\(folder.path)' PACKAGES= TOOLS= \(targets)")
    }
    #expect(try make("test").contains("ran test"))
    #expect(!(try make("install-generators test").contains("ran test")))
    let submission = try String(contentsOfFile: Program.path + "/.ci/run", encoding: .utf8)
    #expect(submission.contains(#/step make install-generators\n[\s\S]*\nstep make test/#))
  }

  /// Returns the output of a shell command.
  private static func output(of command: String) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.currentDirectoryURL = Program.root
    process.arguments = ["-c", command]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
