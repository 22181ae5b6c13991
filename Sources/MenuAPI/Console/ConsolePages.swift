import JSONText
import MicroHTTP

/// The console (`Sources/CEmbeddedFiles/Console`), as browsers load it.
///
/// It is the same for every user and contains no session's data: a page sends requests to the routes, with
/// the token that its user enters.
package struct ConsolePages: Sendable {
  /// The default path of the console.
  package static let defaultPath = "/console"

  private let path: [String]
  private let pages: EmbeddedFolder

  /// Creates the pages at a path of one or more segments.
  package init(path: String) {
    self.path = path.split(separator: "/").map(String.init)
    let root = String(repeating: "../", count: self.path.count)
    pages = EmbeddedFolder("Console/", fields: Self.fields) { $0.placing(root: root) }
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
    return isPlain && !segments[0].elementsEqual(ClientFiles.segment.utf8)
      && !Service.routes.contains { route in
        route.path.text.utf8.dropFirst().split(separator: UInt8(ascii: "/")).first.map {
          $0.elementsEqual(segments[0])
        } ?? false
      }
  }

  private static let index = "index.html"

  /// The fields let a page load from this server only, run no inline script, and appear in no frame of another
  /// page.
  private static let fields: Headers = [
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
      + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
      + "require-trusted-types-for 'script'; trusted-types 'none'",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
  ]
}

extension ConsolePages {
  /// Returns the page that a request names; nil if it names something else.
  ///
  /// - Throws: `Problem` 404 for an unknown file, 405 for a method other than GET.
  func answer(to request: Request) throws(Problem) -> Response? {
    let isPage = request.segments.starts(with: path) { $0.hasSameBytes(as: $1) }
    guard isPage || request.segments.isEmpty else { return nil }
    if let answer = try EmbeddedFolder.answerIfNotGet(request) { return answer }
    let rest = request.segments.dropFirst(isPage ? path.count : 0)
    // Relative, so that a proxy can serve menud below a path of its own.
    if request.segments.isEmpty { return redirection(to: path.joined(separator: "/") + "/") }
    guard let name = rest.first else { return redirection(to: (path.last ?? "") + "/") }
    guard rest.count == 1,
      let page = try pages.answer(to: request, named: name.utf8.isEmpty ? Self.index : name)
    else {
      throw Problem(.unknownPath, "There is nothing at \(quoted(request.path)).")
    }
    return page
  }

  private func redirection(to location: String) -> Response {
    Response(status: .found, headers: ["Location": location, "Cache-Control": "no-cache"])
  }
}

extension String {
  /// Returns the text of a file with the path to the routes, and to the client's files, in place of `../`.
  fileprivate func placing(root: String) -> String {
    var text = self
    for (before, after) in [("data-root=\"", "\""), ("'", "client/"), ("\"", "client/")] {
      text = text.replacing(before + "../" + after, with: before + root + after)
    }
    return text
  }
}
