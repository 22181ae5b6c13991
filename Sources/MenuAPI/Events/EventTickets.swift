import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The tickets by which web pages subscribe to events, since `EventSource` cannot send a token in a field.
///
/// A ticket is good once, for a minute, for the session that it was asked for. Only its digest is kept.
final class EventTickets: Sendable {
  /// A ticket.
  struct Ticket: Sendable {
    /// The session that it is for.
    let opening: Incarnation
    /// The administrator's token that it was made with; nil for another one.
    let token: TokenDigest?
    /// The time until which it is good, in nanoseconds.
    let expiry: Int
  }

  /// The seconds for which a ticket is good.
  static let lifetime = 60
  /// The most unused tickets of a session; beyond it the oldest one is dropped.
  static let mostOfSession = 16
  /// The most unused tickets; beyond it none is made.
  static let most = 16_384

  fileprivate struct Contents {
    var tickets: [TokenDigest: Ticket] = [:]
    /// The digests of each session's tickets, the oldest first.
    var ofSessions: [Int: [TokenDigest]] = [:]
  }

  private let contents = Lock(Contents())

  /// Keeps a ticket under its text; returns false if there are too many.
  func insert(_ text: String, for opening: Incarnation, by token: TokenDigest?, at now: Int) -> Bool
  {
    let ticket = Ticket(opening: opening, token: token, expiry: now + Self.lifetime * 1_000_000_000)
    let digest = TokenDigest(of: text)
    return contents.withLock { contents in
      if contents.tickets.count >= Self.most { contents.forgetExpired(at: now) }
      guard contents.tickets.count < Self.most else { return false }
      contents.tickets[digest] = ticket
      contents.ofSessions[opening.number, default: []].append(digest)
      contents.trim(opening)
      return true
    }
  }

  /// Takes a ticket, whatever becomes of the request; nil if it is unknown, used or too old.
  func take(_ text: String, at now: Int) -> Ticket? {
    let digest = TokenDigest(of: text)
    let ticket = contents.withLock { $0.remove(digest) }
    return ticket.flatMap { now < $0.expiry ? $0 : nil }
  }

  /// Forgets those that are too old.
  func forgetExpired(at now: Int) { contents.withLock { $0.forgetExpired(at: now) } }

  /// Forgets those that were made with an administrator's token that is none any more.
  func revoke(allBut administrators: [TokenDigest]) {
    contents.withLock { contents in
      for (digest, ticket) in contents.tickets {
        guard let token = ticket.token, !administrators.contains(token) else { continue }
        _ = contents.remove(digest)
      }
    }
  }
}

extension EventTickets.Contents {
  fileprivate mutating func remove(_ digest: TokenDigest) -> EventTickets.Ticket? {
    guard let ticket = tickets.removeValue(forKey: digest) else { return nil }
    let session = ticket.opening.number
    ofSessions[session]?.removeAll { $0 == digest }
    if ofSessions[session]?.isEmpty == true { ofSessions[session] = nil }
    return ticket
  }

  /// Drops the oldest tickets of a session beyond the bound.
  fileprivate mutating func trim(_ opening: Incarnation) {
    while let digests = ofSessions[opening.number], digests.count > EventTickets.mostOfSession {
      _ = remove(digests[0])
    }
  }

  fileprivate mutating func forgetExpired(at now: Int) {
    for (digest, ticket) in tickets where ticket.expiry <= now { _ = remove(digest) }
  }
}
