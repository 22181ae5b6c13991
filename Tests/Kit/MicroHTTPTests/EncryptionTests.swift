import Glibc
import MicroHTTP
import Testing

/// HTTP over TLS, as clients that are not ours speak it.
struct EncryptionTests {
  private let folder: CertificateFolder

  init() throws { folder = try CertificateFolder() }

  private func server(
    _ adjust: (inout ServerConfiguration) -> Void = { _ in },
    handler: @escaping @Sendable (Request) -> EventualResponse = {
      .response(Response(text: "\($0.path) \($0.body.count)"))
    }
  ) throws -> Server {
    let credentials = try Credentials(certificate: folder.certificate, key: folder.key)
    return try Server.answering(
      {
        $0.credentials = credentials
        adjust(&$0)
      }, handler: handler)
  }

  /// Returns the output of curl for an answer from the server: body and status.
  private func curl(_ server: Server, _ path: String, _ options: String = "") -> String {
    Shell.run(
      """
      curl --silent --show-error --max-time 20 --cacert \(folder.path)/cert.pem \
      --write-out ' %{http_code}' \(options) https://localhost:\(server.port)\(path)
      """
    ).output
  }

  @Test(arguments: [1, 2])
  func `curl is answered over TLS, on a kept connection too`(threads: Int) throws {
    let server = try server { $0.threads = threads }
    let url = "https://localhost:\(server.port)"
    #expect(curl(server, "/a", "\(url)/b \(url)/c") == "/b 0 200/c 0 200/a 0 200")
    #expect(server.becomesQuiet())
  }

  @Test func `keys of RSA are as good`() throws {
    let other = try CertificateFolder("rsa:2048")
    let credentials = try Credentials(certificate: other.certificate, key: other.key)
    let server = try server { $0.credentials = credentials }
    #expect(curl(server, "/a", "--insecure") == "/a 0 200")
  }

  @Test func `large bodies arrive and large answers too`() throws {
    let body = [UInt8](repeating: 0x61, count: 3_000_000)
    let server = try server(
      { $0.maximumBodySize = 2_000_000 },
      handler: {
        .response($0.method == .get ? Response(body: body) : Response(text: "\($0.body.count)"))
      })
    _ = Shell.run("head -c 1900000 /dev/zero > \(folder.path)/body")
    #expect(curl(server, "/", "--data-binary @\(folder.path)/body") == "1900000 200")
    let chunked = "--data-binary @\(folder.path)/body --header 'Transfer-Encoding: chunked'"
    #expect(curl(server, "/", chunked) == "1900000 200")
    #expect(curl(server, "/", "--output \(folder.path)/answer") == " 200")
    #expect(Shell.run("wc -c < \(folder.path)/answer").output == "3000000\n")
  }

  @Test func `a promised response arrives over TLS`() throws {
    let promises = Promises()
    let server = try server(handler: promises.answer)
    let fulfilling = Background {
      usleep(50_000)
      promises.fulfill(1)
    }
    #expect(curl(server, "/a") == "/a 200")
    fulfilling.join()
  }

  @Test(arguments: ["", "--header 'Transfer-Encoding: chunked'", "--header 'Expect:'"])
  func `content beyond the limit is refused`(_ option: String) throws {
    let server = try server { $0.maximumBodySize = 1000 }
    _ = Shell.run("head -c 5000 /dev/zero > \(folder.path)/body")
    let answer = curl(server, "/", "--data-binary @\(folder.path)/body \(option)")
    #expect(answer == "Content Too Large\n 413")
    #expect(server.becomesQuiet())
  }

  @Test(arguments: [("-tls1_2", true), ("-tls1_3", true), ("-tls1_1", false), ("-tls1", false)])
  func `TLS 1.2 and 1.3 are spoken and nothing older`(option: String, isSpoken: Bool) throws {
    let server = try server()
    let client = Shell.run(
      """
      printf 'GET /a HTTP/1.0\\r\\n\\r\\n' | timeout 10 openssl s_client \(option) -quiet \
      -ign_eof -cipher DEFAULT@SECLEVEL=0 -connect 127.0.0.1:\(server.port)
      """)
    #expect(client.output.contains("HTTP/1.1 200 OK") == isSpoken)
    #expect((client.status == 0) == isSpoken)
  }

  @Test(arguments: [
    ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-CHACHA20-POLY1305", true),
    ("ECDHE-ECDSA-AES128-SHA", false), ("ECDHE-ECDSA-AES256-SHA384", false),
    ("AES128-GCM-SHA256", false), ("AES256-SHA", false),
  ])
  func `TLS 1.2 is spoken without CBC and without key exchange by RSA`(
    cipher: String, isSpoken: Bool
  ) throws {
    let server = try server()
    let client = Shell.run(
      """
      printf 'GET /a HTTP/1.0\\r\\n\\r\\n' | timeout 10 openssl s_client -tls1_2 -quiet -ign_eof \
      -cipher \(cipher)@SECLEVEL=0 -connect 127.0.0.1:\(server.port)
      """)
    #expect(client.output.contains("HTTP/1.1 200 OK") == isSpoken)
  }

  @Test func `plain HTTP is not answered`() throws {
    let server = try server()
    let answer = try server.answer(to: "GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(!answer.contains("HTTP"))
    #expect(eventually { server.openConnections == 0 })
    #expect(server.requestsInFlight == 0)
  }

  /// The first bytes of a handshake that announces two hundred.
  private static let beginning: [UInt8] = [22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3]

  @Test(arguments: [0, 11])
  func `a handshake that does not go on is cut off`(count: Int) throws {
    let server = try server { $0.headerTimeout = .milliseconds(100) }
    let client = try RawClient(port: server.port)
    client.send(Array(Self.beginning.prefix(count)))
    #expect(eventually { server.openConnections == 1 })
    #expect(eventually { server.openConnections == 0 })
  }

  @Test func `a hundred handshakes that do not go on hold nobody up`() throws {
    let server = try server()
    let slow = try (1...100).map { _ in try RawClient(port: server.port) }
    for client in slow { client.send(Self.beginning) }
    #expect(eventually { server.openConnections == 100 })
    let url = "https://localhost:\(server.port)"
    #expect(
      curl(server, "/0", (1...9).map { "\(url)/\($0)" }.joined(separator: " "))
        == (1...9).map { "/\($0) 0 200" }.joined() + "/0 0 200")
    #expect(server.openConnections >= 100)
    for client in slow { client.finishSending() }
  }

  @Test func `a slow request is cut off without a word`() throws {
    let server = try server { $0.bodyTimeout = .milliseconds(100) }
    let client = Shell.run(
      """
      (printf 'POST / HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 9\\r\\n\\r\\n'; sleep 2) | timeout 10 \
      openssl s_client -quiet -ign_eof -connect 127.0.0.1:\(server.port)
      """)
    #expect(!client.output.contains("HTTP"))
    #expect(eventually { server.openConnections == 0 })
    #expect(server.requestsInFlight == 0)
  }

  @Test func `the probe asks over TLS as well`() throws {
    let server = try server()
    let answer = try Probe.answer(
      to: "/a", host: "127.0.0.1", port: server.port, within: .seconds(5), isEncrypted: true)
    #expect(answer.status == .ok)
    #expect(throws: Probe.Failure.silence) {
      try Probe.answer(to: "/a", host: "127.0.0.1", port: server.port, within: .seconds(5))
    }
    let plain = try Server.echo()
    #expect(throws: Probe.Failure.malformedAnswer) {
      try Probe.answer(
        to: "/a", host: "127.0.0.1", port: plain.port, within: .seconds(5), isEncrypted: true)
    }
  }
}
