import MenuEngine
import Synchronization

/// The open sessions as questions find them, by name and by token: spread over several locks, so that
/// those who ask different sessions seldom wait for each other.
///
/// Who opens and closes sessions changes it under the lock of all of them. What is not here may just be on its
/// way, and is to be looked for under that lock.
final class SlotDirectory: Sendable {
  private struct Part: Sendable {
    var byID: [SessionID: SessionSlot] = [:]
    var byToken: [TokenDigest: SessionSlot] = [:]
  }

  /// A part behind its lock, which cannot be an element of an array itself.
  private final class Shelf: Sendable {
    let part = Mutex(Part())
  }

  private let shelves = (0..<16).map { _ in Shelf() }

  /// What is kept under a name.
  subscript(id: SessionID) -> SessionSlot? { shelf(of: id).part.withLock { $0.byID[id] } }

  /// What is kept of the session that has a token.
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
