import Foundation
import Measuring

/// A request as the load generator sends it.
struct Request {
  /// Stands in a path or a body for the number of the connection, beginning with 1.
  static let connectionPlaceholder = "CONNECTION"

  let method: String
  let path: String
  var headers: [(name: String, value: String)] = []
  var body: String?

  static func get(_ path: String) -> Request {
    Request(method: "GET", path: path)
  }

  static func post(_ path: String, _ json: String) -> Request {
    Request(
      method: "POST", path: path, headers: [("Content-Type", "application/json")], body: json)
  }

  func adding(_ name: String, _ value: String) -> Request {
    Request(method: method, path: path, headers: headers + [(name, value)], body: body)
  }

  func moved(to path: String) -> Request {
    Request(method: method, path: path, headers: headers, body: body)
  }
}

/// What came back, as far as the comparison needs it.
struct Answer {
  let status: Int
  let size: Int
  let entityTag: String
  let body: String
}

extension ServerProcess {
  /// Sends one request, as the first connection would, outside of any measurement.
  func answer(to request: Request) throws -> Answer {
    func first(_ text: String) -> String {
      text.replacingOccurrences(of: Request.connectionPlaceholder, with: "1")
    }
    let marker = "\n--- "
    var arguments = [
      "--silent", "--max-time", "5", "--request", request.method, origin + first(request.path),
      "--write-out", marker + "%{http_code} %{size_download} %header{etag}",
    ]
    for header in request.headers { arguments += ["--header", "\(header.name): \(header.value)"] }
    if let body = request.body { arguments += ["--data-binary", first(body)] }

    let output = try run("curl", arguments)
    let parts = output.components(separatedBy: marker)
    let facts = (parts.last ?? "").split(separator: " ", maxSplits: 2)
    return Answer(
      status: facts.first.flatMap { Int($0) } ?? 0,
      size: facts.dropFirst().first.flatMap { Int($0) } ?? 0,
      entityTag: facts.dropFirst(2).first.map(String.init) ?? "",
      body: parts[0])
  }

  @discardableResult
  func expect(_ status: Int, for request: Request) throws -> Answer {
    let answer = try answer(to: request)
    guard answer.status == status else { throw Failure.unexpected(request, answer) }
    return answer
  }
}
