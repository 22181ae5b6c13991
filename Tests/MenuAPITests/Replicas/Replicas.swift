import Dispatch
import Foundation
import Locks
import MenuEngine
import StoreSupport
import Synchronization
import Testing

@testable import MenuAPI
@testable import MenuStore
@testable import MicroHTTP

/// The services that answer the requests of one test, each request the next one.
///
/// Usually there is one, with a store in memory. With `MENUD_TEST_REPLICAS` there are so many. They share a journal in
/// PostgreSQL and nothing else, as processes do.
final class Replicas: Sendable {
  /// The number of services of each test.
  static let count =
    ProcessInfo.processInfo.environment["MENUD_TEST_REPLICAS"].flatMap(Int.init) ?? 1

  private let running: Lock<[Service]>
  /// Starts a service, which is the first, the second and so on of all that are started.
  private let start: @Sendable (_ number: Int) throws -> Service
  private let starts = Atomic(0)
  let shared: SharedParts?
  private let turn = Atomic(0)

  /// All services.
  var services: [Service] { running.withLock(\.self) }

  /// The services over a catalogue; a single one if there is a journal already.
  ///
  /// - Parameters:
  ///   - storage: The storage of a journal in memory, for a single service that restarts.
  ///   - retention: The seconds for which a journal keeps answers.
  ///   - now: The clock of the stores, in milliseconds.
  ///   - service: Makes the service of a store.
  init(
    over catalog: Catalog, journal: (any Journal)? = nil, storage: MemoryJournal.Storage? = nil,
    retention: Int = 86_400, now: @escaping @Sendable () -> Int64 = { 0 },
    _ dependencies: Service.Dependencies,
    remembering bounds: HistoryBounds = HistoryBounds(),
    service: @escaping @Sendable (SessionStore, Service.Dependencies) -> Service
  ) throws {
    if Self.count > 1 {
      guard journal == nil else { throw NotInOneProcess() }
      try Self.requirePostgreSQL()
    }
    let history = HistorySettings(
      bounds, keepsRefusals: true, now: dependencies.now, writer: HistoryMembers())
    let shared = Self.count > 1 ? SharedParts() : nil
    start = { number in
      let clock = RetentionClock(retention: retention, now)
      guard let shared else {
        let journal = journal ?? storage.map { MemoryJournal(on: $0, clock: clock) }
        let store =
          try journal.map {
            try SessionStore(
              recovering: $0, catalog: catalog, remembering: history,
              by: $0 as? ScriptedJournal ?? WriterThread())
          } ?? SessionStore(catalog: catalog, remembering: history, now: now)
        return service(store, dependencies)
      }
      let agreement = JournalAgreement(
        nonce: dependencies.nonce, openings: (number - 1) * 1000, time: dependencies.now())
      let journal = try shared.journal(agreeing: agreement, by: clock, at: now())
      let store = try SessionStore(
        recovering: journal, catalog: catalog, remembering: history, now: now)
      var own = dependencies
      own.nonce += "-\(number)"
      own.runLater = own.runLater ?? shared.runLater()
      return service(store, own)
    }
    self.shared = shared
    running = Lock([])
    for _ in 0..<Self.count {
      let service = try startNext()
      running.withLock { $0.append(service) }
    }
  }

  private func startNext() throws -> Service {
    try start(starts.add(1, ordering: .relaxed).newValue)
  }

  /// Ends a service, and starts another one on its journal.
  func restart(_ index: Int) throws {
    settle()
    services[index].store.close()
    let service = try startNext()
    running.withLock { $0[index] = service }
  }

  deinit {
    guard let shared else { return }
    for service in services { service.store.close() }
    shared.schema.remove()
  }

  /// Leaves the test out if PostgreSQL is not there.
  private static func requirePostgreSQL() throws {
    if !PostgreSQLServer.isInstalled { try Test.cancel("\(PostgreSQLServer.isMissing)") }
  }

  private struct NotInOneProcess: Error, CustomStringConvertible {
    let description = "A test with a journal of its own has the trait 'inOneProcess'."
  }
}

// MARK: Requests

extension Replicas {
  /// The service that answers next. Every other one lets go of its sessions before.
  private var next: Service {
    let turn = turn.add(1, ordering: .relaxed).newValue
    let service = services[turn % services.count]
    if shared != nil, turn.isMultiple(of: 2) { service.store.unloadIdle(forMoreThan: -1) }
    return service
  }

  /// The response to a request.
  func respond(to request: Request) -> Response { next.respond(to: request) }

  /// The answer to a request, which may come later. A stream is read once it can have all that was answered before.
  func answer(to request: Request) -> EventualResponse {
    guard shared != nil else { return services[0].answer(to: request) }
    let response = Self.response(of: next.answer(to: request))
    guard let stream = response.stream else { return .response(response) }
    return .response(
      Response(status: response.status, headers: response.headers, stream: settled(stream)))
  }

  /// The answer to a request that may wait for others, as far as it is there.
  func ask(_ request: Request) -> EventualResponse {
    defer { settle() }
    return next.answer(to: request)
  }

  /// The response, which may come later.
  static func response(of answer: EventualResponse) -> Response {
    let found = Lock<Response?>(nil)
    let isThere = DispatchSemaphore(value: 0)
    answer.whenMade { response in
      found.withLock { $0 = response }
      isThere.signal()
    }
    _ = isThere.wait(timeout: .now() + 60)
    guard let response = found.withLock(\.self) else {
      Issue.record("The request was not answered for a minute.")
      return Response(status: .serviceUnavailable)
    }
    return response
  }

  private func settled(_ stream: ResponseStream) -> ResponseStream {
    let wake = Lock<@Sendable () -> Void>({})
    let settled = ResponseStream { [self] in
      settle()
      return stream.piece(orSuspend: {}, resume: { wake.withLock(\.self)() })
    } whenClosed: { [self] in
      stream.close()
      settle()
    }
    wake.withLock { $0 = { [weak settled] in settled?.wake() } }
    return settled
  }
}

// MARK: Looking and acting inside

extension Replicas {
  /// One of the services to look into, which has all that was answered before.
  var present: Service {
    settle()
    let service = services[turn.load(ordering: .relaxed) % services.count]
    #expect(service.store.refresh(service.store.names).wait() == .durable)
    return service
  }

  /// Changes the store of one of the services, durably.
  func commit(_ change: (SessionStore) throws -> Void) throws {
    _ = services[0].store.catchUp()
    try change(services[0].store)
  }

  /// Does something to all services, and waits for all that follows from it.
  func each(_ act: (Service) -> Void) {
    settle()
    for service in services { act(service) }
    settle()
  }

  /// The sum of a number of all services.
  func sum(_ number: (Service) -> Int) -> Int {
    settle()
    return services.reduce(0) { $0 + number($1) }
  }

  /// Waits until all services have everything, and nothing more happens by itself.
  func settle() {
    guard let shared else { return }
    var before: Int?
    while before != shared.activity {
      before = shared.activity
      for service in services {
        #expect(service.store.catchUp())
        service.store.settle()
      }
      shared.settle()
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// The test is about what one service remembers alone, as docs/replicas.md says.
  static var ofOneService: ConditionTrait {
    .enabled(
      if: Replicas.count == 1, "It is about what one of several services does not tell the others.")
  }
}
