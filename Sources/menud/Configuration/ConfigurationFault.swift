import JSONText
import MicroHTTP

/// One mistake in the configuration or in the application's folder.
enum ConfigurationFault: Error, Sendable {
  /// A file or folder that cannot be read; the number is its `errno`.
  case unreadable(path: String, code: Int32)
  /// A file that is no JSON.
  case notJSON(path: String, JSONFault)
  /// A file, or a section of it, that is no object.
  case notAnObject(FilePlace, found: JSON)
  /// A member that is no setting, beside those that are.
  case unknownMember(FilePlace, known: [String])
  /// A value that a setting cannot have.
  case unsuitable(Source, Setting.Form, found: JSON)
  /// An environment variable under its former name, with another value than under the present one.
  case contradictory(former: String, Setting)
  /// A line of the file with tokens that is none.
  case notAToken(path: String, line: Int)
  /// A file with the address of a database that has none.
  case notAnAddress(path: String)
  /// Several processes are to serve a journal that only one can have.
  case nothingToShare
  /// Tokens are to be asked for, since the server listens on an address beyond this machine or because
  /// the configuration says so, and there is none.
  case noToken(host: String?)
  /// A certificate without a key, or a key without a certificate.
  case incompleteTLS(missing: Setting)
  /// Files that the server cannot prove itself by.
  case unusableTLS(TLSConfiguration, CredentialsFault)

  /// True if a setting is missing only because of another fault: it is in what could not be read.
  func isDue(to other: ConfigurationFault) -> Bool {
    switch self {
    case .incompleteTLS: other.isOf(["tls"])
    case .noToken: other.isOf(["auth"]) || other.isOf(["server", "host"])
    case .unreadable, .notJSON, .notAnObject, .unknownMember, .unsuitable, .contradictory,
      .notAToken, .notAnAddress, .nothingToShare, .unusableTLS:
      false
    }
  }

  /// True if the fault is of a setting, of one in a section, or of what they would be in.
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
      .unsuitable(.option(_, let setting), _, _), .contradictory(_, let setting):
      setting.path
    case .noToken, .notAToken: ["auth"]
    case .notAnAddress: ["journal"]
    case .nothingToShare: ["replicas"]
    case .incompleteTLS, .unusableTLS: ["tls"]
    }
  }

  /// The source of a value.
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
