import CEL
import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// A service over the sample, with a session `demo` and a clock that stands still. Several services may stand for it
/// (`Replicas`).
struct SampleService {
  let replicas: Replicas

  /// The service to look into, which has all that was answered before.
  var service: Service { replicas.present }

  init(
    nonce: String = "run1", version: String = "", ruleLimits: ProgramLimits = ProgramLimits(),
    limits: ServiceLimits = ServiceLimits(),
    authorization: Authorization = Authorization(), journal: (any Journal)? = nil,
    storage: MemoryJournal.Storage? = nil, retention: Int = 86_400,
    now: @escaping @Sendable () -> Int64 = { 1_795_250_000_123 },
    nanoseconds: @escaping @Sendable () -> Int = { 0 },
    runLater: Worker.Runner? = nil,
    namesRequests: Bool = true, application: String = "", console: ConsolePages? = nil,
    readsRecent: Bool = false
  ) throws {
    let catalog = try SampleCatalog.catalog()
    let names = Names()
    var dependencies = Service.Dependencies(
      now: now, newSessionID: { names.next() },
      newToken: { names.nextToken() }, nonce: nonce)
    dependencies.nanoseconds = nanoseconds
    dependencies.runLater = runLater
    dependencies.namesRequests = namesRequests
    dependencies.application = application
    dependencies.version = version
    replicas = try Replicas(
      over: catalog, journal: journal, storage: storage, retention: retention, now: now,
      dependencies
    ) {
      Service(
        store: $0, $1, ruleLimits: ruleLimits, limits: limits, authorization: authorization,
        console: console, readsRecent: readsRecent)
    }
    guard var template = catalog.template else { return }
    template.planKey = .random
    try replicas.commit { [template] store in
      guard store.session("demo") == nil else { return }
      let session = try Session("demo", opening: template, in: catalog)
      let opening = try store.submit(
        .open(session, as: store.newOpening(), under: store.catalogEdition))
      if !(journal is ScriptedJournal) { _ = opening.wait() }
    }
  }

  /// Opens a session `phone` in which nothing was launched yet.
  func openPhone() throws {
    try open("phone")
  }

  private func open(_ id: SessionID) throws {
    try replicas.commit { store in
      try store.open(Session(id, opening: SessionTemplate(), in: store.catalog))
    }
  }

  /// Opens a session `desk` with six deliveries; the fourth and the fifth are claimed.
  func openDesk() throws {
    try open("desk")
    let clerk =
      #"{"op":"putResponder","responder":"clerk","value":{"kind":"view","handlers":{"copy:":"#
      + #"{"perform":[{"op":"deliver","value":"'paper'"}]}}}}"#
    let copy = #"{"op":"perform","command":"copy:","from":"clerk"}"#
    let claims = [4, 5].map {
      #"{"op":"claimDelivery","delivery":\#($0),"by":"ada","until":1795250060123}"#
    }
    let list = ([clerk] + Array(repeating: copy, count: 6) + claims).joined(separator: ",")
    let response = try send(.post, "/sessions/desk/mutations", #"{"mutations":[\#(list)]}"#)
    try #require(response.status == .ok, "\(response.text)")
  }

  /// The example of a name in a path, unless a route has one of its own.
  static func exampleOfPathParameter(_ name: String) -> String? {
    guard case .string(let example)? = pathParameters.object(name)["example"] else { return nil }
    return example
  }

  private static let pathParameters = OpenAPIFiles().pathParameters

  /// The response to a request; a body comes with `application/json` unless told otherwise.
  func send(
    _ method: MicroHTTP.Method, _ target: String, _ body: String? = nil,
    type: String? = "application/json", headers: [(String, String)] = []
  ) throws -> Response {
    var fields = Headers()
    if body != nil, let type { fields.append("Content-Type", type) }
    for (name, value) in headers { fields.append(name, value) }
    let request = try Request(method, target, headers: fields, body: Array((body ?? "").utf8))
    return replicas.respond(to: request)
  }

  /// Expects that a request is refused with this status, kind, pointer and detail, each a line, and
  /// that it changes nothing.
  func refuses(
    _ method: MicroHTTP.Method, _ target: String, _ body: String? = nil,
    type: String? = "application/json", headers: [(String, String)] = [], with problem: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try everything
    let response = try send(method, target, body, type: type, headers: headers)
    let found = "\(response.status.rawValue) \(try response.problem)"
    #expect(found == problem, sourceLocation: location)
    #expect(response.headers["content-type"] == "application/problem+json")
    #expect(try response.value("/status") == .int(Int64(response.status.rawValue)))
    #expect(try everything == before, sourceLocation: location)
  }

  /// All that requests can change.
  private var everything: [String] {
    get throws {
      try ["/commands", "/menus", "/sessions/demo"].map { try send(.get, $0).text }
        + service.store.sessionIDs.map(\.rawValue)
    }
  }

  /// Names that are given one after the other, each once.
  private final class Names: Sendable {
    private static let first: [SessionID] = [
      "first", "second", "third", "fourth", "fifth", "sixth",
    ]
    private let count = Lock(0)

    private let tokenCount = Lock(0)

    func next() -> SessionID {
      let index = count.withLock { count in
        count += 1
        return count - 1
      }
      if index < Self.first.count { return Self.first[index] }
      return SessionID("another-\(index)") ?? "another"
    }

    /// A token that no other call returns.
    func nextToken() -> String {
      let count = tokenCount.withLock { count in
        count += 1
        return count
      }
      return "token-of-\(next())" + (count > 6 ? "-\(count)" : "")
    }
  }
}

extension Response {
  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON.
  var json: JSON {
    get throws { try JSON(parsing: body) }
  }

  /// The value at a place of the body.
  func value(_ pointer: String) throws -> JSON? { try json[JSONPointer(parsing: pointer)] }

  /// The changes at a place that say what happened, without the edits of the session's document.
  func told(_ pointer: String = "/changes") throws -> JSON? {
    guard case .array(let changes)? = try value(pointer) else { return nil }
    return .array(
      changes.compactMap { change in
        guard case .object(var members) = change, members["change"] != "state" else {
          return change
        }
        if members["change"] == "document" { return nil }
        if members["op"] == nil { return change }
        for name in ["op", "path", "from", "value", "position"] { members[name] = nil }
        return .object(members)
      })
  }

  /// The problem's kind, pointer and detail, one a line; what is absent is left out.
  var problem: String {
    get throws {
      let json = try json
      let members = ["/type", "/pointer", "/detail"]
      return try members.compactMap { name in
        guard case .string(let text)? = json[try JSONPointer(parsing: name)] else { return nil }
        return text
      }.joined(separator: "\n")
    }
  }
}

extension Service {
  /// A session as it is now, with the catalogue; nil if it is not open.
  func snapshot(_ id: SessionID) -> Snapshot? { store.snapshot(id) }
}

extension SessionStore {
  /// A session as it is now, with the catalogue; nil if it is not open.
  func snapshot(_ id: SessionID) -> Snapshot? {
    let look = read(id)
    return look.session.map { Snapshot(sessionEdition: $0, catalogEdition: look.catalog) }
  }
}
