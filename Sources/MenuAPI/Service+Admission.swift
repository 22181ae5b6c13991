import MenuEngine
import MenuStore
package import MicroHTTP

// The checks of a request before its body is read.

extension Service {
  /// Returns the refusal of a request with a large body on the basis of its head; nil if the body may be sent.
  package func refusal(byHeadOf request: Request) -> Response? {
    let start = dependencies.nanoseconds()
    let waiting = Waiting(since: start)
    do throws(Problem) {
      try checkHead(of: request, waiting)
      return nil
    } catch {
      let response = finished(error.response, to: request)
      let place = metrics.place(of: request.method, onRoute: waiting.route)
      metrics.noteAnswer(response.status, at: place, in: dependencies.nanoseconds() &- start)
      return response
    }
  }

  /// Refuses a request that would be refused regardless of its body.
  private func checkHead(of request: Request, _ waiting: Waiting) throws(Problem) {
    try authorization.hosts.check(request)
    guard let (route, parameters) = try self.route(of: request, waiting) else { return }
    let store = try store(for: route, waiting)
    let access: Access
    do throws(Problem) {
      access = try self.access(of: request, on: route, in: store)
    } catch {
      // The token may be that of a session of which only the journal knows, or knows that it was closed.
      let isUncertain = store?.store.isShared == true
      if isUncertain, (try? Authorization.token(of: request)) != nil { return }
      // The request may be a retry of the one that closed the session of its token.
      if request.headers.has("idempotency-key"), error.type == .unauthorized { return }
      throw error
    }
    if !asksForTokens { try authorization.origins.checkChange(by: request) }
    if let store { try checkDebt(of: payer(of: request, parameters, access, in: store), waiting) }
  }

  /// Returns the route of a request and its parameters; nil if the answer needs no route.
  ///
  /// - Throws: `Problem` 404 if no route has the path, 405 if none has the method.
  func route(
    of request: Request, _ waiting: Waiting
  ) throws(Problem) -> (Route, parameters: [String])? {
    switch Self.router.match(request.method, request.segments) {
    case .route(let index, let parameters):
      waiting.route = index
      return (Self.router.routes[index], parameters)
    case .otherMethods(let methods):
      if request.method == .options { return nil }
      let allowed = list(of: methods)
      throw Problem(
        .methodNotAllowed, "\(request.method.rawValue) is not among the methods here: \(allowed)."
      ).with(header: "Allow", allowed)
    case .nothing:
      throw Problem(
        .unknownPath,
        "There is nothing at \(quoted(request.path)); GET /openapi.json lists what there is.")
    }
  }

  /// Returns the answer to OPTIONS: the methods of a path, or of the whole server.
  func options(of request: Request) -> Response {
    var methods = Method.allCases.filter { $0 != .trace && $0 != .query }
    if !request.isAboutServer,
      case .otherMethods(let known) = Self.router.match(request.method, request.segments)
    {
      methods = known
    }
    return Response(status: .noContent, headers: ["Allow": list(of: methods)])
  }

  private func list(of methods: [Method]) -> String {
    Method.allCases.filter { methods.contains($0) || $0 == .options }.map(\.rawValue)
      .joined(separator: ", ")
  }
}

// MARK: Debts

extension Service {
  /// Charges the client for a request with a large body or one that opens a session, unless its debt is too large. A
  /// request with a large body is postponed to the thread of long requests before its body is read.
  func admit(
    _ request: Request, on route: Route, with parameters: [String], as access: Access,
    in store: RequestStore, _ waiting: Waiting
  ) throws(Problem) {
    let isLarge = route.isLarge(request)
    guard isLarge || route.opensSessions else { return }
    let payer = payer(of: request, parameters, access, in: store)
    try checkDebt(of: payer, waiting)
    if case .possible = waiting.postponement,
      isLarge || budget.expectsLongRequests(of: payer, at: waiting.start)
    {
      waiting.postponement = .ahead(payer)
      throw .overBudget(after: 1)
    }
    waiting.payer = payer
  }

  private func checkDebt(of payer: Payer, _ waiting: Waiting) throws(Problem) {
    // The writer answers requests that were admitted before.
    guard waiting.draft == nil else { return }
    if let wait = budget.wait(of: payer, at: waiting.start) {
      throw .overBudget(after: wait, ofClient: payer.isClient)
    }
  }

  /// Returns the session in the path if the request may access it; otherwise the client.
  private func payer(
    of request: Request, _ parameters: [String], _ access: Access, in store: RequestStore
  ) -> Payer {
    if let name = parameters.first, let id = SessionID(name),
      let session = store.store.read(id).session, access.opens(session.opening)
    {
      return .session(id)
    }
    return access.client(of: request)
  }
}

extension Access {
  /// Returns the account of the client that sent a request.
  func client(of request: Request) -> Payer {
    switch self {
    case .administrator(let token): .administrator(token)
    case .session(_, let opening, _): .incarnation(opening.number)
    case .worker(let token, _): .administrator(token)
    case .everything, .tickets, .nothing: .address(request.remoteAddress)
    }
  }
}

extension Route {
  /// True if reading the body of a request would delay other requests: the rules in changes are compiled, including
  /// those in hypothetical changes (M13). Any other query is only parsed.
  fileprivate func isLarge(_ request: Request) -> Bool {
    guard request.body.count > 16 << 10 else { return false }
    return !isQuestion || request.body.count > 256 << 10
      || request.body.place(of: Self.assuming) != nil
      // A name can be written with escapes.
      || request.body.contains(UInt8(ascii: "\\"))
  }

  private static let assuming = Array("assuming".utf8)
}
