package import CEL
import JSONText
package import MenuEngine
package import MenuStore
package import MicroHTTP
import Synchronization

/// The service: a function from requests to responses.
package final class Service: Sendable {
  /// What the service is given from outside, so that it reads no clock and rolls no dice.
  package struct Surroundings: Sendable {
    /// The time in milliseconds since 1970-01-01T00:00:00Z.
    package var now: @Sendable () -> Int64
    /// A name for a session that is opened without one, different each time.
    package var newSessionID: @Sendable () -> SessionID
    /// A word that differs from one run of the program to the next, for entity tags.
    package var nonce: String

    /// These surroundings.
    package init(
      now: @escaping @Sendable () -> Int64, newSessionID: @escaping @Sendable () -> SessionID,
      nonce: String
    ) {
      self.now = now
      self.newSessionID = newSessionID
      self.nonce = nonce
    }
  }

  /// The sessions and the catalogue.
  package let store: SessionStore
  let surroundings: Surroundings
  /// The bounds of the rules that clients register.
  let ruleLimits: CEL.Limits
  let validations = AnswerCache()
  let plans = SessionPlans()
  private let draining = Atomic(false)

  /// A service that is ready.
  package init(
    store: SessionStore, _ surroundings: Surroundings, ruleLimits: CEL.Limits = CEL.Limits()
  ) {
    self.store = store
    self.ruleLimits = ruleLimits
    self.surroundings = surroundings
  }

  /// The OpenAPI document.
  static let document = OpenAPIDocument(routes).bytes
  private static let router = Router(routes)

  var nonce: String { surroundings.nonce }

  /// Whether the service is about to stop; then it is not ready, but still answers.
  package var isDraining: Bool {
    get { draining.load(ordering: .relaxed) }
    set { draining.store(newValue, ordering: .relaxed) }
  }

  /// The answer to a request.
  package func respond(to request: Request) -> Response {
    do throws(Problem) { return try answer(request) } catch { return error.response }
  }

  /// The answer to a message that is no request.
  package func respond(to refusal: MicroHTTP.Refusal) -> Response { Problem(refusal).response }

  private func answer(_ request: Request) throws(Problem) -> Response {
    switch Self.router.match(request.method, request.segments) {
    case .route(let route, let parameters):
      try check(request.query, route.operation)
      return try route.respond(Call(service: self, request: request, parameters: parameters))
    case .otherMethods(let methods):
      let allowed = list(of: methods)
      if request.method == .options {
        return Response(status: .noContent, headers: ["Allow": allowed])
      }
      throw Problem(
        .methodNotAllowed, "\(request.method.rawValue) is not among the methods here: \(allowed)."
      ).with(header: "Allow", allowed)
    case .nothing:
      throw Problem(
        .unknownPath,
        "There is nothing at \(quoted(request.path)); GET /openapi.json lists what there is.")
    }
  }

  private func list(of methods: [Method]) -> String {
    Method.allCases.filter { methods.contains($0) || $0 == .options }.map(\.rawValue)
      .joined(separator: ", ")
  }

  /// Refuses names in a query that the route does not read, and those that come twice.
  private func check(_ query: Query, _ operation: Operation) throws(Problem) {
    var met: [String] = []
    for item in query.items {
      guard let known = operation.query.first(where: { $0.name.hasSameBytes(as: item.name) }) else {
        let known = operation.query.map { quoted($0.name) }
        throw Problem(
          .invalidQuery,
          "There is no \(quoted(item.name)) in the query here; "
            + (known.isEmpty ? "nothing is read from it." : "known are \(MenuAPI.list(known))."))
      }
      guard !met.contains(known.name) else {
        throw Problem(.invalidQuery, "\(quoted(known.name)) is there twice in the query.")
      }
      met.append(known.name)
    }
  }
}
