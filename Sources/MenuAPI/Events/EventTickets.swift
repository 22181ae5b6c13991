import Locks
import MenuEngine
import MenuStore
import MicroHTTP

/// The tickets with which web pages subscribe to events, since `EventSource` cannot send a token in a field.
///
/// A ticket is valid once, for a minute, for one session. Only its digest is kept.
final class EventTickets: Sendable {
  struct Ticket: Sendable {
    /// The session that the ticket opens.
    let opening: Incarnation
    /// The grant of the token that requested the ticket, held by the actor of that request.
    let grant: Grant
    /// The administrator's token that requested it; nil if it was another token.
    let administrator: TokenDigest?
    /// The lease of the granted token that requested it; nil if it was another token.
    let lease: TokenLease?
    /// The time at which the ticket expires, in nanoseconds.
    let expiry: Int
  }

  /// The seconds for which a ticket is valid.
  static let lifetime = 60
  /// The maximum number of unused tickets of a session; beyond it the oldest is dropped.
  static let mostOfSession = 16
  /// The maximum number of unused tickets; beyond it new ones are refused.
  static let most = 16_384

  fileprivate struct Contents {
    var tickets: [TokenDigest: Ticket] = [:]
    /// The digests of each session's tickets, the oldest first.
    var ofSessions: [Int: [TokenDigest]] = [:]
  }

  private let contents = Lock(Contents())

  /// Stores a ticket under its text; returns false if there are too many.
  ///
  /// - Parameter actor: The actor of the request, which the ticket's stream has too (T4).
  func insert(
    _ text: String, for opening: Incarnation, by access: Access, as actor: Principal, at now: Int
  ) -> Bool {
    let ticket = Ticket(
      opening: opening, grant: access.grant(in: opening).held(by: actor),
      administrator: access.administrator, lease: access.leases.first,
      expiry: now + Self.lifetime * 1_000_000_000)
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

  /// Returns true if a ticket exists and is unused; it may have expired.
  func knows(_ text: String) -> Bool {
    let digest = TokenDigest(of: text)
    return contents.withLock { $0.tickets[digest] != nil }
  }

  /// Removes and returns a ticket, whatever the outcome of the request; nil if it is unknown, used or expired.
  func take(_ text: String, at now: Int) -> Ticket? {
    let digest = TokenDigest(of: text)
    let ticket = contents.withLock { $0.remove(digest) }
    return ticket.flatMap { now < $0.expiry ? $0 : nil }
  }

  /// Drops the tickets of a session that is closed.
  func forget(_ opening: Incarnation) {
    contents.withLock { contents in
      for digest in contents.ofSessions[opening.number] ?? [] { _ = contents.remove(digest) }
    }
  }

  func forgetExpired(at now: Int) { contents.withLock { $0.forgetExpired(at: now) } }

  /// Drops the tickets of tokens that have expired or were revoked (T2).
  func revoke(where isOver: (TokenLease) -> Bool) {
    let leased = contents.withLock { contents in
      contents.tickets.filter { $0.value.lease != nil }
    }
    let gone = leased.filter { $0.value.lease.map(isOver) ?? false }.keys
    contents.withLock { contents in for digest in gone { _ = contents.remove(digest) } }
  }

  /// Drops the tickets that were requested with revoked administrators' tokens.
  func revoke(allBut administrators: [TokenDigest]) {
    contents.withLock { contents in
      for (digest, ticket) in contents.tickets {
        guard let token = ticket.administrator, !administrators.contains(token) else { continue }
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
