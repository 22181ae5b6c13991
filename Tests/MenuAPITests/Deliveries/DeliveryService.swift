import Glibc
import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// A service with a session `desk`, whose clerk delivers what is copied, and a clock that tests set.
struct DeliveryService {
  let replicas: Replicas
  private let clock = Clock()

  init(limits: ServiceLimits = ServiceLimits()) throws {
    let catalog = try SampleCatalog.catalog()
    let clock = clock
    var dependencies = Service.Dependencies(
      now: { 1_795_250_000_000 + Int64(clock.nanoseconds.withLock(\.self) / 1_000_000) },
      newSessionID: { "new" }, newToken: { "token" }, nonce: "run")
    dependencies.nanoseconds = { clock.nanoseconds.withLock(\.self) }
    replicas = try Replicas(over: catalog, dependencies) { Service(store: $0, $1, limits: limits) }
    try openDesk()
  }

  private func openDesk() throws {
    let clerk = #"""
      {"id":"desk","template":false,"firstResponder":"clerk","responders":{"clerk":{"kind":"view",\#
      "handlers":{"copy:":{"validate":{"subtitle":"string(size(command.deliveries))"},\#
      "perform":[{"op":"deliver","value":"'paper'"}]},"paste:":{"perform":[{"op":"deliver"},\#
      {"op":"deliver"}]}}}}}
      """#
    let response = try send(.post, "/sessions", clerk)
    try #require(response.status == .created, "\(response.text)")
  }

  /// The number of requests that wait.
  var waitingCount: Int { replicas.sum { $0.waitingRequests.count } }

  /// Lets so many milliseconds pass.
  func wait(_ milliseconds: Int, tending tends: Bool = true) {
    clock.nanoseconds.withLock { $0 += milliseconds * 1_000_000 }
    if tends { replicas.each { #expect($0.tendDeliveries() == nil) } }
  }

  /// Lets every replica learn which sessions have deliveries.
  func learn() {
    replicas.settle()
    let names = Set(replicas.services.flatMap(\.store.delivering))
    replicas.each { service in
      for _ in 1...500 where !names.isSubset(of: service.store.delivering) { usleep(10_000) }
    }
  }

  func request(
    _ method: MicroHTTP.Method, _ target: String, _ body: String? = nil, prefer: String? = nil,
    key: String? = nil
  ) throws -> Request {
    var fields = Headers()
    if body != nil { fields.append("Content-Type", "application/json") }
    if let prefer { fields.append("Prefer", prefer) }
    if let key { fields.append("Idempotency-Key", key) }
    return try Request(method, target, headers: fields, body: Array((body ?? "").utf8))
  }

  /// The response at once.
  func send(
    _ method: MicroHTTP.Method, _ target: String, _ body: String? = nil, key: String? = nil
  ) throws -> Response {
    let response = replicas.respond(to: try request(method, target, body, key: key))
    replicas.each { $0.waitingRequests.tick() }
    return response
  }

  /// Sends a request that may wait.
  func ask(
    _ method: MicroHTTP.Method, _ target: String, _ body: String? = nil,
    prefer: String? = "wait=10", key: String? = nil
  ) throws -> PendingAnswer {
    let pending = PendingAnswer()
    replicas.ask(try request(method, target, body, prefer: prefer, key: key))
      .whenMade { response in pending.response.withLock { $0 = response } }
    replicas.each { $0.waitingRequests.tick() }
    return pending
  }

  /// Performs a command in the session.
  @discardableResult
  func perform(_ command: String = "copy:") throws -> Response {
    let response = try send(.post, "/commands/perform", Self.performing(command))
    #expect(response.status == .ok, "\(response.text)")
    return response
  }

  static func performing(_ command: String = "copy:") -> String {
    #"{"session":"desk","command":"\#(command)"}"#
  }

  /// Changes a delivery.
  @discardableResult
  func change(_ word: String, _ id: Int = 1, _ body: String? = nil) throws -> Response {
    try send(.post, "/sessions/desk/deliveries/\(id)/\(word)", body)
  }

  /// The states of all deliveries.
  func states() throws -> [String] {
    guard case .array(let all)? = try send(.get, "/sessions/desk/deliveries").value("/deliveries")
    else { return [] }
    return all.map { $0[JSONPointer(["state"])]?.text() ?? "" }
  }

  /// Expects that a request is refused with this status, kind, reason and detail.
  func refuses(
    _ response: Response, with problem: String, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let reason = try response.value("/reason").map { " \($0.text())" } ?? ""
    let found = "\(response.status.rawValue) \(try response.problem)\(reason)"
    #expect(found == problem, sourceLocation: location)
  }
}

/// A clock that stands still unless it is set.
private final class Clock: Sendable {
  let nanoseconds = Lock(0)
}

/// A response that may come later.
final class PendingAnswer: Sendable {
  let response = Lock<Response?>(nil)

  /// The status; nil as long as there is no response.
  var status: Int? { response.withLock { $0?.status.rawValue } }

  func value(_ pointer: String) throws -> JSON? { try response.withLock(\.self)?.value(pointer) }

  subscript(field: String) -> String? { response.withLock { $0?.headers[field] } }
}
