import JSONText
import Logging
import MenuAPI
import MicroHTTP

/// Writes each event as one line on standard error, with a single write.
struct EventLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  var logLevel: Logger.Level
  private let format: LogFormat

  init(_ configuration: LogConfiguration) {
    logLevel = configuration.level
    format = configuration.format
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let provided = metadataProvider?.get() ?? [:]
    let all = provided.merging(metadata) { $1 }.merging(event.metadata ?? [:]) { $1 }
    let line = EventLine(
      milliseconds: Posix.milliseconds, level: event.level, message: "\(event.message)",
      details: all)
    Posix.write(line.text(in: format) + "\n", to: Posix.errors)
  }
}

/// An event as a line of text.
struct EventLine {
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  let milliseconds: Int64
  let level: Logger.Level
  let message: String
  let details: Logger.Metadata

  /// Returns the line, without its line end; it contains no other line end.
  func text(in format: LogFormat) -> String {
    switch format {
    case .text: text
    case .json: json.text().withoutInvisibles
    }
  }

  private var text: String {
    var line = "\(timestamp) \(level) \(message.escaped)"
    for (name, value) in sortedDetails {
      line += " \(name.quotedWhereNeeded)=\(value.description.quotedWhereNeeded)"
    }
    return line
  }

  private var json: JSON {
    var object = JSONObject()
    object["time"] = .string(timestamp)
    object["level"] = .string(level.rawValue)
    object["event"] = .string(message)
    for (name, value) in sortedDetails { object[name] = value.json }
    return .object(object)
  }

  private var timestamp: String { InternetTimestamp(milliseconds: milliseconds).text }

  private var sortedDetails: [(name: String, value: Logger.MetadataValue)] {
    details.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Logger.MetadataValue {
  /// The value as JSON: a number or a boolean if it is one, otherwise its text.
  fileprivate var json: JSON {
    guard case .stringConvertible(let value) = self else { return .string(description) }
    switch value {
    case let bool as Bool: return .bool(bool)
    case let double as Double where double.isFinite: return .double(double)
    case let integer as any BinaryInteger:
      return Int64(exactly: integer).map(JSON.int) ?? .string(description)
    default: return .string(description)
    }
  }
}

extension String {
  /// The string; in quotes if it is empty or has a blank, a quote, `=` or `\`.
  fileprivate var quotedWhereNeeded: String {
    let isPlain = !isEmpty && utf8.allSatisfy { !#" "=\"#.utf8.contains($0) }
    let escaped = escaped
    return isPlain && escaped == self ? self : "\"\(escaped)\""
  }

  /// The string on one line: quotes, backslashes, control characters and those that change the writing
  /// direction are escaped as in JSON.
  fileprivate var escaped: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        scalar.append(to: &result)
      }
    }
    return result
  }

  /// JSON text with invisible characters escaped; they occur only in strings.
  fileprivate var withoutInvisibles: String {
    guard unicodeScalars.contains(where: \.isInvisible) else { return self }
    var result = ""
    for scalar in unicodeScalars { scalar.append(to: &result) }
    return result
  }
}

extension Unicode.Scalar {
  /// Appends the scalar to a text, escaped as in JSON if it is invisible.
  fileprivate func append(to text: inout String) {
    guard isInvisible else { return text.unicodeScalars.append(self) }
    for unit in UTF16.encode(self) ?? .init() {
      let digits = String(unit, radix: 16)
      text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
  }

  fileprivate var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

/// A line for every request.
struct RequestLog: Sendable {
  private let log: Logger

  /// Creates a request log that writes at the level `info`.
  init(_ log: Logger) { self.log = log }

  /// Returns the answer of `respond`, and logs it.
  func answer(_ request: Request, with respond: (Request) -> EventualResponse) -> EventualResponse {
    let start = ContinuousClock.now
    let answer = respond(request)
    answer.whenFulfilled { write(request, $0, since: start) }
    return answer
  }

  private func write(
    _ request: Request, _ response: Response, since start: ContinuousClock.Instant
  ) {
    let duration = start.duration(to: .now) / .microseconds(1)
    var details = Self.details(
      method: request.method.rawValue, path: request.path, host: request.host,
      fields: request.headers, from: request.remoteAddress, response)
    // The body of a response with a stream is not sent, unless there are too many.
    details["bytes"] = .stringConvertible(response.stream == nil ? response.body.count : 0)
    details["microseconds"] = .stringConvertible(Int(duration))
    log.info("request", metadata: details)
  }

  /// Returns the answer of `refuse` to a request before its body is read, if there is one, and logs it.
  func refusal(of request: Request, by refuse: (Request) -> Response?) -> Response? {
    let start = ContinuousClock.now
    let response = refuse(request)
    if let response { write(request, response, since: start) }
    return response
  }

  /// Logs the answer to a message that the server refused, with its head as far as it was read.
  func write(_ refusal: RequestRefusal, of head: MessageHead, _ response: Response) {
    var details = Self.details(
      method: head.method, path: head.path, host: head.headers["host"], fields: head.headers,
      from: head.remoteAddress, response)
    details["reason"] = "\(refusal)"
    log.info("refusal", metadata: details)
  }

  /// Returns the details of a request, as far as it was read, and of its answer: with texts from the client truncated,
  /// and never with the token.
  private static func details(
    method: String?, path: String?, host: String?, fields headers: Headers, from client: String,
    _ response: Response
  ) -> Logger.Metadata {
    var details: Logger.Metadata = [
      "client": "\(client)", "status": .stringConvertible(response.status.rawValue),
    ]
    details["method"] = method.map { "\($0.beginning)" }
    details["path"] = path.map { "\($0.beginning)" }
    details["host"] = host.map { "\($0.beginning)" }
    details["request"] = response.headers["x-request-id"].map { "\($0)" }
    details["userAgent"] = headers["user-agent"].map { "\($0.beginning)" }
    if let trace = TraceParent(headers) {
      details["trace"] = "\(trace.traceID)"
      details["parent"] = "\(trace.parentID)"
      details["sampled"] = .stringConvertible(trace.isSampled)
    }
    return details
  }
}

extension String {
  /// The text, truncated to fit in a line.
  fileprivate var beginning: String {
    utf8.count <= 512 ? self : String(unicodeScalars.prefix(256)) + "…"
  }
}
