import JSONText
import MicroHTTP

/// The files of a folder of `Sources/CEmbeddedFiles`, as browsers load them.
struct EmbeddedFolder: Sendable {
  private var files: [String: File] = [:]

  /// A file, with its response fields.
  private struct File: Sendable {
    let headers: Headers
    let tag: String
    let body: [UInt8]
  }

  /// Reads the files of a folder whose types are known.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder, which ends with `/`.
  ///   - fields: The fields of every response, besides those of the file.
  ///   - changing: Returns the text to serve in place of a file's.
  init(_ folder: String, fields: Headers, changing: (String) -> String = { $0 }) {
    for file in EmbeddedFile.all where file.path.hasPrefix(folder) {
      let name = String(file.path.dropFirst(folder.count))
      guard let type = Self.type(of: name) else { continue }
      let body = Array(changing(file.text).utf8)
      let tag = "\"" + SHA256.digest(of: body).prefix(12).map(\.hexadecimal).joined() + "\""
      var headers: Headers = ["Content-Type": type, "ETag": tag]
      for field in fields.fields { headers.append(field.name, field.value) }
      files[name] = File(headers: headers, tag: tag, body: body)
    }
  }

  func contains(_ name: String) -> Bool { files[name] != nil }

  /// Returns the response with a file; nil if there is no such file.
  ///
  /// - Parameter caching: The `Cache-Control` of the response. By default browsers revalidate each time.
  /// - Throws: `Problem` 405 for a method other than GET.
  func answer(
    to request: Request, named name: String, caching: String = "no-cache"
  ) throws(Problem) -> Response? {
    guard let file = files[name] else { return nil }
    if let refused = try Self.answerIfNotGet(request) { return refused }
    var headers = file.headers
    headers.append("Cache-Control", caching)
    let isKnown = request.headers.values(of: "if-none-match").contains {
      $0.hasSameBytes(as: file.tag)
    }
    return isKnown
      ? Response(status: .notModified, headers: headers)
      : Response(headers: headers, body: file.body)
  }

  /// Returns the answer to OPTIONS; nil for GET and HEAD.
  ///
  /// - Throws: `Problem` 405 for other methods.
  static func answerIfNotGet(_ request: Request) throws(Problem) -> Response? {
    if request.method == .get || request.method == .head { return nil }
    if request.method == .options {
      return Response(status: .noContent, headers: ["Allow": methods])
    }
    throw Problem(
      .methodNotAllowed, "\(request.method.rawValue) is not among the methods here: \(methods)."
    ).with(header: "Allow", methods)
  }

  private static let methods = "GET, HEAD, OPTIONS"

  /// The content type of a file; nil for a file that is not served.
  private static func type(of name: String) -> String? {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "svg": "image/svg+xml"
    case "ts": "text/plain; charset=utf-8"
    case "py": "text/x-python; charset=utf-8"
    case "json": "application/json"
    default: nil
    }
  }
}

extension UInt8 {
  fileprivate var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}
