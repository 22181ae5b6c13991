import JSONText
import MenuAPI

/// The events of a session, over as many connections as necessary (E5).
struct EventFeed {
  private let client: DoClient
  private let request: DoRequest
  private var process: ChildProcess?
  /// The head of the present answer; nil while its bytes are being received.
  private var head: DoHead?
  private var received: [UInt8] = []
  private var lines = EventLines()
  private var wasOpen = false
  /// The number of failed attempts since the last line of the stream.
  private var failures = 0
  /// The time since which new connections have yielded no line; nil while the present one yields lines.
  private var triedSince: Int64?
  /// The maximum silence; heartbeats are sent every 15 seconds.
  private static let longestSilence = Duration.seconds(45)

  init(client: DoClient, request: DoRequest) {
    self.client = client
    self.request = request
  }

  private enum Outcome {
    case bytes
    /// The session was closed.
    case closed
    case failure(DoFailure, isPassing: Bool)
  }

  /// Waits for the next event; nil once the session is closed.
  ///
  /// - Throws: `DoFailure` if it is refused, or if the server is not reached in time.
  mutating func next() throws(DoFailure) -> EventLines.Event? {
    while true {
      if let event = lines.next() { return event }
      switch receive() {
      case .bytes: continue
      case .closed: return nil
      case .failure(let failure, let isPassing):
        disconnect()
        guard isPassing else { throw failure }
        try pause(after: failure)
      }
    }
  }

  /// Ends the present connection; the next event is read over another one.
  mutating func disconnect() {
    process = nil
    head = nil
    received = []
    lines.forgetPart()
  }

  private mutating func receive() -> Outcome {
    do throws(Curl.Failure) {
      let process = try connected()
      let patience = triedSince.map { since in
        Duration.milliseconds(since - Posix.monotonicMilliseconds) + .seconds(client.timeout)
      }
      switch process.next(within: patience ?? Self.longestSilence, watchesReader: true) {
      case .bytes(let bytes): return try take(bytes)
      case .silence: throw Curl.Failure(sentence: "It is silent.", isPassing: true)
      case .end: return try ended(process)
      }
    } catch {
      return .failure(client.unreached(error), isPassing: error.isPassing)
    }
  }

  private mutating func connected() throws(Curl.Failure) -> ChildProcess {
    if let process { return process }
    triedSince = triedSince ?? Posix.monotonicMilliseconds
    var request = request
    if let id = lines.id { request.fields.append(("Last-Event-ID", id)) }
    let process = try client.curl.start(request, within: nil)
    self.process = process
    return process
  }

  private mutating func take(_ bytes: [UInt8]) throws(Curl.Failure) -> Outcome {
    received += bytes
    if head == nil, let head = DoHead(of: received) {
      self.head = head
      received.removeFirst(head.end)
      if head.status == 204 { return .closed }
      let type = head.fields["content-type"]?.lowercased() ?? ""
      guard head.status != 200 || type.hasPrefix("text/event-stream") else {
        throw Curl.Failure(sentence: "Its answer is no stream of events.", isPassing: false)
      }
    }
    if head?.status == 200 {
      lines.append(received)
      if received.contains(UInt8(ascii: "\n")) { (wasOpen, failures, triedSince) = (true, 0, nil) }
      received = []
    }
    guard received.count + lines.count <= Curl.largestAnswer else {
      throw Curl.Failure(sentence: "An event is too large.", isPassing: false)
    }
    return .bytes
  }

  /// Returns the reason why there are no more bytes.
  private func ended(_ process: ChildProcess) throws(Curl.Failure) -> Outcome {
    let failure = Curl.failure(process.stop(), process.errorText)
    guard let head else { throw failure }
    guard head.status != 200 else {
      throw Curl.Failure(sentence: "The stream has ended.", isPassing: true)
    }
    let answer = DoAnswer(status: head.status, fields: head.fields, body: received)
    return .failure(
      DoFailure(problem: answer), isPassing: answer.isPassing)
  }

  /// Waits before the next attempt, longer each time.
  private mutating func pause(after failure: DoFailure) throws(DoFailure) {
    let now = Posix.monotonicMilliseconds
    let since = triedSince ?? now
    triedSince = since
    failures += 1
    let pause: Int64 = min(2000, 100 << Int64(min(failures, 10)))
    let isOver = Double(now - since + pause) > client.timeout * 1000
    guard !isOver, wasOpen || failures < client.attempts else { throw failure }
    Posix.sleep(.milliseconds(pause))
  }
}

/// Reads Server-Sent Events.
struct EventLines {
  struct Event {
    let id: String
    let name: String
    let data: [UInt8]
    let json: JSON

    /// The event as a line of JSON, with its data unchanged.
    var line: [UInt8] {
      let (id, name) = (JSON.string(id).text(), JSON.string(name).text())
      return Array("{\"id\":\(id),\"event\":\(name),\"data\":".utf8) + data + [UInt8(ascii: "}")]
    }
  }

  /// The id of the last complete event.
  private(set) var id: String?
  /// The last id, which is valid once its event is complete.
  private var lastID: String?
  private var buffer: [UInt8] = []
  /// The number of bytes of the buffer that have been read.
  private var position = 0
  /// The offset up to which the unread buffer has no line ending.
  private var searched = 0
  private var name = "message"
  private var data: [UInt8]?

  /// The number of bytes of the incomplete event.
  var count: Int { buffer.count - position + (data?.count ?? 0) }

  mutating func append(_ bytes: [UInt8]) {
    buffer.removeFirst(position)
    (searched, position) = (searched - position, 0)
    buffer += bytes
  }

  /// Drops the incomplete event, because its connection is broken.
  mutating func forgetPart() {
    (buffer, position, searched, name, data) = ([], 0, 0, "message", nil)
    lastID = id
  }

  /// Returns the next complete event.
  mutating func next() -> Event? {
    while let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
      var line = buffer[position..<end]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      (position, searched) = (end + 1, end + 1)
      guard line.isEmpty else {
        read(line)
        continue
      }
      defer { (name, data) = ("message", nil) }
      id = lastID
      guard let data else { continue }
      let json = (try? JSON(parsing: data, maximumDepth: JSON.depthOfAnswers)) ?? .null
      return Event(id: id ?? "", name: name, data: data, json: json)
    }
    searched = buffer.count
    return nil
  }

  private mutating func read(_ line: ArraySlice<UInt8>) {
    let field = line.prefix { $0 != UInt8(ascii: ":") }
    var value = line[field.endIndex...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: field, as: UTF8.self) {
    case "id": lastID = String(decoding: value, as: UTF8.self)
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data": data = data.map { $0 + [UInt8(ascii: "\n")] + value } ?? Array(value)
    default: break
    }
  }
}
