import MenuEngine
import MenuStore

/// The access that a route requires of a request, when tokens are asked for.
package enum RequiredAccess: Sendable {
  /// None; a token is not even looked at.
  case open
  /// The token of a session, or an administrator's. Of sessions, the first find only
  /// their own.
  case anyToken
  /// An administrator's token.
  case administrator
  /// None when `Authorization.opensMetrics`, else an administrator's token.
  case monitoring
}

/// The sessions that a request may touch, as its token says.
enum Access: Sendable {
  /// Everything, since no token is asked for.
  case everything
  /// Everything, by an administrator's token.
  case administrator(TokenDigest)
  /// The session of one opening.
  case session(SessionID, Incarnation)
  /// The events of these openings.
  case tickets([EventTickets.Ticket])
  /// No session; what is open to everybody needs none.
  case nothing

  /// True if it extends to a session.
  func opens(_ opening: Incarnation) -> Bool {
    switch self {
    case .everything, .administrator: true
    case .session(_, let own): own === opening
    case .tickets(let tickets): tickets.contains { $0.opening === opening }
    case .nothing: false
    }
  }

  /// The administrators' tokens that it follows from.
  var administrators: [TokenDigest] {
    switch self {
    case .administrator(let token): [token]
    case .tickets(let tickets): tickets.compactMap(\.token)
    case .everything, .session, .nothing: []
    }
  }

  /// The administrator's token that it follows from; nil if it is none.
  var administrator: TokenDigest? { administrators.first }
}
