import MicroHTTP
import Testing

@testable import MenuAPI

/// The names that the server answers to, against DNS rebinding.
struct HostNamesTests {
  @Test(arguments: [
    ("localhost", true), ("localhost:8080", true), ("LocalHost:1", true), ("localhost.", true),
    ("127.0.0.1", true), ("127.0.0.1:8080", true), ("192.168.1.20:80", true), ("[::1]", true),
    ("[::1]:8080", true), ("[fe80::1]:8080", true), ("menus.example.org", true),
    ("MENUS.example.org:443", true), ("example.org", false), ("evil.localhost", false),
    ("localhost.example.org", false), ("127.0.0.1.example.org", false), ("127.0.0", false),
    ("256.0.0.1", false), ("1.2.3.4.5", false), ("[::1].example.org", false), ("[]", false),
    ("", false), (":", false), ("::1", false), ("localhost:80x", false), ("loc\u{E4}lhost", false),
  ])
  func `a name is answered to when it is listed, local or a number`(host: String, isOurs: Bool) {
    let isAdmitted = HostNames(["menus.example.org"]).admit(host.utf8.span)
    #expect(isAdmitted == isOurs)
  }

  @Test func `a star admits every name`() {
    let isAdmitted = HostNames(["*"]).admit("anything.example.org".utf8.span)
    #expect(isAdmitted)
  }

  @Test(arguments: ["/health", "/commands", "/nowhere", "/sessions/demo"])
  func `other names are refused everywhere, health included`(path: String) throws {
    let sample = try SampleService()
    try sample.refuses(
      .get, path, headers: [("Host", "attacker.example:8080")],
      with: """
        421 /problems/misdirected-request
        This server is not called 'attacker.example'; when it should be, add the name to \
        'server.allowedHosts' (MENUD_SERVER_ALLOWED_HOSTS).
        """)
    #expect(try sample.send(.get, "/health", headers: [("Host", "localhost:8080")]).status == .ok)
  }
}
