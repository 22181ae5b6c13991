import JSONText
import MenuEngine
import Testing

@testable import menud

struct ExamplesTests {
  private func examples(_ commands: JSON) throws -> String {
    let session: SessionID = "s"
    let catalog = try CatalogDocument([.commands: commands]).catalog()
    return "\(Examples(session: session, in: catalog, host: "::1", port: 80))"
  }

  @Test func `requests to try are about a command that there is`() throws {
    #expect(
      try examples([["action": "open:", "title": "Open"], ["action": "close:", "title": "Close"]])
        == """

        Try, in another terminal:

          curl localhost:80/sessions/s/menu
          curl --json '{"session": "s"}' localhost:80/commands/validate
          curl --json '{"session": "s", "command": "open:"}' localhost:80/commands/perform
          curl --json '{"session": "s", "commands": ["open:"], "explain": true}' \
        localhost:80/commands/validate


        """)
  }

  @Test(arguments: [
    ("", "http://localhost:80/console/#s"), ("a.pem", "https://localhost:80/console/#s"),
  ])
  func `the address of the console opens the session`(certificate: String, address: String) throws {
    let examples = Examples(
      session: "s", in: try CatalogDocument([:]).catalog(), host: "127.0.0.1", port: 80,
      certificate: certificate, console: "/console")
    #expect("\(examples)".hasPrefix("\nThe console: \(address)\n\nTry, in another terminal:\n"))
  }

  @Test func `without commands there is nothing to try on them`() throws {
    #expect(
      try examples([]) == """

        Try, in another terminal:

          curl localhost:80/sessions/s/menu
          curl --json '{"session": "s"}' localhost:80/commands/validate


        """)
  }
}
