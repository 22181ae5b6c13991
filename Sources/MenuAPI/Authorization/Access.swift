import JSONText
package import MenuEngine
import MenuStore
import MicroHTTP

/// The access that a route requires of a request, when tokens are required: the row of a route in the table of
/// rights (T3).
package enum RequiredAccess: Equatable, Sendable {
  /// None; a token is not even read.
  case open
  /// None when `Authorization.opensMetrics`, else an administrator's token.
  case monitoring
  /// Any token. The route answers of what the token may see, or asks for the rights of what its body names.
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

/// A token of a session, or for work in all sessions.
struct HeldToken: Sendable {
  let grant: Grant
  /// Its number; nil for a session's first token.
  let number: Int?

  /// The first token of any session.
  static let first = HeldToken(grant: .ofSession, number: nil)
}

/// The sessions that a request may access with its token.
enum Access: Sendable {
  /// Everything, since no token is required.
  case everything
  /// Everything, with an administrator's token.
  case administrator(TokenDigest)
  /// The session of one incarnation, as far as the token's grant allows.
  case session(SessionID, Incarnation, HeldToken)
  /// The deliveries of all sessions, with a token of this digest.
  case worker(TokenDigest, HeldToken)
  /// The events of these incarnations.
  case tickets([EventTickets.Ticket])
  /// No session; open routes need none.
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

  /// The administrators' tokens that the access derives from.
  var administrators: [TokenDigest] {
    switch self {
    case .administrator(let token): [token]
    case .tickets(let tickets): tickets.compactMap(\.administrator)
    case .everything, .session, .worker, .nothing: []
    }
  }

  /// The administrator's token that the access derives from; nil if there is none.
  var administrator: TokenDigest? { administrators.first }

  /// The grants that other tokens of sessions made, and that the access derives from.
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
  /// The grant of the access to a session, or to what is in no session by default.
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
  /// Everything, where no tokens are required.
  static let local = Grant(.all, to: .local)
  static let nothing = Grant([], to: .local)
}

/// A token made by another one, which may be revoked or expire while something depends on it.
struct TokenLease: Hashable, Sendable {
  let session: SessionID
  /// The number of the incarnation.
  let opening: Int
  let token: Int
  /// The time at which the token expires, in milliseconds since 1970-01-01T00:00:00Z; nil for never.
  let expiry: Int64?

  /// Nil for a session's first token, which ends with its session.
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
