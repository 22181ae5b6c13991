import CEL
import JSONText
import Logging
import MenuAPI
import MenuEngine
import MenuStore
import MicroHTTP

/// A mistake in the configuration or in the application's folder.
enum ConfigurationFault: Error, Sendable {
  /// A file that cannot be read.
  case unreadable(path: String, FileFault)
  case notJSON(path: String, JSONFault)
  /// A file, or a section of it, that is not an object.
  case notAnObject(FilePlace, found: JSON)
  /// An unknown member, with the known ones.
  case unknownMember(FilePlace, known: [String])
  /// A value that is unsuitable for a setting.
  case unsuitable(FaultPlace, Setting, found: JSON)
  /// A malformed line in the file with tokens.
  case notAToken(path: String, line: Int)
  /// A file for the address of a database that contains none.
  case notAnAddress(path: String)
  /// A shared journal is configured for a store that cannot be shared.
  case nothingToShare
  /// Tokens are required, since the server listens beyond this machine or by the configuration, but there is
  /// none.
  case noToken(host: String?)
  /// A certificate without a key, or a key without a certificate.
  case incompleteTLS(missing: Setting)
  case unusableTLS(TLSConfiguration, CredentialsFault)

  /// True if a setting is missing only because of another fault, in the source that it could be in.
  func isDue(to other: ConfigurationFault) -> Bool {
    switch self {
    case .incompleteTLS: other.isOf(["tls"])
    case .noToken: other.isOf(["auth"]) || other.isOf(["server", "host"])
    case .unreadable, .notJSON, .notAnObject, .unknownMember, .unsuitable,
      .notAToken, .notAnAddress, .nothingToShare, .unusableTLS:
      false
    }
  }

  /// True if the fault is about a setting, about one in a section, or about a container of them.
  private func isOf(_ path: [String]) -> Bool {
    zip(path, self.path).allSatisfy { $0 == $1 }
  }

  /// The section and the setting at fault; empty for a whole file.
  private var path: [String] {
    switch self {
    case .unreadable, .notJSON: []
    case .notAnObject(let place, _), .unknownMember(let place, _): place.pointer.tokens
    case .unsuitable(_, let setting, _): setting.path
    case .noToken, .notAToken: ["auth"]
    case .notAnAddress: ["journal"]
    case .nothingToShare: ["replicas"]
    case .incompleteTLS, .unusableTLS: ["tls"]
    }
  }
}

extension ConfigurationFault: CustomStringConvertible {
  /// The mistake in one line: the place, and a sentence.
  var description: String { "\(place): \(sentence)" }

  var place: FaultPlace {
    switch self {
    case .unreadable(let path, _): .file(FilePlace(path: path))
    case .notAToken(let path, let line): .file(FilePlace(path: path, position: (line, 1)))
    case .notAnAddress(let path): .file(FilePlace(path: path))
    case .notJSON(let path, let fault):
      .file(FilePlace(path: path, position: (fault.line, fault.column)))
    case .notAnObject(let place, _), .unknownMember(let place, _): .file(place)
    case .unsuitable(let place, _, _): place
    case .incompleteTLS(let setting): .setting(setting.path.joined(separator: "."))
    case .unusableTLS(let tls, let fault):
      .file(FilePlace(path: fault.isOfKey ? tls.key : tls.certificate))
    case .noToken: .setting("auth.administratorToken")
    case .nothingToShare: .setting("replicas.enabled")
    }
  }

  static let tokenForm =
    "16 to 1024 letters, digits and '-._~+/', then '=' if any"

  static let addressForm =
    "an address such as postgresql://menud@localhost/menud, or libpq's pairs keyword=value"

  var sentence: String {
    switch self {
    case .unreadable(_, let fault): fault.sentence
    case .notJSON(_, let fault): "It is not JSON: \(fault.reason)."
    case .notAnObject(_, let found): "Expected an object, found \(found.excerpt)."
    case .unknownMember(let place, let known):
      unknownSetting(place.pointer.tokens.last ?? "", known)
    case .notAnAddress: "It should be \(Self.addressForm)."
    case .nothingToShare:
      "Replicas share a journal in PostgreSQL; set journal.store to postgresql, or leave this out."
    case .notAToken: "It should be a token: \(Self.tokenForm)."
    case .noToken(let host):
      "\(host.map { "The server would listen on \($0), beyond this machine" } ?? "Tokens are required"), "
        + "but there is no administrator's token. Put one into a file (openssl rand -hex 32) and name "
        + "that in MENUD_AUTH_ADMINISTRATOR_TOKEN_FILE, or let everybody in with "
        + "MENUD_AUTH_REQUIRED=never."
    case .unsuitable(_, let setting, let found):
      "Expected \(setting.expectation)"
        + (setting.faultyPart(of: found).map { ", found \($0.excerpt)" } ?? "") + "."
    case .incompleteTLS:
      "It is missing: TLS needs a certificate and its key, plain HTTP neither."
    case .unusableTLS(let tls, let fault): fault.sentence(about: tls)
    }
  }
}

extension ConfigurationFault {
  private func unknownSetting(_ name: String, _ known: [String]) -> String {
    let nearest = CEL.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
    return "There is no setting '\(name)' here; "
      + (nearest ?? "known are \(list(known)).")
  }
}

extension CredentialsFault {
  /// True if the file with the key is at fault.
  fileprivate var isOfKey: Bool {
    switch self {
    case .noCertificate, .unusableCertificate: false
    case .noKey, .encryptedKey, .unusableKey, .mismatch: true
    }
  }

  fileprivate func sentence(about tls: TLSConfiguration) -> String {
    switch self {
    case .noCertificate: "There is no PEM certificate in it."
    case .unusableCertificate(let reason): "Its certificate cannot be used: \(reason)"
    case .noKey: "There is no PEM private key in it."
    case .encryptedKey:
      "Its key is encrypted, and nobody is asked for the password. 'openssl pkey' decrypts it; let "
        + "nobody else read the result."
    case .unusableKey(let reason): "Its key cannot be used: \(reason)"
    case .mismatch: "Its key is not that of the certificate in \(tls.certificate)."
    }
  }
}

extension JSON {
  /// The value, truncated if it is long.
  fileprivate var excerpt: String {
    let text = text()
    return text.utf8.count > 60 ? text.prefix(59) + "…" : text
  }
}
