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
    case reads(Target<ReplicaConfiguration.Reads>)
    case sessions(Target<[SessionID]>)
    case requirement(Target<AuthConfiguration.Requirement>)
    /// A token, or null for none.
    case token(Target<Secret?>)
    /// The address of a database, or null for none.
    case address(Target<PostgreSQLAddress?>)
    case hosts(Target<[String]>)
    case origins(Target<[String]>)
    /// True or false, or null to leave the decision to the program.
    case decision(Target<Bool?>)
    /// A path at which the console can be served.
    case consolePath(Target<String>)

    /// A part of the configuration.
    typealias Target<Value> = any WritableKeyPath<Configuration, Value> & Sendable
  }
}

extension Setting {
  /// All settings, in the order of the configuration file.
  static let all =
    [
      application, sessions, host, port, healthPort, threads, maximumBodySize, maximumHeaderSize,
      maximumRequestsInFlight, maximumConnections, maximumStreams, maximumStreamsPerAddress,
      maximumConnectionsPerAddress,
      maximumReceivedBytes, maximumReceivedBytesPerAddress,
      maximumUnsentBytes, maximumUnsentBytesPerAddress, headerTimeout, bodyTimeout, answerTimeout,
      responseTimeout, idleTimeout, drainDelay, drainGrace,
      tlsCertificate, tlsKey,
    ] + authorization + [agentsName, consoleEnabled, consolePath] + limits + events + deliveries
    + idempotency
    + [
      maximumSourceLength, maximumNesting, maximumNodes, maximumSteps, maximumStringLength,
      maximumElements, journalStore, journalPath, journalURL, journalURLFile, journalDurability,
      journalSnapshotEvery, journalWait, replicasEnabled, replicasReads, replicasUnloadAfter,
      logLevel, logFormat, logRequests,
    ]

  static let application = Setting(["application"], .text(\.application))
  static let sessions = Setting(["sessions"], .sessions(\.sessions))
  static let host = server("host", .text(\.server.host))
  static let port = server("port", .integer(0...65_535, \.server.portNumber))
  static let healthPort = server("healthPort", .port(\.healthPort))
  static let threads = server("threads", .integer(1...256, \.server.threads))
  static let maximumBodySize = server(
    "maximumBodySize", .integer(0...(1 << 30), \.server.maximumBodySize))
  static let maximumHeaderSize = server(
    "maximumHeaderSize", .integer(1...(1 << 20), \.server.maximumHeaderSize))
  static let maximumRequestsInFlight = server(
    "maximumRequestsInFlight", .integer(1...65_536, \.server.maximumRequestsInFlight))
  static let maximumConnections = server(
    "maximumConnections", .integer(1...65_536, \.server.maximumConnections))
  static let maximumStreams = server(
    "maximumStreams", .integer(0...65_536, \.server.maximumStreams))
  static let maximumStreamsPerAddress = server(
    "maximumStreamsPerAddress", .integer(0...65_536, \.server.maximumStreamsPerAddress))
  static let maximumConnectionsPerAddress = server(
    "maximumConnectionsPerAddress", .integer(0...65_536, \.server.maximumConnectionsPerAddress))
  static let maximumReceivedBytes = server(
    "maximumReceivedBytes", .integer(0...(1 << 40), \.server.maximumReceivedBytes))
  static let maximumReceivedBytesPerAddress = server(
    "maximumReceivedBytesPerAddress",
    .integer(0...(1 << 40), \.server.maximumReceivedBytesPerAddress))
  static let maximumUnsentBytes = server(
    "maximumUnsentBytes", .integer(0...(1 << 40), \.server.maximumUnsentBytes))
  static let maximumUnsentBytesPerAddress = server(
    "maximumUnsentBytesPerAddress", .integer(0...(1 << 40), \.server.maximumUnsentBytesPerAddress))
  static let headerTimeout = server("headerTimeout", .seconds(\.server.headerTimeout))
  static let bodyTimeout = server("bodyTimeout", .seconds(\.server.bodyTimeout))
  static let answerTimeout = server("answerTimeout", .seconds(\.server.answerTimeout))
  static let responseTimeout = server("responseTimeout", .seconds(\.server.responseTimeout))
  static let idleTimeout = server("idleTimeout", .seconds(\.server.idleTimeout))
  static let drainDelay = server("drainDelay", .seconds(\.drainDelay))
  static let drainGrace = server("drainGrace", .seconds(\.drainGrace))
  static let tlsCertificate = Setting(["tls", "certificate"], .text(\.tls.certificate))
  static let tlsKey = Setting(["tls", "key"], .text(\.tls.key))
  static let agentsName = Setting(["agents", "name"], .text(\.agentsName))
  static let consoleEnabled = Setting(["console", "enabled"], .decision(\.console.isEnabled))
  static let consolePath = Setting(["console", "path"], .consolePath(\.console.path))
  static let maximumSourceLength = rules(
    "maximumSourceLength", .integer(1...65_536, \.rules.maximumSourceLength))
  static let maximumNesting = rules("maximumNesting", .integer(1...128, \.rules.maximumNesting))
  static let maximumNodes = rules("maximumNodes", .integer(1...65_536, \.rules.maximumNodes))
  static let maximumSteps = rules("maximumSteps", .integer(1...1_000_000_000, \.rules.maximumSteps))
  static let maximumStringLength = rules(
    "maximumStringLength", .integer(1...(1 << 30), \.rules.maximumStringLength))
  static let maximumElements = rules(
    "maximumElements", .integer(1...(1 << 24), \.rules.maximumElements))
  static let journalStore = Setting(["journal", "store"], .journalStore(\.journalStore))
  static let journalPath = Setting(["journal", "path"], .text(\.journal.path))
  static let journalURL = Setting(["journal", "url"], .address(\.journalAddress))
  static let journalURLFile = Setting(["journal", "urlFile"], .text(\.journalAddressFile))
  static let journalDurability = Setting(
    ["journal", "durability"], .durability(\.journal.durability))
  static let journalSnapshotEvery = Setting(
    ["journal", "snapshotEvery"], .integer(1...1_000_000, \.journal.snapshotEvery))
  static let journalWait = Setting(["journal", "wait"], .seconds(\.journalWait))
  static let replicasEnabled = Setting(["replicas", "enabled"], .flag(\.replicas.isEnabled))
  static let replicasReads = Setting(["replicas", "reads"], .reads(\.replicas.reads))
  static let replicasUnloadAfter = Setting(
    ["replicas", "unloadAfter"], .seconds(\.replicas.unloadAfter))
  static let logLevel = Setting(["log", "level"], .level(\.log.level))
  static let logFormat = Setting(["log", "format"], .format(\.log.format))
  static let logRequests = Setting(["log", "requests"], .flag(\.log.logsRequests))

  static func server(_ name: String, _ form: Form) -> Setting { Setting(["server", name], form) }

  private static func rules(_ name: String, _ form: Form) -> Setting {
    Setting(["rules", name], form)
  }

  init(_ path: [String], _ form: Form) {
    self.path = path
    self.form = form
  }
}
