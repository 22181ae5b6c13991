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
  /// The seconds that the answer may wait for (RFC 7240).
  var wait = 0.0
  /// True if it changes something, so that it needs an idempotency key to be sent again.
  var isChange = false

  static func get(_ path: String..., query: [(name: String, value: String?)] = []) -> DoRequest {
    var request = DoRequest(method: "GET", path: path)
    request.query = query.compactMap { name, value in value.map { (name, $0) } }
    return request
  }

  /// Returns a request with a body. A session that only the body names is in a field, too, where load balancers find
  /// it.
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
  /// The value in the body; null if it is no JSON.
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

  /// True if another attempt can succeed: there are too many requests, or the server is away.
  var isPassing: Bool { [429, 502, 503, 504].contains(status) }
}

/// A request that the program `curl` carries out, which brings TLS, proxies and certificates.
///
/// Others can see the arguments of a program; so the address, the token and the contents are written to it.
struct Curl {
  let server: String
  let token: Secret?

  /// The reason for which there is no answer.
  struct Failure: Error {
    let sentence: String
    /// True if another attempt can succeed.
    let isPassing: Bool
    /// True if curl cannot be run, so that nothing is known about the server.
    var isMissing = false
  }

  /// The most bytes of an answer.
  static let largestAnswer = 64 << 20

  /// Starts the request. Without seconds it may take as long as it likes.
  func start(_ request: DoRequest, within seconds: Double?) throws(Failure) -> ChildProcess {
    let arguments = ["--disable", "--config", "/dev/fd/3"]
    do throws(ChildProcess.Failure) {
      return try ChildProcess(
        "curl", arguments: arguments, input: request.body ?? [],
        third: Array(configuration(of: request, within: seconds).utf8))
    } catch {
      // ENOENT, which the system describes in these words.
      let reason = Posix.description(of: error.code)
      throw Failure(
        sentence: "'menud do' needs the program curl, which cannot be run (\(reason)). "
          + "Install it, on Debian by 'apt install curl'.",
        isPassing: false, isMissing: true)
    }
  }

  /// Carries out the request.
  func answer(to request: DoRequest, within seconds: Double) throws(Failure) -> DoAnswer {
    let process = try start(request, within: seconds)
    var bytes: [UInt8] = []
    // Curl ends by itself before.
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
    // Not reached, partial, out of time, empty, or broken.
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

/// The head of an answer as curl writes it.
struct DoHead {
  let status: Int
  let fields: [String: String]
  /// The number of its bytes, with interim answers before it.
  let end: Int

  /// Reads the head that the bytes begin with; nil if it is not complete.
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
  /// The text in quotation marks, as a configuration of curl has it.
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
