import CEL
import Logging
import MenuAPI
import MenuEngine
import MenuStore
import MicroHTTP

/// The configuration of the program; a new one has the defaults.
struct Configuration: Sendable {
  /// The folder of the application.
  ///
  /// The default is none: an application without commands; clients can declare some.
  var application = ""
  /// The name of the application for agents. The default, empty, is the name of its folder.
  var agentsName = ""
  /// The sessions to open at the start. The default is none.
  var sessions: [SessionID] = []
  /// The address of the server, and its limits for each client.
  var server = ServerConfiguration()
  /// The port of the listener for requests about the service itself, which answers whatever the load.
  ///
  /// The default, nil, is none; 0 takes any free port.
  var healthPort: UInt16?
  /// The certificate and key of the server.
  var tls = TLSConfiguration()
  var auth = AuthConfiguration()
  /// The names that requests may use for the server, beside numeric addresses and `localhost`.
  var hosts = HostNames()
  /// The foreign web pages that may send requests and read answers. The default is none.
  var origins = Origins()
  var rules = ProgramLimits()
  /// The limits of clients.
  var limits = ServiceLimits()
  /// The time after which an idle session is closed; zero for never. The default is a day.
  var sessionIdle: Duration = .seconds(86_400)
  /// The duration of a claim of a delivery. The default is 30 s.
  var claim: Duration = .seconds(30)
  /// The time for which a settled delivery is kept. The default is an hour.
  var deliveryRetention: Duration = .seconds(3600)
  /// The time for which a plan can be performed (T6). The default is five minutes.
  var planLifetime: Duration = .seconds(300)
  /// The number of seconds for which an entry of a history is kept; 0 for no histories. The default is a day.
  var historyRetention = 86_400
  /// The bounds of each history, except the retention.
  var historyBounds = HistoryBounds()
  /// True if refused commands are entries of histories too. The default is false.
  var keepsRefusals = false
  /// The limits of kept answers to requests with an idempotency key: number, size and time.
  var idempotency = KeptAnswers.Bounds()
  /// The time for which a stopping server still accepts connections, so that load balancers notice. The default
  /// is 0.
  var drainDelay: Duration = .zero
  /// The time that a stopping server waits for the requests in flight. The default is 10 s.
  var drainGrace: Duration = .seconds(10)
  /// The kind of the journal. The default is a SQLite file.
  var journalStore = JournalStore.sqlite
  /// The SQLite file, and its durability.
  ///
  /// The default path is empty: then it is `menud.db`, in the folder of `STATE_DIRECTORY`, which systemd sets,
  /// otherwise in the working directory.
  var journal = JournalConfiguration(path: "")
  /// The address of the journal's PostgreSQL database. The default, nil, uses libpq's environment variables.
  var journalAddress: PostgreSQLAddress?
  /// The file with that address, instead of the setting. The default is none.
  var journalAddressFile = ""
  /// The time that a start waits for a journal in use by another process, and for a database. The default is 0.
  var journalWait: Duration = .zero
  /// The settings of replicas that share one journal.
  var replicas = ReplicaConfiguration()
  /// True if metrics are readable without a token; by default only administrators may read them, if tokens are
  /// required.
  var opensMetrics = false
  var console = ConsoleConfiguration()
  var log = LogConfiguration()
}

extension Configuration {
  /// The limits of clients, with those derived from the server's: half of the requests in flight may wait, and
  /// a long poll ends before the request's deadline.
  var serviceLimits: ServiceLimits {
    var limits = limits
    limits.claim = max(1, claim.milliseconds)
    limits.deliveryRetention = deliveryRetention.milliseconds
    limits.planLifetime = planLifetime.milliseconds
    limits.waitingRequests = server.maximumRequestsInFlight / 2
    limits.longestWait = Int(min(60_000, max(0, server.answerTimeout.milliseconds - 5000)) / 1000)
    return limits
  }
}

extension Configuration {
  /// The settings of histories (T5); nil for no histories.
  var history: HistorySettings? {
    guard historyRetention > 0 else { return nil }
    var bounds = historyBounds
    bounds.retention = Int64(historyRetention) * 1000
    return HistorySettings(
      bounds, keepsRefusals: keepsRefusals, now: { Posix.milliseconds }, writer: HistoryMembers())
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}

/// The persistent storage of sessions and the catalogue.
enum JournalStore: String, CaseIterable, Sendable {
  case sqlite
  case postgresql
  /// Memory only: they are lost when the program ends.
  case memory
}

/// The certificate files of the server; without them it speaks plain HTTP.
struct TLSConfiguration: Sendable {
  /// The path of the certificate and its chain, in PEM. The default is none.
  var certificate = ""
  /// The path of the certificate's private key, in PEM, unencrypted. The default is none.
  var key = ""

  /// True if one of them is set.
  var isWanted: Bool { !certificate.isEmpty || !key.isEmpty }
}

struct ConsoleConfiguration: Sendable {
  /// True if it is served. The default, nil, serves it if tokens are not required.
  var isEnabled: Bool?
  /// The path of its page. The default is `/console`.
  var path = ConsolePages.defaultPath
}

extension Configuration {
  /// Returns the pages of the console under an authorization; nil if they are not served.
  func consolePages(under authorization: Authorization) -> ConsolePages? {
    let isEnabled = console.isEnabled ?? (authorization.administrators == nil)
    return isEnabled ? ConsolePages(path: console.path) : nil
  }
}

/// The configuration of the program's log.
struct LogConfiguration: Sendable {
  /// The minimum level of logged events. The default is `info`.
  var level = Logger.Level.info
  /// The format of events. The default is text.
  var format = LogFormat.text
  /// True if every request is logged. The default is false.
  var logsRequests = false
}

/// The formats of a logged event, always one line.
enum LogFormat: String, CaseIterable, Sendable {
  /// The time, the level, the message, and `name=value` for the details.
  case text
  case json
}

extension Configuration {
  /// The name of the application: the configured one, otherwise that of its folder; empty without either.
  var applicationName: String {
    guard agentsName.isEmpty else { return agentsName }
    let parts = application.utf8.split(separator: UInt8(ascii: "/"))
    return parts.last { !$0.elementsEqual(".".utf8) }.map { String(Substring($0)) } ?? ""
  }
}

extension Configuration {
  /// Reads the address of the journal's database from its file, if there is one.
  ///
  /// - Throws: `ConfigurationFault` if the file cannot be read or has no address, or if the journal is to be
  ///   shared and is not in a database.
  mutating func readJournalAddress() throws(ConfigurationFault) {
    guard !replicas.isEnabled || journalStore == .postgresql else { throw .nothingToShare }
    guard journalStore == .postgresql, !journalAddressFile.isEmpty else { return }
    let isBlank = { (byte: UInt8) in " \t\r\n".utf8.contains(byte) }
    let bytes = try Posix.contents(of: journalAddressFile).drop(while: isBlank)
    let end = bytes.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? bytes.startIndex
    guard end > bytes.startIndex,
      let address = PostgreSQLAddress(String(decoding: bytes[..<end], as: UTF8.self))
    else { throw .notAnAddress(path: journalAddressFile) }
    journalAddress = address
  }
}

/// The settings of replicas that share one journal.
struct ReplicaConfiguration: Sendable {
  /// True if other replicas may share the journal, which must be in PostgreSQL. The default is false.
  var isEnabled = false
  /// The consistency of reads. The default is linearizable.
  var reads = Reads.linearizable
  /// The time after which a replica unloads a session that it has not used; zero for never. The default is five
  /// minutes.
  var unloadAfter = Duration.seconds(300)

  enum Reads: String, CaseIterable, Sendable {
    /// No answer is older than an answer of any replica before the request.
    case linearizable
    /// An answer may be up to a quarter of a second older than that of another replica.
    case recent
  }
}

/// The variables that Kubernetes sets for every service in a container's namespace.
///
/// Those of a service called `menud`, or `menud-server`, have the same prefix as menud's own.
enum ServiceLink {
  /// True if Kubernetes has set the variable: `MENUD_PORT` to `tcp://10.0.0.11:8080`, `MENUD_SERVICE_HOST`,
  /// `MENUD_SERVICE_PORT_HTTP`, `MENUD_PORT_8080_TCP_ADDR` and so on.
  static func isVariable(_ name: String, _ value: String) -> Bool {
    let protocols = ["TCP", "UDP", "SCTP"]
    if name.hasSuffix("_PORT") || protocols.contains(where: { name.hasSuffix("_\($0)") }),
      protocols.contains(where: { value.hasPrefix("\($0.lowercased())://") })
    {
      return true
    }
    let parts = ["PROTO", "PORT", "ADDR"]
    return name.hasSuffix("_SERVICE_HOST") || name.hasSuffix("_SERVICE_PORT")
      || name.contains("_SERVICE_PORT_")
      || protocols.contains { kind in parts.contains { name.hasSuffix("_\(kind)_\($0)") } }
  }
}
