import Locks
import MicroHTTP
import Synchronization

/// A stream that a test feeds, and what became of it.
final class FedStream: Sendable {
  /// The stream; nil once it is dropped.
  private let held: Lock<ResponseStream?>
  private let feed: Feed

  /// The part that the stream shares with the test; it does not hold the stream.
  private final class Feed: Sendable {
    let pieces = Lock<[ResponseStream.Piece]>([])
    let closings = Atomic(0)
    let questions = Atomic(0)
    /// The number of questions that are being answered at this moment.
    let asking = Atomic(0)
    let overlaps = Atomic(0)

    func next() -> ResponseStream.Piece {
      if asking.add(1, ordering: .relaxed).newValue > 1 { overlaps.add(1, ordering: .relaxed) }
      defer { asking.subtract(1, ordering: .relaxed) }
      questions.add(1, ordering: .relaxed)
      return pieces.withLock { $0.isEmpty ? .waiting : $0.removeFirst() }
    }
  }

  /// Creates a stream that begins with some pieces. It waits whenever it has none, so none of them is
  /// `.waiting`: a wake that came before that would be lost.
  init(_ pieces: [ResponseStream.Piece] = []) {
    let feed = Feed()
    feed.pieces.withLock { $0 = pieces }
    self.feed = feed
    held = Lock(
      ResponseStream(
        next: { feed.next() },
        whenClosed: { feed.closings.add(1, ordering: .relaxed) }))
  }

  /// The response with this stream.
  var response: EventualResponse {
    held.withLock { stream in
      stream.map { .response(Response(headers: ["Content-Type": "text/plain"], stream: $0)) }
        ?? .response(Response(status: .notFound))
    }
  }

  /// The number of times that it was said to be closed.
  var closings: Int { feed.closings.load(ordering: .relaxed) }

  /// The number of times that it was asked for a piece.
  var questions: Int { feed.questions.load(ordering: .relaxed) }

  /// The number of times that it was asked while it was asked.
  var overlaps: Int { feed.overlaps.load(ordering: .relaxed) }

  /// True once it is closed, and was not said to be so twice.
  var becomesClosed: Bool { eventually { closings > 0 } && closings == 1 }

  /// Adds a piece and wakes the stream.
  func send(_ piece: ResponseStream.Piece) {
    feed.pieces.withLock { $0.append(piece) }
    wake()
  }

  func send(_ text: String) { send(.bytes(Array(text.utf8))) }

  func wake() { held.withLock(\.self)?.wake() }

  /// Lets go of the stream.
  func drop() { held.withLock { $0 = nil } }
}

/// A handler that answers each request with a stream, and the streams so far.
final class Streams: Sendable {
  private let all = Lock<[FedStream]>([])
  private let make: @Sendable () -> FedStream

  /// By default each stream has nothing to send yet.
  init(_ make: @escaping @Sendable () -> FedStream = { FedStream() }) { self.make = make }

  func answer(_ request: Request) -> EventualResponse {
    let stream = make()
    all.withLock { $0.append(stream) }
    return stream.response
  }

  /// Answers a request for `/stream` with a stream, and others with the text.
  func answer(_ request: Request, besides text: String) -> EventualResponse {
    request.path == "/stream" ? answer(request) : .response(Response(text: text))
  }

  /// The streams, once there are so many; fewer after two minutes.
  func first(_ count: Int) -> [FedStream] {
    _ = eventually { all.withLock { $0.count } >= count }
    return all.withLock(\.self)
  }
}

extension String {
  /// The content of a chunked message's body; nil if it is not whole.
  var chunkedContent: String? {
    guard let start = utf8.firstRange(of: "\r\n\r\n".utf8)?.upperBound else { return nil }
    var (rest, content) = (Array(utf8[start...])[...], [UInt8]())
    while let end = rest.firstIndex(of: 13) {
      guard let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16),
        rest.endIndex >= end + 4 + size
      else { return nil }
      if size == 0 {
        return rest.endIndex == end + 4 ? String(decoding: content, as: UTF8.self) : nil
      }
      content += rest[(end + 2)..<(end + 2 + size)]
      rest = rest[(end + 4 + size)...]
    }
    return nil
  }
}
