import ArgumentParser
import Logging
import MenuAPI
import MenuEngine
import MenuStore
import MicroHTTP

/// Serves an application until it is told to stop.
///
/// Here is how the parts hang together: the application's folder becomes a catalogue, the store
/// keeps it and the sessions, the service answers requests about them, the server brings those.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve an application.",
    discussion: """
      SIGHUP reads the application's folder again; when that has mistakes, nothing changes. \
      SIGTERM and SIGINT stop the server once the requests in flight are answered; a second one \
      stops it at once. Exits with 78 when the configuration has mistakes, which are all listed, \
      with 69 when the server cannot listen, and with 74 when the journal cannot be used.
      """)

  @OptionGroup var options: ConfigurationOptions

  @Flag(help: "Print requests to try, as is done whenever standard output is a terminal.")
  var examples = false

  func run() throws {
    TerminationSignal.block()
    var configuration = try options.sources.loaded(orExit: .configuration)
    configuration.server.credentials = try credentials(configuration)
    let log = Logger(label: "menud") { _ in EventLog(configuration.log) }
    let doors = try doors(configuration, log)
    let catalog = try catalog(configuration)
    let service = Service(
      store: nil, .system, ruleLimits: configuration.rules,
      limits: configuration.limits, doors: doors)
    let server = try start(service, configuration, log)
    let store = try recover(
      configuration, catalog, for: service, at: server.port, log)
    announce(server, configuration, service, log)
    var watch = StoreWatch(service, configuration, log)
    let signal = awaitEnd(
      reload: { store.reload(from: configuration, log) }, meanwhile: { watch.look() })
    stop(server, service, after: signal, configuration, log)
  }

  /// Fills the service with the application and what the journal has; meanwhile it answers that it is
  /// not ready.
  private func recover(
    _ configuration: Configuration, _ catalog: Catalog, for service: Service, at port: UInt16,
    _ log: Logger
  ) throws -> SessionStore {
    // Nothing is accepted before, so that nothing is lost by ending at once.
    TerminationSignal.endAtOnce()
    if configuration.hasJournal {
      log.notice(
        "recovering",
        metadata: [
          "host": "\(configuration.server.host)", "port": .stringConvertible(port),
        ])
    }
    let journal = try configuration.openJournal(log)
    let start = Posix.monotonicNanoseconds
    let store = try configuration.store(of: catalog, keptIn: journal, log)
    try open(configuration.sessions, in: store, log)
    TerminationSignal.block()
    service.begin(with: store, recoveredIn: Posix.monotonicNanoseconds - start)
    return store
  }

  private func doors(_ configuration: Configuration, _ log: Logger) throws -> Doors {
    do throws(ConfigurationFaults) {
      let doors = try configuration.doors()
      if doors.administrators == nil, configuration.auth.required == .never {
        log.warning("open to everybody", metadata: ["host": "\(configuration.server.host)"])
      }
      return doors
    } catch {
      throw error.faults.reported(exit: .configuration)
    }
  }

  private func credentials(_ configuration: Configuration) throws -> Credentials? {
    do throws(ConfigurationFault) {
      return try configuration.tls.credentials()
    } catch {
      throw [error].reported(exit: .configuration)
    }
  }

  private func catalog(_ configuration: Configuration) throws -> Catalog {
    do throws(CatalogFaults) {
      return try CatalogFolder(
        path: configuration.application, ruleLimits: configuration.rules
      ).catalog()
    } catch {
      throw error.faults.reported(exit: .configuration)
    }
  }

  /// Opens those of the sessions that are not, as the application's template has them, else empty.
  private func open(_ ids: [SessionID], in store: SessionStore, _ log: Logger) throws {
    let template = store.catalog.template ?? SessionTemplate()
    for id in ids where store.session(id) == nil {
      let session = try Session(id, opening: template, in: store.catalog)
      do throws(JournalFault) {
        try store.open(session)
      } catch {
        log.error("not opened", metadata: ["session": "\(id)", "reason": "\(error)"])
      }
    }
  }

  private func start(
    _ service: Service, _ configuration: Configuration, _ log: Logger
  ) throws -> Server {
    let requestLog = configuration.log.logsRequests ? RequestLog(log) : nil
    let respond: @Sendable (Request) -> Answer = { service.answer(to: $0) }
    do throws(ServerError) {
      let server = try Server(
        configuration.server,
        handler: { request in
          requestLog?.answer(request, with: respond) ?? respond(request)
        },
        refusal: { refusal in
          requestLog?.answer(refusal, with: service.respond) ?? service.respond(to: refusal)
        }, isUrgent: service.isUrgent)
      service.measureServer { [weak server] in
        server.map {
          ServerFigures(requestsInFlight: $0.requestsInFlight, connections: $0.openConnections)
        }
      }
      return server
    } catch {
      log.critical("cannot listen", metadata: ["reason": "\(error.wording)"])
      throw ExitCode.unavailable
    }
  }

  private func announce(
    _ server: Server, _ configuration: Configuration, _ service: Service, _ log: Logger
  ) {
    let store = service.store
    let host = configuration.server.host
    log.notice(
      "listening",
      metadata: [
        "host": "\(host)", "port": .stringConvertible(server.port),
        "commands": .stringConvertible(store.catalog.commands.count),
        "sessions": "\(store.sessionIDs.map(\.rawValue).joined(separator: ","))",
      ])
    if examples || Posix.isInteractive, let session = configuration.sessions.first {
      let examples = Examples(
        session: session, in: store.catalog, host: host, port: server.port,
        certificate: configuration.tls.certificate,
        needsToken: service.asksForTokens)
      Posix.write("\(examples)", to: Posix.output)
    }
  }

  /// Waits for a signal that asks for the end, which the next one then no longer waits for.
  private func awaitEnd(
    reload: () -> Void, meanwhile look: () -> Void
  ) -> TerminationSignal {
    while true {
      guard let signal = TerminationSignal.wait(for: StoreWatch.interval) else {
        look()
        continue
      }
      guard signal == .reload else {
        TerminationSignal.endAtOnce()
        return signal
      }
      reload()
    }
  }

  private func stop(
    _ server: Server, _ service: Service, after signal: TerminationSignal,
    _ configuration: Configuration, _ log: Logger
  ) {
    log.notice("stopping", metadata: ["signal": "\(signal)"])
    service.isDraining = true
    server.beginDraining()
    Posix.sleep(configuration.drainDelay)
    let isQuiet = server.stop(grace: configuration.drainGrace)
    service.store.close()
    log.notice("stopped", metadata: ["cutOff": .stringConvertible(!isQuiet)])
  }
}
