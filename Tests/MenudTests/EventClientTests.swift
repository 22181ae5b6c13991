import Foundation
import Testing

/// Clients that follow events of the built program; `make mirror` and `make event-clients` run the same scripts.
@Suite(Program.isBuilt) struct EventClientTests {
  private static let environment = Program.path + "/.build/event-clients"

  @Test func `E1, E3, E5: mirrors hold what GET answers, through kills`() throws {
    let (status, text) = try CheckScript(name: "mirror.py")
      .run(["--kills", "4", "--changes", "40"])
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
    let script = CheckScript(
      name: "event_clients.py", python: Self.environment + "/bin/python")
    let (status, text) = try script.run([client])
    #expect(status == 0, "\(text)")
    #expect(text == "\(client): passed\n")
  }
}
