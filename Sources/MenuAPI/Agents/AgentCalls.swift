import JSONText
import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The identity of a request: its client and the id assigned by the client.
struct AgentRequestName: Equatable, Sendable {
  let client: AgentClient
  let id: JSON
}

/// The calls of handshake clients that wait for the application or for the user. Their streams can be resumed, and
/// they can be cancelled.
///
/// A call without a stream is dropped after five minutes. If there are too many, the one whose stream closed first is
/// evicted. Its deliveries continue.
final class AgentCalls: Sendable {
  private struct Entry {
    let call: StreamedCall
    let request: AgentRequestName
    /// The number of the stream that reports on the call; nil once it is closed.
    var stream: Int?
    /// The number of streams that were closed before this one.
    var closing = 0
    /// The number of consecutive checks without a stream.
    var quietLooks = 0
  }

  private struct Contents {
    var entries: [String: Entry] = [:]
    var closedStreams = 0
  }

  private let contents = Lock(Contents())
  private let maximumCount: Int
  /// The number of checks, one each minute, after which a call without a stream is dropped.
  private static let maximumLooks = 5

  /// - Parameter maximumCount: The number of calls without a stream; the default is 256.
  init(maximumCount: Int = 256) { self.maximumCount = maximumCount }

  var count: Int { contents.withLock(\.entries.count) }

  /// Adds a call, or moves it to its present stream.
  func add(_ call: StreamedCall, named name: String, as request: AgentRequestName) {
    contents.withLock { contents in
      contents.entries[name] = Entry(call: call, request: request, stream: call.stream)
    }
  }

  /// Returns a client's call and its request; nil if the call no longer exists.
  func call(
    named name: String, by client: AgentClient
  ) -> (call: StreamedCall, request: AgentRequestName)? {
    let entry = contents.withLock { $0.entries[name] }
    return entry.flatMap { $0.request.client == client ? ($0.call, $0.request) : nil }
  }

  /// Returns the call whose present stream this is.
  func call(toldBy stream: ResponseStream) -> StreamedCall? {
    contents.withLock { contents in
      contents.entries.values.first { $0.call.isTold(by: stream) }?.call
    }
  }

  /// Records that a stream is closed.
  func close(_ stream: Int, of name: String) {
    let evicted = contents.withLock { contents -> StreamedCall? in
      guard contents.entries[name]?.stream == stream else { return nil }
      contents.closedStreams += 1
      contents.entries[name]?.stream = nil
      contents.entries[name]?.closing = contents.closedStreams
      contents.entries[name]?.quietLooks = 0
      let quiet = contents.entries.filter { $0.value.stream == nil }
      guard quiet.count > maximumCount,
        let first = quiet.min(by: { $0.value.closing < $1.value.closing })
      else { return nil }
      return contents.entries.removeValue(forKey: first.key)?.call
    }
    withExtendedLifetime(evicted) {}
  }

  /// Passes an answer to a client's question; returns false if it is not open.
  func answer(_ name: String, by client: AgentClient, with result: JSON?) -> Bool {
    guard let (call, _) = call(named: name, by: client),
      let question = call.source as? AgentQuestion
    else { return false }
    return question.take(result) { call.wake() }
  }

  /// Removes and returns the calls of a request.
  func remove(_ request: AgentRequestName) -> [StreamedCall] { remove { $0 == request } }

  /// Drops the calls of a session that is closed.
  func forget(_ opening: Incarnation) {
    let forgotten = remove { $0.client.opening == opening.number }
    withExtendedLifetime(forgotten) {}
  }

  private func remove(where isRemoved: (AgentRequestName) -> Bool) -> [StreamedCall] {
    contents.withLock { contents in
      let found = contents.entries.filter { isRemoved($0.value.request) }
      for name in found.keys { contents.entries[name] = nil }
      return found.values.map(\.call)
    }
  }

  /// Drops the calls that had no stream for several checks; called once a minute.
  func forgetQuiet() {
    let forgotten = contents.withLock { contents in
      var forgotten: [StreamedCall] = []
      for (name, entry) in contents.entries where entry.stream == nil {
        contents.entries[name]?.quietLooks += 1
        guard entry.quietLooks + 1 > Self.maximumLooks else { continue }
        forgotten.append(entry.call)
        contents.entries[name] = nil
      }
      return forgotten
    }
    withExtendedLifetime(forgotten) {}
  }
}

/// The id of an event on the stream of a call: the call, the progress known to a client that has received the
/// event, and a number unique within the call.
struct AgentCallEventID: Sendable {
  /// The unique name of the call.
  let call: String
  let progress: Int64
  let number: Int

  init(of call: String, progress: Int64, number: Int) {
    self.call = call
    self.progress = progress
    self.number = number
  }

  /// Reads the id that a client sends back; nil if it is malformed.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "call", let progress = Int64(parts[2]),
      let number = Int(parts[3])
    else { return nil }
    self.init(of: String(parts[1]), progress: progress, number: number)
  }

  var text: String { "call/\(call)/\(progress)/\(number)" }
}

/// The id of an event on an agent's stream: a moment of the session, the topics that the client subscribes to,
/// and a unique mark.
struct AgentEventID: Sendable {
  let moment: EventID
  let topics: AgentTopics
  let mark: String

  init(_ moment: EventID, _ topics: AgentTopics, mark: String) {
    self.moment = moment
    self.topics = topics
    self.mark = mark
  }

  /// Reads the id that a client sends back; nil if it is malformed.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count >= 3, let moment = EventID(parts[0]), let topics = Int(parts[1])
    else { return nil }
    self.moment = moment
    let contents = parts.count == 4 ? String(parts[3]) : ""
    // Everybody hears of the lists.
    self.topics = AgentTopics(bits: topics, contents: contents).subtracting(AgentTopic.lists)
    mark = String(parts[2])
  }

  /// The id that stands for an unknown one: every topic may have changed since.
  static var unknown: AgentEventID? {
    EventID("-1.0.0").map { AgentEventID($0, [], mark: "") }
  }

  var text: String {
    let contents = topics.contentsText
    return "\(moment.text)/\(topics.bits)/\(mark)" + (contents.isEmpty ? "" : "/" + contents)
  }
}
