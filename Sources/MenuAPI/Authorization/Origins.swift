import JSONText
import MicroHTTP

/// The web pages of other servers that may ask this one and read its answers (CORS).
package struct Origins: Sendable {
  /// Their origins as browsers send them: `https://menus.example.org`. The default is none.
  package var origins: [String]

  /// These origins.
  package init(_ origins: [String] = []) { self.origins = origins }

  /// True if a page of that origin is among them.
  func contains(_ origin: String) -> Bool { origins.contains { $0.hasSameBytes(as: origin) } }

  /// Refuses what a web page of elsewhere would change while no token is asked for: the browser does
  /// not show it the answer, but would have sent the request.
  func checkChange(by request: Request) throws(Problem) {
    switch request.method {
    case .get, .head, .options, .trace, .query: return
    case .post, .put, .patch, .delete: try check(request)
    }
  }

  /// Refuses what a web page of elsewhere sends, whether it changes anything or not.
  func check(_ request: Request) throws(Problem) {
    guard let origin = request.headers["origin"], !contains(origin) else { return }
    let host = request.host ?? ""
    if ["http://", "https://"].contains(where: { ($0 + host).hasSameBytes(as: origin) }) { return }
    throw Problem(
      .originRefused,
      "Web pages of \(quoted(origin)) may change nothing here; when they should, add the origin to "
        + "'cors.origins' (MENUD_CORS_ORIGINS).")
  }

  /// Adds to a response what the browser needs to show it to the page that asked, if that may see it.
  func mark(_ response: inout Response, to request: Request) {
    guard !origins.isEmpty else { return }
    response.headers.append("Vary", "Origin")
    guard let origin = request.headers["origin"], contains(origin) else { return }
    response.headers.append("Access-Control-Allow-Origin", origin)
    response.headers.append("Access-Control-Expose-Headers", Self.exposed)
    guard request.method == .options,
      request.headers["access-control-request-method"] != nil,
      let methods = response.headers["allow"]
    else { return }
    response.headers.append("Access-Control-Allow-Methods", methods)
    response.headers.append("Access-Control-Allow-Headers", Self.allowed)
    response.headers.append("Access-Control-Max-Age", "600")
  }

  /// The fields of a response that a page may read beside those that it always may.
  private static let exposed =
    "Accept-Patch, Allow, ETag, Idempotent-Replayed, Location, Mcp-Session-Id, Preference-Applied, "
    + "Retry-After, WWW-Authenticate, X-Request-Id"
  /// The fields that a page may send beside those that it always may.
  private static let allowed =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    + "Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id, Prefer, traceparent, tracestate, "
    + "X-Request-Id"
}
