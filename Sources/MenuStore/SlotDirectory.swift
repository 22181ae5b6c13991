import Locks
import MenuEngine

/// The open sessions as questions find them, by name and by token: spread over several locks, so that
/// those who ask different sessions seldom wait for each other.
///
/// It changes under the lock of all sessions. A session that is not found here may be about to be inserted;
/// look for it under that lock.
final class SlotDirectory: Sendable {
  private struct Part: Sendable {
    var byID: [SessionID: SessionSlot] = [:]
    var byToken: [TokenDigest: SessionSlot] = [:]
  }

  /// A part behind its lock, which cannot be an element of an array itself.
  private final class Shelf: Sendable {
    let part = Lock(Part())
  }

  private let shelves = (0..<16).map { _ in Shelf() }

  /// Returns the slot of a name.
  subscript(id: SessionID) -> SessionSlot? { shelf(of: id).part.withLock { $0.byID[id] } }

  /// Returns the slot of the session with a token.
  subscript(token: TokenDigest) -> SessionSlot? {
    shelf(of: token).part.withLock { $0.byToken[token] }
  }

  /// Adds a session.
  func insert(_ slot: SessionSlot) {
    shelf(of: slot.id).part.withLock { $0.byID[slot.id] = slot }
    guard let token = slot.token else { return }
    shelf(of: token).part.withLock { $0.byToken[token] = slot }
  }

  /// Removes a session that is there.
  func remove(_ slot: SessionSlot) {
    shelf(of: slot.id).part.withLock { $0.byID[slot.id] = nil }
    guard let token = slot.token else { return }
    shelf(of: token).part.withLock { $0.byToken[token] = nil }
  }

  private func shelf(of id: SessionID) -> Shelf {
    let sum = id.rawValue.utf8.reduce(0 as UInt) { $0 &* 31 &+ UInt($1) }
    return shelves[Int(sum % UInt(shelves.count))]
  }

  private func shelf(of token: TokenDigest) -> Shelf {
    shelves[Int(UInt(bitPattern: token.hashValue) % UInt(shelves.count))]
  }
}
