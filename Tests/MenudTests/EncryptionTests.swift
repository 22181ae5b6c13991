import Foundation
import Testing

/// The program over TLS: its configuration, its mistakes, and how it is asked.
@Suite(Program.isBuilt) struct EncryptionTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try run(
      """
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -keyout key.pem \
      -out cert.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1
      """)
  }

  /// Returns the output of a shell command that runs in the folder.
  @discardableResult
  private func run(_ command: String) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = folder.url
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `curl and the health check are answered over TLS`() throws {
    try folder.write(
      #"{"tls": {"certificate": "cert.pem", "key": "key.pem"}, "server": {"port": 0}}"#,
      to: "menud.json")
    let server = try RunningProgram(
      ["serve", "--config", "\(folder.path)/menud.json", "--log-format", "json"])
    let port = try server.port()
    #expect(
      try run("curl --silent --cacert cert.pem https://localhost:\(port)/health/ready")
        == #"{"status":"ok"}"#)
    let health = try Program.run(
      "health", "--config", "\(folder.path)/menud.json", "--port", "\(port)")
    #expect(health.output == "127.0.0.1:\(port): Ready.\n")
    let plain = try Program.run("health", "--port", "\(port)")
    #expect(plain.status == 1)
    server.signal(SIGTERM)
    #expect(try server.outcome().status == 0)
  }

  @Test(arguments: [
    (
      ["--tls-certificate", "cert.pem"],
      "tls.key: It is missing: TLS needs a certificate and its key, plain HTTP neither."
    ),
    (
      ["--tls-key", "key.pem"],
      "tls.certificate: It is missing: TLS needs a certificate and its key, plain HTTP neither."
    ),
    (
      ["--tls-certificate", "none.pem", "--tls-key", "key.pem"],
      "none.pem: It cannot be read: No such file or directory."
    ),
    (
      ["--tls-certificate", "cert.pem", "--tls-key", "."],
      ".: There is no regular file at this path."
    ),
    (
      ["--tls-certificate", "key.pem", "--tls-key", "key.pem"],
      "key.pem: There is no PEM certificate in it."
    ),
    (
      ["--tls-certificate", "cert.pem", "--tls-key", "cert.pem"],
      "cert.pem: There is no PEM private key in it."
    ),
    (
      ["--tls-certificate", "cert.pem", "--tls-key", "other.pem"],
      "other.pem: Its key is not that of the certificate in cert.pem."
    ),
    (
      ["--tls-certificate", "cert.pem", "--tls-key", "locked.pem"],
      "locked.pem: Its key is encrypted, and nobody is asked for the password. 'openssl pkey' "
        + "decrypts it; let nobody else read the result."
    ),
  ])
  func `files that do not fit stop the start with the reason`(
    options: [String], reason: String
  ) throws {
    try run("openssl ecparam -name prime256v1 -genkey -noout -out other.pem")
    try run("openssl pkcs8 -topk8 -passout pass:secret -in key.pem -out locked.pem")
    let outcome = try RunningProgram(["serve", "--port", "0"] + options, in: folder.url).outcome()
    #expect(
      outcome == Program.Outcome(status: 78, output: "", errors: "menud: \(reason)\n"))
  }

  @Test func `checking a configuration reports mistakes in its files`() throws {
    try folder.write(#"{"tls": {"certificate": "none.pem", "key": "key.pem"}}"#, to: "menud.json")
    let outcome = try Program.run("check", "menud.json", in: folder.url)
    #expect(outcome.status == 1)
    #expect(outcome.output == "none.pem: It cannot be read: No such file or directory.\n")
  }
}
