import JSONText
import MenuAPI
import MicroHTTP

/// A request to a server.
struct DoRequest {
  let method: String
  /// The segments of the path.
  let path: [String]
  var query: [(name: String, value: String)] = []
  var body: [UInt8]?
  var type = "application/json"
  var fields: [(name: String, value: String)] = []
  /// The maximum time in seconds for which the answer may wait (RFC 7240).
  var wait = 0.0
  /// True if it changes something, so that retries require an idempotency key.
  var isChange = false

  static func get(_ path: String..., query: [(name: String, value: String?)] = []) -> DoRequest {
    var request = DoRequest(method: "GET", path: path)
    request.query = query.compactMap { name, value in value.map { (name, $0) } }
    return request
  }

  /// Returns a request with a body. A session named only in the body is also in a header field, for load balancers.
  static func post(_ path: [String], body: JSONObject, isChange: Bool = false) -> DoRequest {
    var request = DoRequest(method: "POST", path: path)
    request.body = JSON.object(body).bytes
    request.isChange = isChange
    if case .string(let session)? = body["session"] {
      request.fields.append(("Menud-Session", session.percentEncoded))
    }
    return request
  }

  /// The path with the query.
  var target: String {
    let path = path.map { "/" + $0.percentEncoded }.joined()
    let query = query.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    return query.isEmpty ? path : path + "?" + query
  }
}

/// An answer of a server.
struct DoAnswer {
  let status: Int
  /// The fields, their names in lower case.
  let fields: [String: String]
  let body: [UInt8]
  /// The value in the body; null if it is not JSON.
  let json: JSON
  /// True if the body is JSON.
  let isJSON: Bool

  init(status: Int, fields: [String: String], body: [UInt8]) {
    (self.status, self.fields, self.body) = (status, fields, body)
    let json = try? JSON(parsing: body, maximumDepth: JSON.depthOfAnswers)
    self.json = json ?? .null
    isJSON = json != nil
  }

  func text(_ name: String) -> String? { json.text(name) }

  /// True if a retry can succeed: there are too many requests, or the server is unavailable.
  var isPassing: Bool { [429, 502, 503, 504].contains(status) }
}

/// A request performed by the program `curl`, which supports TLS, proxies and certificates.
///
/// Arguments are visible to other users, so the address, the token and the contents are written to its input.
struct Curl {
  let server: String
  let token: Secret?

  /// The reason why there is no answer.
  struct Failure: Error {
    let sentence: String
    /// True if a retry can succeed.
    let isPassing: Bool
    /// True if curl cannot be run, so that the state of the server is unknown.
    var isMissing = false
  }

  /// The maximum size of an answer in bytes.
  static let largestAnswer = 64 << 20

  /// Starts the request. Without `seconds` there is no timeout.
  func start(_ request: DoRequest, within seconds: Double?) throws(Failure) -> ChildProcess {
    let arguments = ["--disable", "--config", "/dev/fd/3"]
    do throws(ChildProcess.Failure) {
      return try ChildProcess(
        "curl", arguments: arguments, input: request.body ?? [],
        third: Array(configuration(of: request, within: seconds).utf8))
    } catch {
      // The system's description of ENOENT.
      let reason = Posix.description(of: error.code)
      throw Failure(
        sentence: "'menud do' needs the program curl, which cannot be run (\(reason)). "
          + "Install it, on Debian by 'apt install curl'.",
        isPassing: false, isMissing: true)
    }
  }

  /// Performs the request.
  func answer(to request: DoRequest, within seconds: Double) throws(Failure) -> DoAnswer {
    let process = try start(request, within: seconds)
    var bytes: [UInt8] = []
    // Curl times out earlier.
    let end = Posix.monotonicMilliseconds + Int64(seconds * 1000) + 2000
    receiving: while true {
      let rest = Duration.milliseconds(end - Posix.monotonicMilliseconds)
      switch process.next(within: rest) {
      case .bytes(let some): bytes += some
      case .end: break receiving
      case .silence: throw Failure(sentence: "It does not answer in time.", isPassing: true)
      }
      guard bytes.count <= Self.largestAnswer else {
        throw Failure(sentence: "Its answer is too large.", isPassing: false)
      }
    }
    let status = process.stop()
    guard status == 0 else { throw Self.failure(status, process.errorText) }
    guard let head = DoHead(of: bytes) else {
      throw Failure(sentence: "It does not answer in HTTP.", isPassing: false)
    }
    return DoAnswer(status: head.status, fields: head.fields, body: Array(bytes[head.end...]))
  }

  /// Returns the failure of a curl that ended with `status`.
  static func failure(_ status: Int32, _ errors: [UInt8]) -> Failure {
    let text = String(decoding: errors, as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).first.map { String($0) } ?? ""
    let words = line.replacing(/^curl: (\(\d+\) )?/, with: "").trimmingSpaces.plainText()
    let sentence = words.isEmpty ? "curl ended with \(status)" : words
    // Not reached, partial, timeout, empty, or broken.
    let isPassing = [7, 16, 18, 28, 52, 55, 56, 92].contains(status)
    return Failure(
      sentence: sentence.hasSuffix(".") ? sentence : sentence + ".", isPassing: isPassing)
  }

  private func configuration(of request: DoRequest, within seconds: Double?) -> String {
    var lines = ["silent", "show-error", "globoff", "path-as-is", "include", "no-buffer"]
    lines += ["suppress-connect-headers", #"proto = "=http,https""#]
    func give(_ name: String, _ value: String) { lines.append("\(name) = \(value.quoted)") }
    give("url", server + request.target)
    give("request", request.method)
    give("user-agent", "menud/\(Menud.version)")
    give("connect-timeout", "\(max(0.1, min(seconds ?? 10, 10)))")
    if let seconds { give("max-time", "\(max(0.1, seconds))") }
    if let token { give("header", "Authorization: Bearer \(token.text)") }
    for (name, value) in request.fields { give("header", "\(name): \(value)") }
    if request.body != nil {
      give("header", "Content-Type: \(request.type)")
      give("header", "Expect:")
      give("data-binary", "@-")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// The head of an answer as written by curl.
struct DoHead {
  let status: Int
  let fields: [String: String]
  /// Its length in bytes, including interim answers before it.
  let end: Int

  /// Reads the head at the beginning of the bytes; nil if it is incomplete.
  init?(of bytes: [UInt8]) {
    var start = 0
    while true {
      guard let end = Self.end(of: bytes, from: start) else { return nil }
      let head = String(decoding: bytes[start..<(end - 4)], as: UTF8.self)
      let lines = head.split(whereSeparator: \.isNewline)
      let words = lines.first?.split(separator: " ") ?? []
      guard words.count >= 2, words[0].hasPrefix("HTTP/"), let status = Int(words[1]) else {
        return nil
      }
      start = end
      if (100..<200).contains(status) { continue }
      var fields: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        fields[parts[0].lowercased()] = String(parts[1]).trimmingSpaces
      }
      (self.status, self.fields, self.end) = (status, fields, end)
      return
    }
  }

  private static func end(of bytes: [UInt8], from start: Int) -> Int? {
    let mark = Array("\r\n\r\n".utf8)
    var place = start
    while place + 4 <= bytes.count {
      if bytes[place] == mark[0], bytes[place..<(place + 4)].elementsEqual(mark) {
        return place + 4
      }
      place += 1
    }
    return nil
  }
}

extension String {
  /// The text in quotation marks, for curl's configuration.
  fileprivate var quoted: String {
    var text = "\""
    for scalar in unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
      if scalar == "\"" || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }

  /// The text without spaces and line ends around it.
  var trimmingSpaces: String {
    let isSpace = { (character: Character) in character.isWhitespace }
    guard let end = lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(self[...end].drop(while: isSpace))
  }
}
