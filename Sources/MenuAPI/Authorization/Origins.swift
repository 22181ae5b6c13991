import JSONText
import MicroHTTP

/// The origins of other web pages that may send requests and read answers (CORS).
package struct Origins: Sendable {
  /// The origins as browsers send them: `https://menus.example.org`. The default is none.
  package var origins: [String]

  package init(_ origins: [String] = []) { self.origins = origins }

  func contains(_ origin: String) -> Bool { origins.contains { $0.hasSameBytes(as: origin) } }

  /// Refuses a change by a foreign web page while no token is required: the browser would hide the answer from
  /// the page, but it would have sent the request.
  func checkChange(by request: Request) throws(Problem) {
    switch request.method {
    case .get, .head, .options, .trace, .query: return
    case .post, .put, .patch, .delete: try check(request)
    }
  }

  /// Refuses every request of a foreign web page, even if it changes nothing.
  func check(_ request: Request) throws(Problem) {
    guard let origin = request.headers["origin"], !contains(origin) else { return }
    let host = request.host ?? ""
    if ["http://", "https://"].contains(where: { ($0 + host).hasSameBytes(as: origin) }) { return }
    throw Problem(
      .originRefused,
      "Web pages of \(quoted(origin)) may change nothing here; when they should, add the origin to "
        + "'cors.origins' (MENUD_CORS_ORIGINS).")
  }

  /// Adds the fields that a browser needs to show a response to the requesting page, if the page may read it.
  func mark(_ response: inout Response, to request: Request) {
    guard mark(&response, for: request.headers), request.method == .options,
      request.headers["access-control-request-method"] != nil,
      let methods = response.headers["allow"]
    else { return }
    response.headers.append("Access-Control-Allow-Methods", methods)
    response.headers.append("Access-Control-Allow-Headers", Self.allowed)
    response.headers.append("Access-Control-Max-Age", "600")
  }

  /// Adds the fields for a request with those fields; returns true if the requesting page may read the response.
  @discardableResult
  func mark(_ response: inout Response, for headers: Headers) -> Bool {
    // A response that every page may read has this field already.
    guard !origins.isEmpty, !response.headers.has("access-control-allow-origin") else {
      return false
    }
    response.headers.append("Vary", "Origin")
    guard let origin = headers["origin"], contains(origin) else { return false }
    response.headers.append("Access-Control-Allow-Origin", origin)
    response.headers.append("Access-Control-Expose-Headers", Self.exposed)
    return true
  }

  /// The response fields that a page may read beside the safelisted ones.
  private static let exposed =
    "Accept-Patch, Allow, Date, ETag, Idempotent-Replayed, Location, Mcp-Session-Id, "
    + "Preference-Applied, Retry-After, WWW-Authenticate, X-Request-Id"
  /// The request fields that a page may send beside the safelisted ones.
  private static let allowed =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
    + "Mcp-Method, Mcp-Name, MCP-Protocol-Version, Mcp-Session-Id, Menud-Actor, "
    + "Menud-Session, Prefer, traceparent, tracestate, X-Request-Id"
}

/// The names that requests may use for this server, in `Host`.
///
/// A web page whose own name resolves to this machine (DNS rebinding) sends that name, and is refused. Numeric
/// addresses need no list: no name server can make a page's address one of ours. Ports are not compared, since
/// a container's port is published as another one.
package struct HostNames: Sendable {
  /// Further names; `*` admits every name. The default is none.
  package var names: [String]

  /// Creates the list of these names, beside `localhost` and numeric addresses.
  package init(_ names: [String] = []) { self.names = names }

  /// True if a request may have this value of `Host`. The value is read in place, since every request has one.
  func admit(_ field: Span<UInt8>) -> Bool {
    let name = field.extracting(0..<field.endOfHostName)
    if name.isEqualIgnoringCase(to: "localhost".utf8.span) || name.isNumericAddress { return true }
    return names.contains {
      $0.hasSameBytes(as: "*") || name.isEqualIgnoringCase(to: $0.utf8.span)
    }
  }

  /// Refuses a request with another name of this server; a request without `Host` does not come from a browser.
  func check(_ request: Request) throws(Problem) {
    if let authority = request.authority {
      if admit(authority.utf8.span) { return }
    } else if request.headers.satisfies("host", admit) != false {
      return
    }
    let host = request.host ?? ""
    let field = host.utf8.span
    let name = String(copying: field.extracting(0..<field.endOfHostName)).lowercased()
    throw Problem(
      .misdirectedRequest,
      "This server is not called \(quoted(name)); when it should be, add the name to "
        + "'server.allowedHosts' (MENUD_SERVER_ALLOWED_HOSTS).")
  }
}

extension Span<UInt8> {
  /// The end of the name in a `Host`: before its port, and before a trailing dot.
  fileprivate var endOfHostName: Int {
    var end = count
    while end > 0, self[end - 1].isDigit { end -= 1 }
    end = end > 0 && self[end - 1] == UInt8(ascii: ":") ? end - 1 : count
    return end > 0 && self[end - 1] == UInt8(ascii: ".") ? end - 1 : end
  }

  /// True if the text is an IPv4 address, or an IPv6 address in brackets.
  fileprivate var isNumericAddress: Bool {
    guard count > 0, self[0] == UInt8(ascii: "[") else { return isIPv4Address }
    return count > 3 && self[count - 1] == UInt8(ascii: "]")
      && extracting(1..<count - 1).allSatisfy {
        $0.isDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
          || (0x61...0x66).contains($0 | 0x20)
      }
  }

  /// True if the text is four numbers up to 255, separated by dots.
  private var isIPv4Address: Bool {
    var (numbers, start) = (0, 0)
    while start <= count {
      let end = firstIndex(of: UInt8(ascii: "."), from: start)
      guard numbers < 4, (1...3).contains(end - start) else { return false }
      var number = 0
      for index in start..<end {
        guard self[index].isDigit else { return false }
        number = number * 10 + Int(self[index] - UInt8(ascii: "0"))
      }
      guard number <= 255 else { return false }
      (numbers, start) = (numbers + 1, end + 1)
    }
    return numbers == 4
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
