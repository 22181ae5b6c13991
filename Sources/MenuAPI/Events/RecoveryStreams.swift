import Locks
import MicroHTTP
import Synchronization

/// The streams of clients that subscribe to events while the journal is read.
///
/// An error would stop a browser for good (E5). Such a stream says nothing until the sessions are there, and then ends:
/// the client connects again, and learns what it is to be answered.
final class RecoveryStreams: Sendable {
  private struct Contents {
    var streams: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
    var isOver = false
  }

  private let contents = Lock(Contents())

  /// Returns a stream that ends once the sessions are there.
  func stream() -> ResponseStream {
    let number = contents.withLock { contents in
      contents.lastNumber += 1
      return contents.lastNumber
    }
    let source = Source(self)
    let stream = ResponseStream(
      next: { source.next() },
      whenClosed: { [weak self] in self?.remove(number) })
    contents.withLock { $0.streams[number] = { [weak stream] in stream?.wake() } }
    return stream
  }

  /// Ends all streams.
  func end() {
    let streams = contents.withLock { contents in
      contents.isOver = true
      return Array(contents.streams.values)
    }
    for wake in streams { wake() }
  }

  private func remove(_ number: Int) {
    let gone = contents.withLock { $0.streams.removeValue(forKey: number) }
    withExtendedLifetime(gone) {}
  }

  /// The pieces of one stream.
  private final class Source: Sendable {
    private let streams: RecoveryStreams
    private let hasBegun = Atomic(false)

    init(_ streams: RecoveryStreams) { self.streams = streams }

    func next() -> ResponseStream.Piece {
      if streams.contents.withLock(\.isOver) { return .end }
      // The client learns at once that it is connected.
      return hasBegun.exchange(true, ordering: .relaxed) ? .waiting : .bytes(Array(":\n".utf8))
    }
  }
}
