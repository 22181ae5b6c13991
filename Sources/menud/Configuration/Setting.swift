import CEL
import JSONText
import Logging
import MenuEngine
import MenuStore
import MicroHTTP

/// One thing that can be configured: its names, and where its value goes.
struct Setting: Sendable {
  /// Its place in a configuration file: a member, or a member of a section.
  let path: [String]
  /// The environment variable.
  let variable: String
  /// The form of its values.
  let form: Form

  /// The form of a setting's values, and its place in the configuration.
  enum Form: Sendable {
    case text(Target<String>)
    case integer(ClosedRange<Int>, Target<Int>)
    /// A port, or null for none.
    case port(Target<UInt16?>)
    /// A duration in seconds, which may have a fraction.
    case seconds(Target<Duration>)
    case flag(Target<Bool>)
    case level(Target<Logger.Level>)
    case format(Target<LogFormat>)
    case journalStore(Target<JournalStore>)
    case durability(Target<Durability>)
    case sessions(Target<[SessionID]>)
    case requirement(Target<AuthConfiguration.Requirement>)
    /// A token, or null for none.
    case token(Target<Secret?>)
    case hosts(Target<[String]>)
    case origins(Target<[String]>)

    /// A part of the configuration.
    typealias Target<Value> = any WritableKeyPath<Configuration, Value> & Sendable
  }
}

extension Setting {
  /// All settings, in the order of the configuration file.
  static let all =
    [
      application, sessions, host, port, healthPort, threads, maximumBodySize, maximumHeaderSize,
      maximumRequestsInFlight, maximumConnections, maximumConnectionsPerAddress,
      maximumUnsentBytes, maximumUnsentBytesPerAddress, headerTimeout, bodyTimeout, answerTimeout,
      responseTimeout, idleTimeout, drainDelay, drainGrace,
      tlsCertificate, tlsKey,
    ] + doors + limits + idempotency
    + [
      maximumSourceLength, maximumNesting, maximumNodes, maximumSteps, maximumStringLength,
      maximumElements, journalStore, journalPath, journalDurability, journalSnapshotEvery,
      journalWait, logLevel, logFormat, logRequests,
    ]

  static let application = Setting(["application"], "APPLICATION", .text(\.application))
  static let sessions = Setting(["sessions"], "SESSIONS", .sessions(\.sessions))
  static let host = server("host", "HOST", .text(\.server.host))
  static let port = server("port", "PORT", .integer(0...65_535, \.server.portNumber))
  static let healthPort = server("healthPort", "HEALTH_PORT", .port(\.healthPort))
  static let threads = server("threads", "THREADS", .integer(1...256, \.server.threads))
  static let maximumBodySize = server(
    "maximumBodySize", "MAXIMUM_BODY_SIZE", .integer(0...(1 << 30), \.server.maximumBodySize))
  static let maximumHeaderSize = server(
    "maximumHeaderSize", "MAXIMUM_HEADER_SIZE",
    .integer(1...(1 << 20), \.server.maximumHeaderSize))
  static let maximumRequestsInFlight = server(
    "maximumRequestsInFlight", "MAXIMUM_REQUESTS_IN_FLIGHT",
    .integer(1...65_536, \.server.maximumRequestsInFlight))
  static let maximumConnections = server(
    "maximumConnections", "MAXIMUM_CONNECTIONS", .integer(1...65_536, \.server.maximumConnections))
  static let maximumConnectionsPerAddress = server(
    "maximumConnectionsPerAddress", "MAXIMUM_CONNECTIONS_PER_ADDRESS",
    .integer(0...65_536, \.server.maximumConnectionsPerAddress))
  static let maximumUnsentBytes = server(
    "maximumUnsentBytes", "MAXIMUM_UNSENT_BYTES",
    .integer(0...(1 << 40), \.server.maximumUnsentBytes))
  static let maximumUnsentBytesPerAddress = server(
    "maximumUnsentBytesPerAddress", "MAXIMUM_UNSENT_BYTES_PER_ADDRESS",
    .integer(0...(1 << 40), \.server.maximumUnsentBytesPerAddress))
  static let headerTimeout = server(
    "headerTimeout", "HEADER_TIMEOUT", .seconds(\.server.headerTimeout))
  static let bodyTimeout = server("bodyTimeout", "BODY_TIMEOUT", .seconds(\.server.bodyTimeout))
  static let answerTimeout = server(
    "answerTimeout", "ANSWER_TIMEOUT", .seconds(\.server.answerTimeout))
  static let responseTimeout = server(
    "responseTimeout", "RESPONSE_TIMEOUT", .seconds(\.server.responseTimeout))
  static let idleTimeout = server("idleTimeout", "IDLE_TIMEOUT", .seconds(\.server.idleTimeout))
  static let drainDelay = server("drainDelay", "DRAIN_DELAY", .seconds(\.drainDelay))
  static let drainGrace = server("drainGrace", "DRAIN_GRACE", .seconds(\.drainGrace))
  static let tlsCertificate = Setting(
    ["tls", "certificate"], "TLS_CERTIFICATE", .text(\.tls.certificate))
  static let tlsKey = Setting(["tls", "key"], "TLS_KEY", .text(\.tls.key))
  static let maximumSourceLength = rules(
    "maximumSourceLength", "MAXIMUM_SOURCE_LENGTH",
    .integer(1...65_536, \.rules.maximumSourceLength))
  static let maximumNesting = rules(
    "maximumNesting", "MAXIMUM_NESTING", .integer(1...128, \.rules.maximumNesting))
  static let maximumNodes = rules(
    "maximumNodes", "MAXIMUM_NODES", .integer(1...65_536, \.rules.maximumNodes))
  static let maximumSteps = rules(
    "maximumSteps", "MAXIMUM_STEPS", .integer(1...1_000_000_000, \.rules.maximumSteps))
  static let maximumStringLength = rules(
    "maximumStringLength", "MAXIMUM_STRING_LENGTH",
    .integer(1...(1 << 30), \.rules.maximumStringLength))
  static let maximumElements = rules(
    "maximumElements", "MAXIMUM_ELEMENTS", .integer(1...(1 << 24), \.rules.maximumElements))
  static let journalStore = Setting(
    ["journal", "store"], "JOURNAL_STORE", .journalStore(\.journalStore))
  static let journalPath = Setting(["journal", "path"], "JOURNAL_PATH", .text(\.journal.path))
  static let journalDurability = Setting(
    ["journal", "durability"], "JOURNAL_DURABILITY", .durability(\.journal.durability))
  static let journalSnapshotEvery = Setting(
    ["journal", "snapshotEvery"], "JOURNAL_SNAPSHOT_EVERY",
    .integer(1...1_000_000, \.journal.snapshotEvery))
  static let journalWait = Setting(["journal", "wait"], "JOURNAL_WAIT", .seconds(\.journalWait))
  static let logLevel = Setting(["log", "level"], "LOG_LEVEL", .level(\.log.level))
  static let logFormat = Setting(["log", "format"], "LOG_FORMAT", .format(\.log.format))
  static let logRequests = Setting(["log", "requests"], "LOG_REQUESTS", .flag(\.log.logsRequests))

  static func server(_ name: String, _ variable: String, _ form: Form) -> Setting {
    Setting(["server", name], variable, form)
  }

  private static func rules(_ name: String, _ variable: String, _ form: Form) -> Setting {
    Setting(["rules", name], "RULES_\(variable)", form)
  }

  init(_ path: [String], _ variable: String, _ form: Form) {
    self.path = path
    self.variable = "MENUD_\(variable)"
    self.form = form
  }
}
