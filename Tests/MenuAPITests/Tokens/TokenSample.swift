import JSONText
import MenuEngine
import MenuStore
import MicroHTTP
import StoreSupport
import Synchronization
import Testing

@testable import MenuAPI

/// A service that asks for tokens, with a session `own` beside `demo`, and a clock that tests set.
struct TokenSample {
  typealias Fields = [(String, String)]

  let sample: SampleService
  /// The fields with the first token of `own`.
  let own: Fields
  private let clock: Clock

  private final class Clock: Sendable {
    let seconds = Atomic(1)
  }

  /// A token that another one made.
  struct Made {
    let number: Int
    let text: String
    var fields: Fields { SampleService.bearer(text) }
  }

  /// - Parameters:
  ///   - storage: The storage of the journal of a service that restarts.
  ///   - retention: The seconds for which the journal keeps answers.
  init(
    journal: (any Journal)? = nil, storage: MemoryJournal.Storage? = nil, retention: Int = 86_400
  ) throws {
    let clock = Clock()
    sample = try SampleService(
      authorization: .closed, journal: journal, storage: storage, retention: retention,
      now: { 1_795_250_000_123 + Int64(clock.seconds.load(ordering: .relaxed) - 1) * 1000 },
      nanoseconds: { clock.seconds.load(ordering: .relaxed) * 1_000_000_000 })
    // The clock begins with its first use.
    sample.replicas.each { _ = $0.steadyTime }
    own = sample.service.store.session("own") == nil ? try sample.openWithToken("own") : []
    self.clock = clock
  }

  /// Lets some seconds pass.
  func pass(_ seconds: Int) {
    clock.seconds.add(seconds, ordering: .relaxed)
    sample.replicas.each { $0.tickEvents() }
  }

  /// Restarts one of the services.
  func restart(_ index: Int) throws {
    try sample.replicas.restart(index)
    _ = sample.replicas.services[index].steadyTime
  }

  /// The moment so many seconds after the beginning, as a client writes it.
  func moment(_ seconds: Int) -> String {
    InternetTimestamp(milliseconds: 1_795_250_000_123 + Int64(seconds) * 1000).text
  }

  /// Asks for a token, by default of `own` with its first token.
  func ask(
    _ rights: [Right]? = nil, kind: String = "service", label: String = "x", more: String = "",
    of session: String = "own", by fields: Fields? = nil, query: String = ""
  ) throws -> Response {
    let listed = rights.map {
      #","rights":[\#($0.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]"#
    }
    return try sample.send(
      .post, "/sessions/\(session)/tokens\(query)",
      #"{"kind":"\#(kind)","label":"\#(label)"\#(listed ?? "")\#(more)}"#, headers: fields ?? own)
  }

  /// Makes a token, by default of `own` with its first token.
  func make(
    _ rights: [Right]? = nil, kind: String? = nil, label: String = "x", more: String = "",
    of session: String = "own", by fields: Fields? = nil
  ) throws -> Made {
    // An agent needs consent besides its rights.
    let response = try ask(
      rights, kind: kind ?? (rights == nil ? "agent" : "person"), label: label, more: more,
      of: session, by: fields)
    try #require(response.status == .created, "\(response.text)")
    return try Self.made(response)
  }

  static func made(_ response: Response) throws -> Made {
    guard case .int(let number)? = try response.value("/number"),
      case .string(let text)? = try response.value("/token")
    else { throw NoToken() }
    return Made(number: Int(number), text: text)
  }

  private struct NoToken: Error {}

  /// The target of a route with its places filled in.
  static func target(_ route: Route, session: String = "own") -> String {
    let segments = route.path.segments.map { segment in
      switch segment {
      case .literal(let text): text
      case .parameter("session"): session
      case .parameter(let name): SampleService.exampleOfPathParameter(name) ?? name
      }
    }
    return "/" + segments.joined(separator: "/")
  }

  /// Sends the example of a route, about a session.
  func send(
    _ route: Route, session: String = "own", as fields: Fields
  ) throws -> Response {
    let content = route.body?.contents.first
    let query =
      switch route.path.text {
      case "/keys/conflicts": "?session=\(session)"
      case "/events": "?sessions=\(session)"
      default: ""
      }
    return try sample.send(
      route.method, Self.target(route, session: session) + query,
      content?.example.replacing(#""demo""#, with: "\"\(session)\""),
      type: content?.type ?? "application/json", headers: fields)
  }
}
