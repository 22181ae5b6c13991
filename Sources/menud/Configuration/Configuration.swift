import CEL
import Logging
import MenuAPI
import MenuEngine
import MenuStore
import MicroHTTP

/// The configuration of the program; a new one has the defaults that hold without any configuration.
struct Configuration: Sendable {
  /// The folder that describes the application.
  ///
  /// The default is none: an application without commands, which clients can declare.
  var application = ""
  /// The name by which agents know the application. The default, empty, is that of its folder.
  var agentsName = ""
  /// The sessions that are open from the start. The default is none.
  var sessions: [SessionID] = []
  /// The address of the server, and the bounds for each client.
  var server = ServerConfiguration()
  /// The port of the listener that answers about the service itself, however busy the other one is.
  ///
  /// The default, nil, is none; 0 takes any free port.
  var healthPort: UInt16?
  /// The certificate and key of the server.
  var tls = TLSConfiguration()
  /// The tokens that are asked for.
  var auth = AuthConfiguration()
  /// The names by which requests may call the server, beside numeric addresses and `localhost`.
  var hosts = HostNames()
  /// The web pages of other servers that may ask and read answers. The default is none.
  var origins = Origins()
  var rules = ProgramLimits()
  /// The limits of clients.
  var limits = ServiceLimits()
  /// The time after which an idle session is closed; zero for never. The
  /// default is a day.
  var sessionIdle: Duration = .seconds(86_400)
  /// The time that a claim of a delivery lasts. The default is 30 s.
  var claim: Duration = .seconds(30)
  /// The time for which a settled delivery is kept. The default is an hour.
  var deliveryRetention: Duration = .seconds(3600)
  /// The bounds of kept answers to requests with an idempotency key: their number, size and time.
  var idempotency = KeptAnswers.Bounds()
  /// The time for which a stopping server still accepts connections, so that load balancers notice.
  /// The default is 0.
  var drainDelay: Duration = .zero
  /// The time that a stopping server waits for the requests in flight. The default is 10 s.
  var drainGrace: Duration = .seconds(10)
  /// The place of the journal. The default is a SQLite file.
  var journalStore = JournalStore.sqlite
  /// The SQLite file, and how it is written.
  ///
  /// The default path is empty: then it is `menud.db`, in the folder that `STATE_DIRECTORY` names,
  /// as systemd sets it, else in the one where the program was started.
  var journal = JournalConfiguration(path: "")
  /// The address of the journal's PostgreSQL. The default, nil, is that of libpq's own variables.
  var journalAddress: PostgreSQLAddress?
  /// The file with that address; then nothing else says it. The default is none.
  var journalAddressFile = ""
  /// The time that a start waits for another process that has the journal, and for a database. The
  /// default is not at all.
  var journalWait: Duration = .zero
  /// The settings of several processes on one journal.
  var replicas = ReplicaConfiguration()
  /// True if anybody may read the metrics; by default only administrators may, if requests need a
  /// token.
  var opensMetrics = false
  var console = ConsoleConfiguration()
  var log = LogConfiguration()
}

extension Configuration {
  /// The limits of clients, those that follow from what the server can do among them: half of the requests in
  /// flight may wait, and each of them gets its answer while there is time for it.
  var serviceLimits: ServiceLimits {
    var limits = limits
    limits.claim = max(1, claim.milliseconds)
    limits.deliveryRetention = deliveryRetention.milliseconds
    limits.waitingRequests = server.maximumRequestsInFlight / 2
    limits.longestWait = Int(min(60_000, max(0, server.answerTimeout.milliseconds - 5000)) / 1000)
    return limits
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 { Int64(self / .milliseconds(1)) }
}

/// The place where sessions and the catalogue are kept beside memory.
enum JournalStore: String, CaseIterable, Sendable {
  /// In a SQLite file.
  case sqlite
  /// In a PostgreSQL database.
  case postgresql
  /// Nowhere: they are gone when the program ends.
  case memory
}

/// The files that the server proves itself by; with neither of them it speaks plain HTTP.
struct TLSConfiguration: Sendable {
  /// The path of the certificate, and of those that lead to a known one, in PEM. The default is none.
  var certificate = ""
  /// The path of the certificate's private key, in PEM and not encrypted. The default is none.
  var key = ""

  /// True if one of them is there.
  var isWanted: Bool { !certificate.isEmpty || !key.isEmpty }
}

/// The configuration of the console.
struct ConsoleConfiguration: Sendable {
  /// True if it is served. The default, nil, is that it is while no tokens are asked for.
  var isEnabled: Bool?
  /// The path of its page. The default is `/console`.
  var path = ConsolePages.defaultPath
}

extension Configuration {
  /// The pages of the console under these rules of authorization; nil when they are not served.
  func consolePages(under authorization: Authorization) -> ConsolePages? {
    let isEnabled = console.isEnabled ?? (authorization.administrators == nil)
    return isEnabled ? ConsolePages(path: console.path) : nil
  }
}

/// The configuration of the program's log.
struct LogConfiguration: Sendable {
  /// The least important events that are logged. The default is `info`.
  var level = Logger.Level.info
  /// The form in which an event is written. The default is text.
  var format = LogFormat.text
  /// True if every request has a line. The default is false.
  var logsRequests = false
}

/// The forms in which an event is written, always in one line.
enum LogFormat: String, CaseIterable, Sendable {
  /// The time, the level, what happened, and `name=value` for the rest.
  case text
  /// A JSON object.
  case json
}

extension Configuration {
  /// The name of the application: the one that is configured, else that of its folder; empty without either.
  var applicationName: String {
    guard agentsName.isEmpty else { return agentsName }
    let parts = application.utf8.split(separator: UInt8(ascii: "/"))
    return parts.last { !$0.elementsEqual(".".utf8) }.map { String(Substring($0)) } ?? ""
  }
}

extension Configuration {
  /// Reads the address of the journal's database from its file, if there is one.
  ///
  /// - Throws: `ConfigurationFault` if the file cannot be read or has no address, or if the journal is to be shared and
  ///   is not in a database.
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

/// The settings of several processes on one journal.
struct ReplicaConfiguration: Sendable {
  /// True if other processes may serve the same journal, which is in PostgreSQL then. The default is false.
  var isEnabled = false
  /// The currency of answers. The default is linearizable.
  var reads = Reads.linearizable
  /// The time after which a session leaves the memory of a process that nobody asks for it; zero for never. The default
  /// is five minutes.
  var unloadAfter = Duration.seconds(300)

  /// The currency of answers.
  enum Reads: String, CaseIterable, Sendable {
    /// No answer is older than one that any process gave before it was asked for.
    case linearizable
    /// An answer may be some milliseconds older than what another process answered.
    case recent
  }
}

/// The variables that Kubernetes sets for every service in a container's namespace.
///
/// Those of a service called `menud`, or `menud-server`, begin as menud's own do.
enum ServiceLink {
  /// Returns true if Kubernetes has set the variable: `MENUD_PORT` to `tcp://10.0.0.11:8080`,
  /// `MENUD_SERVICE_HOST`, `MENUD_SERVICE_PORT_HTTP`, `MENUD_PORT_8080_TCP_ADDR` and their like.
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
