import Glibc

/// Runs commands of the shell, for clients that are not ours.
enum Shell {
  /// Runs a command; returns its output, errors included, and its status.
  static func run(_ command: String) -> (status: Int32, output: String) {
    guard let stream = unsafe popen("( \(command) ) 2>&1", "re") else { return (-1, "") }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe fread(&buffer, 1, buffer.count, stream)
      guard count > 0 else { break }
      output += buffer.prefix(count)
    }
    let status = unsafe pclose(stream)
    return (status >> 8 & 0xFF, String(decoding: output, as: UTF8.self))
  }

  /// The bytes of a file; empty when it cannot be read.
  static func contents(of path: String) -> [UInt8] {
    Array(run("cat '\(path)'").output.utf8)
  }
}

/// A folder with a certificate for this machine and its key, made by openssl, that is there until
/// this is gone.
final class CertificateFolder {
  let path: String

  /// `algorithm` is as openssl's option -newkey has it.
  init(_ algorithm: String = "ec -pkeyopt ec_paramgen_curve:prime256v1") throws {
    var name = Array("/tmp/menud-tls-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&name) != nil else { throw Failure.system(errno) }
    path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let made = Shell.run(
      """
      cd \(path) && openssl req -x509 -newkey \(algorithm) -noenc -keyout key.pem -out cert.pem \
      -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1
      """)
    guard made.status == 0 else { throw Failure.openssl(made.output) }
  }

  deinit { _ = Shell.run("rm -rf '\(path)'") }

  enum Failure: Error {
    case system(Int32)
    case openssl(String)
  }

  var certificate: [UInt8] { Shell.contents(of: "\(path)/cert.pem") }
  var key: [UInt8] { Shell.contents(of: "\(path)/key.pem") }
}
