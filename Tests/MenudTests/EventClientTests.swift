import Foundation
import Testing

/// Clients that follow events of the built program; `make mirror` and `make event-clients` run the same scripts.
@Suite(Program.isBuilt) struct EventClientTests {
  private static let environment = Program.path + "/.build/event-clients"

  private static func run(
    _ script: String, with python: String = "python3", _ arguments: String...
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [python, "-B", Program.path + "/Tests/Checks/" + script, "--program", Program.file.path]
      + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  @Test func `E1, E3, E5: mirrors hold what GET answers, through kills`() throws {
    let (status, text) = try Self.run("mirror.py", "--kills", "4", "--changes", "40")
    #expect(status == 0, "\(text)")
    #expect(text.hasSuffix(" 0 faults\n"), "\(text)")
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: environment + "/installed.txt"),
      "The clients are not installed: 'make test' installs them where PyPI can be reached."),
    arguments: ["curl", "httpx_sse", "chromium"])
  func `real clients go on after a restart, begin anew after a lost cursor, and stop at the end`(
    client: String
  ) throws {
    let isBrowser = client == "chromium"
    let browser = ["/usr/bin/chromium", "/usr/bin/chromedriver"]
    if isBrowser, !browser.allSatisfy(FileManager.default.isExecutableFile(atPath:)) {
      print("Chromium was skipped: Debian's chromium and chromium-driver are not installed.")
      return
    }
    let python = Self.environment + "/bin/python"
    let (status, text) = try Self.run("event_clients.py", with: python, client)
    #expect(status == 0, "\(text)")
    #expect(text == "\(client): passed\n")
  }
}
