import JSONText
package import MenuEngine
import MenuStore
import MicroHTTP

/// The access that a route requires if tokens are required: a row in the table of rights (T3).
package enum RequiredAccess: Equatable, Sendable {
  /// None. Tokens are not read.
  case open
  /// None if `Authorization.opensMetrics`, else an administrator's token.
  case monitoring
  /// Any token. The route returns only what is visible to the token, or checks the rights for the contents of its
  /// body.
  case token
  /// A token with a right. A session's token opens its own session only.
  case right(Right)
  /// A token with the right `work` for all sessions, or an administrator's (D5).
  case workInAll
  case administrator

  static let items = RequiredAccess.right(.items)
  static let read = RequiredAccess.right(.read)
  static let perform = RequiredAccess.right(.perform)
  static let focus = RequiredAccess.right(.focus)
  static let patch = RequiredAccess.right(.patch)
  static let work = RequiredAccess.right(.work)
  static let declare = RequiredAccess.right(.declare)

  /// True if tokens of sessions are admitted.
  var isOfSessions: Bool {
    switch self {
    case .token, .right: true
    case .open, .monitoring, .workInAll, .administrator: false
    }
  }
}

/// A token of one session, or for work in all sessions.
struct HeldToken: Sendable {
  let grant: Grant
  /// Its number; nil for a session's first token.
  let number: Int?

  /// The first token of any session.
  static let first = HeldToken(grant: .ofSession, number: nil)
}

/// The sessions that a request may access with its token.
enum Access: Sendable {
  /// Everything, because no token is required.
  case everything
  /// Everything, with an administrator's token.
  case administrator(TokenDigest)
  /// The session of one incarnation, within the token's grant.
  case session(SessionID, Incarnation, HeldToken)
  /// The deliveries of all sessions, with a token of this digest.
  case worker(TokenDigest, HeldToken)
  /// The events of these incarnations.
  case tickets([EventTickets.Ticket])
  /// No session, for open routes.
  case nothing

  /// True if the access includes a session.
  func opens(_ opening: Incarnation) -> Bool {
    switch self {
    case .everything, .administrator, .worker: true
    case .session(_, let own, _): own === opening
    case .tickets(let tickets): tickets.contains { $0.opening === opening }
    case .nothing: false
    }
  }

  /// The administrators' tokens from which the access derives.
  var administrators: [TokenDigest] {
    switch self {
    case .administrator(let token): [token]
    case .tickets(let tickets): tickets.compactMap(\.administrator)
    case .everything, .session, .worker, .nothing: []
    }
  }

  /// The administrator's token from which the access derives; nil if there is none.
  var administrator: TokenDigest? { administrators.first }

  /// The leases of granted session tokens from which the access derives.
  var leases: [TokenLease] {
    switch self {
    case .session(let id, let opening, let token):
      TokenLease(token, of: id, opening).map { [$0] } ?? []
    case .tickets(let tickets): tickets.compactMap(\.lease)
    case .everything, .administrator, .worker, .nothing: []
    }
  }
}

// MARK: Rights

extension Access {
  /// Returns the grant of the access to a session; the default is outside of sessions.
  func grant(in opening: Incarnation? = nil) -> Grant {
    switch self {
    case .everything: .local
    case .administrator: .ofAdministrator
    case .session(_, _, let token), .worker(_, let token): token.grant
    case .tickets(let tickets):
      (tickets.first { $0.opening === opening } ?? tickets.first)?.grant ?? .nothing
    case .nothing: .nothing
    }
  }

  /// Refuses the access if it lacks a right.
  func require(_ right: Right, in opening: Incarnation? = nil) throws(Problem) {
    guard grant(in: opening).rights.contains(right) else { throw .lacking(right) }
  }

  /// Refuses a request whose route requires more.
  func require(_ required: RequiredAccess) throws(Problem) {
    switch (required, self) {
    case (.open, _), (.token, _): break
    case (.right(let right), _): try require(right)
    case (.workInAll, .session):
      throw .forbidden(
        "The token is that of a session; this needs one with the right 'work' for all sessions.",
        scope: Right.work.rawValue)
    case (.workInAll, _): try require(.work)
    case (.monitoring, .session), (.administrator, .session):
      throw .forbidden("The token is that of a session; this needs an administrator's token.")
    case (.monitoring, .worker), (.administrator, .worker), (.monitoring, .tickets),
      (.administrator, .tickets), (.administrator, .nothing):
      throw .forbidden("The token is for work only; this needs an administrator's token.")
    case (.monitoring, _), (.administrator, _): break
    }
  }
}

extension Grant {
  /// The grant of everything, if no tokens are required.
  static let local = Grant(.all, to: .local)
  static let nothing = Grant([], to: .local)
}

/// A lease on a granted token, which may be revoked or expire while a stream or a ticket depends on it.
struct TokenLease: Hashable, Sendable {
  let session: SessionID
  /// The number of the incarnation.
  let opening: Int
  let token: Int
  /// The time at which the token expires, in milliseconds since 1970-01-01T00:00:00Z; nil for never.
  let expiry: Int64?

  /// Creates the lease of a token; nil for a session's first token, which ends with its session.
  init?(_ held: HeldToken, of session: SessionID, _ opening: Incarnation) {
    guard let number = held.number else { return nil }
    self.session = session
    self.opening = opening.number
    token = number
    expiry = held.grant.expiry
  }
}

extension Problem {
  static func forbidden(_ detail: String, scope: String? = nil) -> Problem {
    let scope = scope.map { #", scope="\#($0)""# } ?? ""
    return Problem(.forbidden, detail)
      .with(
        header: "WWW-Authenticate",
        #"Bearer realm="menud", error="insufficient_scope"\#(scope)"#)
  }

  /// Returns the problem of a token that lacks a right.
  static func lacking(_ right: Right) -> Problem {
    forbidden(
      "The token does not have the right '\(right.rawValue)', which this needs.",
      scope: right.rawValue
    ).with("right") { $0.value(right.rawValue) }
  }
}
