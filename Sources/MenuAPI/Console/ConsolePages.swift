import JSONText
import MicroHTTP

/// The console and its client module (`Sources/CEmbeddedFiles/Console`), as browsers load them.
///
/// They are the same for every user and contain no session's data: a page sends requests to the routes, with
/// the token that its user enters.
package struct ConsolePages: Sendable {
  /// The default path of the console.
  package static let defaultPath = "/console"

  private let path: [String]
  private let pages: [String: Page]

  /// A file, with its response fields.
  fileprivate struct Page: Sendable {
    let headers: Headers
    let tag: String
    let body: [UInt8]
  }

  /// Creates the pages at a path of one or more segments.
  package init(path: String) {
    self.path = path.split(separator: "/").map(String.init)
    let root = String(repeating: "../", count: self.path.count)
    var pages: [String: Page] = [:]
    for file in EmbeddedFile.all where file.path.hasPrefix(Self.folder) {
      let name = String(file.path.dropFirst(Self.folder.count))
      guard let type = Self.type(of: name) else { continue }
      // The path from the page to the routes.
      let body = Array((name == Self.index ? file.text.placing(root: root) : file.text).utf8)
      pages[name] = Page(body, type: type)
    }
    self.pages = pages
  }

  /// True if the console can be served there: segments of letters, digits, `-` and `_`, the first of which
  /// begins no route.
  package static func canBeServed(at path: String) -> Bool {
    guard path.utf8.first == UInt8(ascii: "/") else { return false }
    let segments = path.utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isPlain = segments.allSatisfy { segment in
      !segment.isEmpty
        && segment.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
    return isPlain
      && !Service.routes.contains { route in
        route.path.text.utf8.dropFirst().split(separator: UInt8(ascii: "/")).first.map {
          $0.elementsEqual(segments[0])
        } ?? false
      }
  }

  private static let folder = "Console/"
  private static let index = "index.html"

  /// The content type of a file; nil for a file that is not served.
  private static func type(of name: String) -> String? {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "ts": "text/plain; charset=utf-8"
    default: nil
    }
  }
}

extension ConsolePages {
  /// Returns the page that a request names; nil if it names something else.
  ///
  /// - Throws: `Problem` 404 for an unknown file, 405 for a method other than GET.
  func answer(to request: Request) throws(Problem) -> Response? {
    let isPage = request.segments.starts(with: path) { $0.hasSameBytes(as: $1) }
    guard isPage || request.segments.isEmpty else { return nil }
    guard request.method == .get || request.method == .head else {
      if request.method == .options {
        return Response(status: .noContent, headers: ["Allow": Self.methods])
      }
      throw Problem(
        .methodNotAllowed,
        "\(request.method.rawValue) is not among the methods here: \(Self.methods)."
      ).with(header: "Allow", Self.methods)
    }
    let rest = request.segments.dropFirst(isPage ? path.count : 0)
    // Relative, so that a proxy can serve menud below a path of its own.
    if request.segments.isEmpty { return redirection(to: path.joined(separator: "/") + "/") }
    guard let name = rest.first else { return redirection(to: (path.last ?? "") + "/") }
    guard rest.count == 1, let page = pages[name.utf8.isEmpty ? Self.index : name] else {
      throw Problem(.unknownPath, "There is nothing at \(quoted(request.path)).")
    }
    if request.headers.values(of: "if-none-match").contains(where: { $0.hasSameBytes(as: page.tag) }
    ) {
      return Response(status: .notModified, headers: page.headers)
    }
    return Response(headers: page.headers, body: page.body)
  }

  private static let methods = "GET, HEAD, OPTIONS"

  private func redirection(to location: String) -> Response {
    Response(status: .found, headers: ["Location": location, "Cache-Control": "no-cache"])
  }
}

extension ConsolePages.Page {
  /// Creates a page. Its fields allow it to load from this server only, run no inline script, and appear in no
  /// frame of another page.
  fileprivate init(_ body: [UInt8], type: String) {
    self.body = body
    let digest = SHA256.digest(of: body).prefix(12)
    tag =
      "\"" + digest.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
      + "\""
    headers = [
      "Content-Type": type,
      "ETag": tag,
      "Cache-Control": "no-cache",
      "Content-Security-Policy": Self.policy,
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
    ]
  }

  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    + "require-trusted-types-for 'script'; trusted-types 'none'"
}

extension String {
  /// Returns the page with the path to the routes in place of its mark.
  fileprivate func placing(root: String) -> String {
    let mark = "data-root=\"../\""
    guard let place = firstRange(of: mark) else { return self }
    return self[..<place.lowerBound] + "data-root=\"\(root)\"" + self[place.upperBound...]
  }
}
