import Logging
import MenuAPI
import MenuEngine
import MicroHTTP

/// The configuration of tokens.
struct AuthConfiguration: Sendable {
  /// The requests that require a token. The default is `auto`.
  var required = Requirement.auto
  /// An administrator's token. The default is none.
  var administratorToken: Secret?
  /// A file with administrators' tokens, one per line. The default is none.
  var administratorTokenFile = ""

  /// The requests that require a token.
  enum Requirement: String, CaseIterable, Sendable {
    /// All, if there is an administrator's token or the server listens beyond the loopback interface.
    case auto
    case always
    case never
  }
}

/// A text that never appears in logs, errors or dumps.
struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  let text: String

  /// Creates a token; nil if it is malformed or has less than 16 characters.
  init?(token text: String) {
    guard text.utf8.count >= 16, text.isBearerToken else { return nil }
    self.text = text
  }

  var description: String { "(secret)" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension Configuration {
  /// Returns the authorization.
  ///
  /// - Throws: `ConfigurationFault` if the file with tokens cannot be read or has a malformed line, and if
  ///   tokens are required and there is none.
  func authorization() throws(ConfigurationFault) -> Authorization {
    var authorization = Authorization()
    authorization.hosts = hosts
    authorization.origins = origins
    authorization.opensMetrics = opensMetrics
    authorization.administrators = try administrators()
    return authorization
  }

  /// A token of an administrator, if one is configured.
  var someAdministratorToken: String? {
    get throws(ConfigurationFault) {
      if let token = auth.administratorToken { return token.text }
      guard !auth.administratorTokenFile.isEmpty else { return nil }
      return try Self.tokens(in: auth.administratorTokenFile)[0].text
    }
  }

  /// Returns the digests of the administrators' tokens; nil if tokens are not required.
  private func administrators() throws(ConfigurationFault) -> [TokenDigest]? {
    guard auth.required != .never else { return nil }
    var tokens = auth.administratorToken.map { [$0] } ?? []
    if !auth.administratorTokenFile.isEmpty {
      tokens += try Self.tokens(in: auth.administratorTokenFile)
    }
    if tokens.isEmpty {
      guard auth.required == .auto, server.host.isLoopback else {
        throw .noToken(host: server.host.isLoopback ? nil : server.host)
      }
      return nil
    }
    return tokens.map { TokenDigest(of: $0.text) }
  }

  /// Returns the tokens in a file, one per line.
  static func tokens(in path: String) throws(ConfigurationFault) -> [Secret] {
    let lines = try Posix.contents(of: path)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var tokens: [Secret] = []
    for (index, line) in lines.enumerated() {
      let isBlank = { (byte: UInt8) in " \t\r".utf8.contains(byte) }
      guard let end = line.lastIndex(where: { !isBlank($0) }) else { continue }
      let text = line[...end].drop(while: isBlank)
      guard let token = Secret(token: String(decoding: text, as: UTF8.self)) else {
        throw .notAToken(path: path, line: index + 1)
      }
      tokens.append(token)
    }
    guard !tokens.isEmpty else { throw .notAToken(path: path, line: 1) }
    return tokens
  }
}

extension String {
  /// True if only this machine can reach the address.
  fileprivate var isLoopback: Bool { hasPrefix("127.") || self == "::1" }
}

extension Service {
  /// Reloads the administrators' tokens. Mistakes are logged, and the tokens stay unchanged.
  func reloadTokens(from configuration: Configuration, _ log: Logger) {
    do throws(ConfigurationFault) {
      guard let tokens = try configuration.authorization().administrators else { return }
      let revoked = replaceAdministrators(by: tokens)
      log.notice(
        "tokens reloaded",
        metadata: [
          "tokens": .stringConvertible(tokens.count), "revoked": .stringConvertible(revoked),
        ])
    } catch {
      log.error("mistake", metadata: ["fault": "\(error)"])
      log.error("tokens not reloaded", metadata: ["faults": .stringConvertible(1)])
    }
  }
}

extension TLSConfiguration {
  /// Returns the credentials in the files; nil without files.
  ///
  /// - Throws: `ConfigurationFault.incompleteTLS`, `.unreadable` or `.unusableTLS`.
  func credentials() throws(ConfigurationFault) -> Credentials? {
    guard isWanted else { return nil }
    guard !certificate.isEmpty else { throw .incompleteTLS(missing: .at("tls.certificate")) }
    guard !key.isEmpty else { throw .incompleteTLS(missing: .at("tls.key")) }
    let texts = (try Posix.contents(of: certificate), try Posix.contents(of: key))
    do throws(CredentialsFault) {
      return try Credentials(certificate: texts.0, key: texts.1)
    } catch {
      throw .unusableTLS(self, error)
    }
  }
}
