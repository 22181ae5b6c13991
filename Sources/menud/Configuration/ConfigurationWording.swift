import CEL
import JSONText
import Logging
import MenuAPI
import MenuEngine
import MenuStore
import MicroHTTP

/// A mistake in the configuration or in the application's folder.
enum ConfigurationFault: Error, Sendable {
  /// A file or folder that cannot be read, with the `errno`.
  case unreadable(path: String, code: Int32)
  case notJSON(path: String, JSONFault)
  /// A file, or a section of it, that is not an object.
  case notAnObject(FilePlace, found: JSON)
  /// An unknown member, with the known ones.
  case unknownMember(FilePlace, known: [String])
  /// A value that is unsuitable for a setting.
  case unsuitable(Source, Setting.Form, found: JSON)
  /// A line of the file with tokens that is none.
  case notAToken(path: String, line: Int)
  /// A file for the address of a database that contains none.
  case notAnAddress(path: String)
  /// A shared journal is configured that cannot be shared.
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
    case .notAnObject(let place, _), .unknownMember(let place, _),
      .unsuitable(.file(let place), _, _):
      place.pointer.tokens
    case .unsuitable(.environment(_, let setting), _, _),
      .unsuitable(.option(_, let setting), _, _):
      setting.path
    case .noToken, .notAToken: ["auth"]
    case .notAnAddress: ["journal"]
    case .nothingToShare: ["replicas"]
    case .incompleteTLS, .unusableTLS: ["tls"]
    }
  }

  enum Source: Sendable {
    case file(FilePlace)
    case environment(variable: String, Setting)
    case option(name: String, Setting)
  }
}

/// All mistakes in a configuration, never empty.
struct ConfigurationFaults: Error, Sendable {
  let faults: [ConfigurationFault]
}

/// A warning about the sources of settings.
enum ConfigurationWarning: Sendable {
  /// An environment variable that begins as menud's do and is no setting.
  case unknownVariable(String)

  /// The kind of the warning, as `menud check` names it.
  var kind: String {
    switch self {
    case .unknownVariable: "unknownVariable"
    }
  }

  var variable: String {
    switch self {
    case .unknownVariable(let name): name
    }
  }

  /// The warning as a sentence.
  var sentence: String {
    switch self {
    case .unknownVariable: "There is no setting of that name."
    }
  }
}

extension Logger {
  func note(_ warning: ConfigurationWarning) {
    switch warning {
    case .unknownVariable(let name):
      self.warning("unknown variable", metadata: ["variable": "\(name)"])
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
    case .notAnObject(let place, _), .unknownMember(let place, _),
      .unsuitable(.file(let place), _, _):
      .file(place)
    case .incompleteTLS(let setting): .setting(setting.path.joined(separator: "."))
    case .unusableTLS(let tls, let fault):
      .file(FilePlace(path: fault.isOfKey ? tls.key : tls.certificate))
    case .unsuitable(.environment(let variable, _), _, _):
      .setting(variable)
    case .unsuitable(.option(let name, _), _, _): .setting(name)
    case .noToken: .setting("auth.administratorToken")
    case .nothingToShare: .setting("replicas.enabled")
    }
  }

  private static let tokenForm =
    "16 to 1024 letters, digits and '-._~+/', then '=' if any"

  private static let addressForm =
    "an address such as postgresql://menud@localhost/menud, or libpq's pairs keyword=value"

  var sentence: String {
    switch self {
    case .unreadable(_, let code): "It cannot be read: \(Posix.description(of: code))."
    case .notJSON(_, let fault): "It is not JSON: \(fault.reason)."
    case .notAnObject(_, let found): "Expected an object, found \(found.excerpt)."
    case .unknownMember(let place, let known):
      unknownSetting(place.pointer.tokens.last ?? "", known)
    case .unsuitable(_, .token, _): "Expected \(Self.tokenForm)."
    case .unsuitable(_, .address, _): "Expected \(Self.addressForm)."
    case .notAnAddress: "It should be \(Self.addressForm)."
    case .nothingToShare:
      "Replicas share a journal in PostgreSQL; set journal.store to postgresql, or leave this out."
    case .notAToken: "It should be a token: \(Self.tokenForm)."
    case .noToken(let host):
      "\(host.map { "The server would listen on \($0), beyond this machine" } ?? "Tokens are required"), "
        + "but there is no administrator's token. Put one into a file (openssl rand -hex 32) and name "
        + "that in MENUD_AUTH_ADMINISTRATOR_TOKEN_FILE, or let everybody in with "
        + "MENUD_AUTH_REQUIRED=never."
    case .unsuitable(_, let form, .array(let elements)) where form.isList:
      "Expected \(form.expectation), found "
        + JSON.array(elements.filter { !form.accepts(element: $0) }).excerpt + "."
    case .unsuitable(_, let form, let found):
      "Expected \(form.expectation), found \(found.excerpt)."
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
      + (nearest ?? "known are \(known.listed("and")).")
  }
}

extension CredentialsFault {
  /// True if the file with the key is to blame.
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

extension Setting.Form {
  fileprivate var expectation: String {
    switch self {
    case .text: "a string"
    case .integer(let range, _): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .port: "an integer from 0 to 65535, or null"
    case .seconds: "a number of seconds from 0 to 86400"
    case .flag: "true or false"
    case .level: Logger.Level.allCases.map(\.rawValue).listed("or")
    case .format: LogFormat.allCases.map(\.rawValue).listed("or")
    case .journalStore: JournalStore.allCases.map(\.rawValue).listed("or")
    case .reads: ReplicaConfiguration.Reads.allCases.map(\.rawValue).listed("or")
    case .durability: Durability.allCases.map(\.rawValue).listed("or")
    case .consent: AgentConsent.allCases.map(\.rawValue).listed("or")
    case .tools: AskedTools.allCases.map(\.rawValue).listed("or")
    case .requirement: AuthConfiguration.Requirement.allCases.map(\.rawValue).listed("or")
    case .token: "a token"
    case .address: "an address"
    case .decision: "true, false or null"
    case .consolePath:
      "a path such as /console, of letters, digits, - and _, that no route begins with"
    case .hosts: "names of hosts in small letters, without ports, or *"
    case .origins: "origins in small letters, such as https://menus.example.org:8443"
    case .sessions:
      "names of sessions, each of 1 to 128 of the characters A-Z, a-z, 0-9, _, ., : and -, "
        + "other than . and .."
    }
  }
}

extension [String] {
  fileprivate func listed(_ conjunction: String) -> String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}

extension JSON {
  /// The value, truncated if it is long.
  fileprivate var excerpt: String {
    let text = text()
    return text.utf8.count > 60 ? text.prefix(59) + "…" : text
  }
}
