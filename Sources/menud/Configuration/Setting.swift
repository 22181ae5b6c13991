import CEL
import JSONText
import Logging
import MenuAPI
import MenuEngine
import MenuStore
import MicroHTTP

/// A setting: its names, the form of its values, and its place in the configuration.
struct Setting: Sendable {
  /// Its path in a configuration file: a member, or a member of a section.
  let path: [String]
  let form: Form

  /// The form of a setting's values, and its place in the configuration.
  enum Form: Sendable {
    case text(Target<String>)
    case integer(ClosedRange<Int>, Target<Int>)
    /// A port, or null for none.
    case port(Target<UInt16?>)
    /// A duration in seconds, possibly fractional.
    case seconds(Target<Duration>)
    case flag(Target<Bool>)
    case level(Target<Logger.Level>)
    case format(Target<LogFormat>)
    case journalStore(Target<JournalStore>)
    case durability(Target<Durability>)
    case reads(Target<ReplicaConfiguration.Reads>)
    case sessions(Target<[SessionID]>)
    case consent(Target<AgentConsent>)
    case tools(Target<AskedTools>)
    case requirement(Target<AuthConfiguration.Requirement>)
    /// A token, or null for none.
    case token(Target<Secret?>)
    /// The address of a database, or null for none.
    case address(Target<PostgreSQLAddress?>)
    case hosts(Target<[String]>)
    case origins(Target<[String]>)
    /// True or false, or null to let the program decide.
    case decision(Target<Bool?>)
    /// A valid path for the console.
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
    ] + authorization + [agentsName, agentsDefault, agentsTools, consoleEnabled, consolePath]
    + limits + events
    + deliveries + history
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
  static let agentsDefault = Setting(["agents", "default"], .consent(\.limits.agentConsent))
  static let agentsTools = Setting(["agents", "tools"], .tools(\.limits.agentTools))
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

extension Setting {
  /// The environment variable, derived from the path: `MENUD`, then every word of the path in capitals,
  /// joined by underscores.
  ///
  /// `server.maximumBodySize` becomes `MENUD_SERVER_MAXIMUM_BODY_SIZE`.
  var variable: String {
    var name = Array("MENUD".utf8)
    for part in path {
      name.append(UInt8(ascii: "_"))
      for byte in part.utf8 {
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        if isCapital { name.append(UInt8(ascii: "_")) }
        let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        name.append(isSmall ? byte - 32 : byte)
      }
    }
    return String(decoding: name, as: UTF8.self)
  }
}

extension Setting {
  static let authorization = [
    allowedHosts, required, administratorToken, administratorTokenFile, origins, metricsOpen,
  ]

  static let allowedHosts = server("allowedHosts", .hosts(\.hosts.names))
  static let required = Setting(["auth", "required"], .requirement(\.auth.required))
  static let administratorToken = Setting(
    ["auth", "administratorToken"], .token(\.auth.administratorToken))
  static let administratorTokenFile = Setting(
    ["auth", "administratorTokenFile"], .text(\.auth.administratorTokenFile))
  static let metricsOpen = Setting(["metrics", "open"], .flag(\.opensMetrics))
  static let origins = Setting(["cors", "origins"], .origins(\.origins.origins))
}

extension Setting {
  static let deliveries = [claim, deliveryRetention, planLifetime]

  static let claim = Setting(["deliveries", "claim"], .seconds(\.claim))
  /// The time for which a settled delivery is kept.
  static let deliveryRetention = Setting(
    ["deliveries", "retention"], .seconds(\.deliveryRetention))
  static let planLifetime = Setting(["plans", "lifetime"], .seconds(\.planLifetime))
}

extension Setting {
  static let history = [
    Setting(["history", "retention"], .integer(0...31_536_000, \.historyRetention)),
    Setting(["history", "size"], .integer(1...(1 << 30), \.historyBounds.size)),
    Setting(["history", "refusals"], .flag(\.keepsRefusals)),
  ]
}

extension Setting {
  static let events = [
    events("kept", in: 1...65_536, \.limits.events.kept.count),
    events("keptSize", in: 1...(1 << 30), \.limits.events.kept.size),
    events("sessions", in: 1...64, \.limits.events.sessions),
    events("selections", in: 1...64, \.limits.events.selections),
    events("subscriptions", in: 1...10_000, \.limits.events.subscriptions),
    events("streamsOfSession", in: 1...65_536, \.limits.events.streamsOfSession),
    events("streamsOfToken", in: 1...65_536, \.limits.events.streamsOfToken),
    Setting(["events", "heartbeat"], .seconds(\.limits.events.heartbeat)),
  ]

  private static func events(
    _ name: String, in range: ClosedRange<Int>, _ target: Form.Target<Int>
  ) -> Setting {
    Setting(["events", name], .integer(range, target))
  }
}

extension Setting {
  /// The limits of kept answers to requests with an idempotency key: number, size and time.
  static let idempotency = [
    idempotency("retention", in: 1...31_536_000, \.idempotency.retention),
    idempotency("answers", in: 1...10_000_000, \.idempotency.count),
    idempotency("size", in: 1...(1 << 36), \.idempotency.size),
  ]

  private static func idempotency(
    _ name: String, in range: ClosedRange<Int>, _ target: Form.Target<Int>
  ) -> Setting {
    Setting(["idempotency", name], .integer(range, target))
  }
}

extension Setting {
  /// The limits of clients.
  static let limits = [
    maximumSessions, sessionIdle, processorTime, openingTime, memory, memoryOfSession, bodyDepth,
    mutations, commands, menuElements, itemsFromData, storyboards, protocols, keymaps,
    catalogChanges, responders, handlers, rulesOfSession, keyCommands, undoManagers, stateSize,
    responderSize, deliveriesOfSession, deliverySize, effects, sends,
  ]

  static let maximumSessions = limit("sessions", in: 1...1_000_000, \.limits.sessions)
  /// The time after which an idle session is closed; 0 for never.
  static let sessionIdle = Setting(["limits", "sessionIdle"], .seconds(\.sessionIdle))
  static let processorTime = Setting(["limits", "processorTime"], .seconds(\.limits.processorTime))
  static let openingTime = Setting(["limits", "openingTime"], .seconds(\.limits.openingTime))
  static let memory = limit("memory", in: 1...(1 << 40), \.limits.memory)
  static let memoryOfSession = limit(
    "memoryOfSession", in: 1...(1 << 40), \.limits.memoryOfSession)
  static let bodyDepth = limit("bodyDepth", in: 1...128, \.limits.bodyDepth)
  static let mutations = limit("mutations", in: 1...100_000, \.limits.mutations)
  static let commands = limit("commands", in: 0...1_000_000, \.limits[.commands])
  static let menuElements = limit("menuElements", in: 1...1_000_000, \.limits[.menuElements])
  static let itemsFromData = limit("itemsFromData", in: 0...10_000, \.limits.itemsFromData)
  static let storyboards = limit("storyboards", in: 0...100_000, \.limits[.storyboards])
  static let protocols = limit("protocols", in: 0...100_000, \.limits[.protocols])
  static let keymaps = limit("keymaps", in: 0...100_000, \.limits[.keymaps])
  static let catalogChanges = limit("catalogChanges", in: 0...1_000_000, \.limits[.catalogChanges])
  static let responders = session("responders", in: 1...1_000_000, .responders)
  static let handlers = session("handlers", in: 0...1_000_000, .handlers)
  static let rulesOfSession = session("rules", in: 0...10_000_000, .rules)
  static let keyCommands = session("keyCommands", in: 0...1_000_000, .keyCommands)
  static let undoManagers = session("undoManagers", in: 0...10_000, .undoManagers)
  static let stateSize = session("stateSize", in: 1...(1 << 30), .stateSize)
  static let responderSize = session("responderSize", in: 1...(1 << 30), .responderSize)
  static let deliveriesOfSession = session("deliveries", in: 0...100_000, .deliveries)
  static let deliverySize = session("deliverySize", in: 1...(1 << 30), .deliverySize)
  static let effects = limit("effects", in: 1...100_000, \.limits.session.effects)
  static let sends = limit("sends", in: 1...16, \.limits.session.sends)

  private static func limit(
    _ name: String, in range: ClosedRange<Int>, _ target: Form.Target<Int>
  ) -> Setting {
    Setting(["limits", name], .integer(range, target))
  }

  private static func session(
    _ name: String, in range: ClosedRange<Int>, _ holding: Holding
  ) -> Setting {
    limit(name, in: range, \.limits.session[holding])
  }
}
