import JSONText
import MicroHTTP

/// The modules for clients (`Sources/CEmbeddedFiles/Client`), wherever menud is: `/client/NAME`; and
/// `/client/VERSION/NAME`, which browsers cache forever.
///
/// They are the same for all clients and contain no session's data, so they need no token, and pages of other origins
/// may import them.
struct ClientFiles: Sendable {
  /// The first segment of their paths.
  static let segment = "client"

  private let version: String

  /// Creates the files of a version of the program.
  init(version: String) { self.version = version }

  private static let files = EmbeddedFolder(
    "Client/",
    fields: [
      "Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin",
    ])

  /// Returns the file that a request names; nil if it names something else.
  ///
  /// - Throws: `Problem` 404 for an unknown file or version, 405 for a method other than GET.
  func answer(to request: Request) throws(Problem) -> Response? {
    guard request.segments.first?.hasSameBytes(as: Self.segment) == true else { return nil }
    let place = request.segments.dropFirst()
    if let file = try Self.files.answer(to: request, named: place.joined(separator: "/")) {
      return file
    }
    let name = place.dropFirst().joined(separator: "/")
    guard let asked = place.first, Self.files.contains(name) else {
      throw Problem(.unknownPath, "There is nothing at \(quoted(request.path)).")
    }
    guard asked.hasSameBytes(as: version) else {
      throw Problem(
        .unknownPath,
        "Version \(quoted(asked)) is not here: this is \(version), at "
          + "\(quoted("/\(Self.segment)/\(version)/\(name)")).")
    }
    return try Self.files.answer(to: request, named: name, caching: Self.forGood)
  }

  /// A file of a version never changes.
  private static let forGood = "public, max-age=31536000, immutable"
}
