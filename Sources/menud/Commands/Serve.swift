import ArgumentParser
import Logging
import MenuAPI
import MenuEngine
import MenuStore
import MicroHTTP

/// Serves an application until it receives a signal.
///
/// The parts: the application's folder becomes a catalogue, the store keeps the catalogue and the sessions, the
/// service answers requests about them, and the server receives the requests.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve an application.",
    discussion: """
      SIGHUP reads the folder of the application again; if it has mistakes, nothing changes. \
      SIGTERM and SIGINT stop the server once the requests in flight are answered; a second signal \
      stops it at once. Exits with 78 if the configuration has mistakes, which are all listed, with 69 \
      if the server cannot listen, and with 74 if the journal cannot be used.
      """)

  @OptionGroup(title: "Settings") var options: ConfigurationOptions

  @Flag(help: "Print requests to try, as on a terminal.")
  var examples = false

  func run() throws {
    TerminationSignal.block()
    Memory.returnLargeBlocks()
    let reading = try options.sources.reading(orExit: .configuration)
    var configuration = reading.configuration
    try readFiles(of: &configuration)
    let log = Logger(label: "menud") { _ in EventLog(configuration.log) }
    for name in reading.unknownVariables {
      log.warning("unknown variable", metadata: ["variable": "\(name)"])
    }
    makeRoomForConnections(&configuration.server, log)
    let authorization = try authorization(configuration, log)
    let catalog = try catalog(configuration)
    let workers = Workers(
      longRequests: try worker(ofAtMost: Self.longRequests, log),
      largeRequests: try worker(ofAtMost: Self.longRequests, log), events: try worker(log))
    configuration.server.headers = Service.commonHeaders
    let service = service(configuration, under: authorization, workers)
    let health = try startHealth(for: service, configuration, log)
    let server = try start(for: service, configuration, log)
    let store = try recover(
      configuration, under: catalog, for: service, at: server.port, log)
    announce(server, health: health, of: service, configuration, log: log)
    let manager = ServiceManager()
    manager.tell(.ready)
    var watch = StoreWatch(of: service, configuration, log)
    let reloads = try worker(log)
    let signal = awaitEnd(
      reload: reloading(store, of: service, from: configuration, telling: manager, log),
      on: reloads, meanwhile: { watch.look() })
    manager.tell(.stopping)
    stop(
      server, workers, service: service, after: signal, configuration: configuration, log: log)
    // Answer until the end, so that a supervisor does not kill a process that is stopping.
    health?.stop(grace: .zero)
    if signal == nil { throw ExitCode.inputOutput }
  }

  /// Returns the service, which has no store until the recovery.
  private func service(
    _ configuration: Configuration, under authorization: Authorization, _ workers: Workers
  ) -> Service {
    let dependencies = Service.Dependencies.system(
      answeringLongRequestsBy: workers.longRequests, largeOnesBy: workers.largeRequests,
      makingEventsBy: workers.events,
      namesRequests: configuration.log.logsRequests,
      application: configuration.applicationName)
    return Service(
      store: nil, dependencies, ruleLimits: configuration.rules,
      limits: configuration.serviceLimits, authorization: authorization,
      console: configuration.consolePages(under: authorization),
      readsRecent: configuration.replicas.reads == .recent)
  }

  /// Raises the limit of open descriptors to the maximum. If it is too low for all connections, streams and files,
  /// reduces the number of streams, and then of connections.
  ///
  /// Without a free descriptor no port could accept connections.
  private func makeRoomForConnections(_ server: inout ServerConfiguration, _ log: Logger) {
    let room = Posix.raiseMaximumDescriptors() - Self.otherDescriptors
    guard room < server.maximumConnections + server.maximumStreams else { return }
    server.maximumConnections = max(1, min(room, server.maximumConnections))
    server.maximumStreams = max(0, room - server.maximumConnections)
    log.warning(
      "fewer connections",
      metadata: [
        "maximumConnections": .stringConvertible(server.maximumConnections),
        "maximumStreams": .stringConvertible(server.maximumStreams),
        "descriptors": .stringConvertible(room + Self.otherDescriptors),
      ])
  }

  /// The descriptors beside those of the configured connections: connections to the health listener or about to
  /// be evicted, the journal, and those of system libraries.
  private static let otherDescriptors = 192

  /// The nanoseconds after which the application may have changed while the journal was opened.
  private static let longOpening = 100_000_000

  /// Loads the application and the journal into the service; meanwhile it answers that it is not ready.
  private func recover(
    _ configuration: Configuration, under catalog: Catalog, for service: Service, at port: UInt16,
    _ log: Logger
  ) throws -> SessionStore {
    // No request has been accepted, so ending at once loses nothing.
    TerminationSignal.endAtOnce()
    if configuration.hasJournal {
      log.notice(
        "recovering",
        metadata: [
          "host": "\(configuration.server.host)", "port": .stringConvertible(port),
        ])
    }
    let began = Posix.monotonicNanoseconds
    let journal = try configuration.openJournal(log)
    let start = Posix.monotonicNanoseconds
    // A process that waited for the journal reloads the application, which may have changed meanwhile.
    let isLate = start - began > Self.longOpening
    let present = isLate ? try self.catalog(configuration) : catalog
    let store = try configuration.store(of: present, keptIn: journal, log)
    try open(configuration.sessions, in: store, log)
    TerminationSignal.block()
    service.begin(with: store, recoveredIn: Posix.monotonicNanoseconds - start)
    return store
  }

  /// Reads the certificate and the address of the database.
  private func readFiles(of configuration: inout Configuration) throws {
    try reporting(exit: .configuration) { () throws(ConfigurationFault) in
      configuration.server.credentials = try configuration.tls.credentials()
      try configuration.readJournalAddress()
    }
  }

  private func authorization(_ configuration: Configuration, _ log: Logger) throws -> Authorization
  {
    let authorization = try reporting(exit: .configuration) { () throws(ConfigurationFault) in
      try configuration.authorization()
    }
    if authorization.administrators == nil, configuration.auth.required == .never {
      log.warning("open to everybody", metadata: ["host": "\(configuration.server.host)"])
    }
    return authorization
  }

  private func catalog(_ configuration: Configuration) throws -> Catalog {
    do throws(CatalogFaults) {
      return try CatalogFolder(configuration).catalog()
    } catch {
      throw error.faults.reported(exit: .configuration)
    }
  }

  /// Opens the sessions that are not open, from the application's template, otherwise empty.
  private func open(_ ids: [SessionID], in store: SessionStore, _ log: Logger) throws {
    for id in ids {
      do throws(JournalFault) {
        try open(id, in: store)
      } catch {
        log.error("not opened", metadata: ["session": "\(id)", "reason": "\(error)"])
      }
    }
  }

  /// Opens a session that is not open. Another replica may begin the journal, or open it, at the same time.
  private func open(_ id: SessionID, in store: SessionStore) throws(JournalFault) {
    let make = { @Sendable (look: StoreSnapshot) -> Proposal? in
      guard look.session == nil, !look.isUnloaded else { return nil }
      let catalog = look.catalog.catalog
      // The template was checked with the catalogue.
      var template = catalog.template ?? SessionTemplate()
      template.planKey = .random
      let session = try? Session(id, opening: template, in: catalog)
      return session.map { .open($0, as: store.newOpening(), under: look.catalog) }
    }
    if let proposal = make(store.read(id)) {
      try store.commit(proposal) { make($0.snapshot(of: id)) }
    }
  }

  /// Starts the listener for requests about the service itself, if it is configured.
  ///
  /// It has a separate thread and separate connections, so that the load of the other listener does not delay it.
  private func startHealth(
    for service: Service, _ configuration: Configuration, _ log: Logger
  ) throws -> Server? {
    guard let port = configuration.healthPort else { return nil }
    var listener = configuration.server
    listener.port = port
    listener.threads = 1
    listener.maximumConnections = Self.healthConnections
    listener.maximumStreams = 0
    return try listening(log) { () throws(ServerError) in
      try Server(
        listener, handler: { service.answerIfUrgent(to: $0) },
        refusal: { service.respond(to: $0, with: $1.headers) }, isUrgent: service.isUrgent)
    }
  }

  /// The threads beside those of the server.
  private struct Workers {
    let longRequests: Worker
    /// Answers requests with large bodies, whose rules may take long to compile.
    let largeRequests: Worker
    /// Makes events; at most one job waits at a time.
    let events: Worker
  }

  /// The maximum number of long requests that wait, small enough that the last one does not wait for seconds.
  private static let longRequests = 64

  private func worker(ofAtMost capacity: Int = 1, _ log: Logger) throws -> Worker {
    do throws(ServerError) {
      return try Worker(capacity: capacity)
    } catch {
      log.critical("cannot start", metadata: ["reason": "\(error.wording)"])
      throw ExitCode.unavailable
    }
  }

  /// The maximum number of connections to the health listener.
  private static let healthConnections = 64

  /// Returns the started server; if it cannot listen, the reason is logged and ends the program.
  private func listening(
    _ log: Logger, _ start: () throws(ServerError) -> Server
  ) throws -> Server {
    do throws(ServerError) {
      return try start()
    } catch {
      log.critical("cannot listen", metadata: ["reason": "\(error.wording)"])
      throw ExitCode.unavailable
    }
  }

  private func start(
    for service: Service, _ configuration: Configuration, _ log: Logger
  ) throws -> Server {
    let requestLog = configuration.log.logsRequests ? RequestLog(log) : nil
    let respond: @Sendable (Request) -> EventualResponse = { service.answer(to: $0) }
    let server = try listening(log) { () throws(ServerError) in
      try Server(
        configuration.server,
        handler: { request in
          requestLog?.answer(request, with: respond) ?? respond(request)
        },
        admission: { request in
          requestLog.map { $0.refusal(of: request) { service.refusal(byHeadOf: $0) } }
            ?? service.refusal(byHeadOf: request)
        },
        refusal: { refusal, head in
          let response = service.respond(to: refusal, with: head.headers)
          requestLog?.write(refusal, of: head, response)
          return response
        }, isUrgent: service.isUrgent)
    }
    service.measureServer { [weak server] in server.map { ServerFigures($0) } }
    return server
  }

  private func announce(
    _ server: Server, health: Server?, of service: Service, _ configuration: Configuration,
    log: Logger
  ) {
    let store = service.store
    let catalog = store.catalogEdition.catalog
    let host = configuration.server.host
    var metadata: Logger.Metadata = [
      "host": "\(host)", "port": .stringConvertible(server.port),
      "commands": .stringConvertible(catalog.commands.count),
      "sessions": "\(Self.shown(store.names))",
    ]
    if let health { metadata["healthPort"] = .stringConvertible(health.port) }
    log.notice("listening", metadata: metadata)
    if examples || Posix.isInteractive, let session = configuration.sessions.first {
      let examples = Examples(
        session: session, in: catalog, host: host, port: server.port,
        certificate: configuration.tls.certificate,
        needsToken: service.asksForTokens,
        console: configuration.console.isEnabled ?? !service.asksForTokens
          ? configuration.console.path : nil)
      Posix.write("\(examples)", to: Posix.output)
    }
  }

  /// Returns the first sessions, and the number of the rest.
  private static func shown(_ sessions: [SessionID]) -> String {
    let shown = sessions.prefix(8).map(\.rawValue).joined(separator: ",")
    return sessions.count > 8 ? "\(shown) and \(sessions.count - 8) more" : shown
  }

  /// Returns a job that reloads the tokens and the application's folder.
  private func reloading(
    _ store: SessionStore, of service: Service, from configuration: Configuration,
    telling manager: ServiceManager, _ log: Logger
  ) -> Worker.Job {
    {
      manager.tell(.reloading)
      service.reloadTokens(from: configuration, log)
      store.reload(from: configuration, log)
      if !service.isDraining { manager.tell(.ready) }
    }
  }

  /// Waits for a signal to end; the next signal then ends the program at once. Returns nil if the journal is lost to
  /// another process, in which case `look` returns false.
  private func awaitEnd(
    reload: @escaping Worker.Job, on worker: Worker, meanwhile look: () -> Bool
  ) -> TerminationSignal? {
    while true {
      guard let signal = TerminationSignal.wait(for: StoreWatch.interval) else {
        if look() { continue }
        TerminationSignal.endAtOnce()
        return nil
      }
      guard signal == .reload else {
        TerminationSignal.endAtOnce()
        return signal
      }
      // On a separate thread, because a file system may block. If a job is waiting already, it reads the latest files.
      _ = worker.run(reload)
    }
  }

  private func stop(
    _ server: Server, _ workers: Workers, service: Service, after signal: TerminationSignal?,
    configuration: Configuration, log: Logger
  ) {
    if let signal { log.notice("stopping", metadata: ["signal": "\(signal)"]) }
    service.isDraining = true
    server.beginDraining()
    Posix.sleep(configuration.drainDelay)
    let isQuiet = server.stop(grace: configuration.drainGrace)
    workers.longRequests.stop()
    workers.largeRequests.stop()
    workers.events.stop()
    service.store.close()
    if let path = configuration.remainingLog {
      log.warning(
        "not checkpointed",
        metadata: ["path": "\(path)", "reason": "Changes are in it: keep it beside the journal."])
    }
    log.notice("stopped", metadata: ["cutOff": .stringConvertible(!isQuiet)])
  }
}
