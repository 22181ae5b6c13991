import Locks
import MicroHTTP
import Synchronization

/// The event streams of clients that subscribe while the journal is replayed.
///
/// An error would stop a browser for good (E5). Such a stream stays silent until the sessions are loaded, and
/// then ends: the client reconnects, and gets the regular answer.
final class RecoveryStreams: Sendable {
  /// The maximum number of streams of one address whose access is unknown until the sessions are loaded.
  static let mostUnknownOfAddress = 256

  private struct Contents {
    var streams: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
    var isOver = false
    /// The number of streams of unknown access, by address.
    var unknown: [String: Int] = [:]
  }

  private let contents = Lock(Contents())

  /// Returns a stream that ends once the sessions are loaded; nil if the address has too many.
  ///
  /// - Parameter address: The address of a client whose access is still unknown; nil if it is known.
  func stream(of address: String?) -> ResponseStream? {
    let number = contents.withLock { contents -> Int? in
      if let address {
        let count = contents.unknown[address] ?? 0
        guard count < Self.mostUnknownOfAddress else { return nil }
        contents.unknown[address] = count + 1
      }
      contents.lastNumber += 1
      return contents.lastNumber
    }
    guard let number else { return nil }
    let source = Source(self)
    let stream = ResponseStream(
      next: { source.next() },
      whenClosed: { [weak self] in self?.remove(number, of: address) })
    contents.withLock { $0.streams[number] = { [weak stream] in stream?.wake() } }
    return stream
  }

  func end() {
    let streams = contents.withLock { contents in
      contents.isOver = true
      return Array(contents.streams.values)
    }
    for wake in streams { wake() }
  }

  private func remove(_ number: Int, of address: String?) {
    let gone = contents.withLock { contents in
      if let address {
        let left = (contents.unknown[address] ?? 1) - 1
        contents.unknown[address] = left > 0 ? left : nil
      }
      return contents.streams.removeValue(forKey: number)
    }
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
