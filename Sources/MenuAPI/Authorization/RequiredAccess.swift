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
  /// Everything: an administrator's token, or none is asked for.
  case everything
  /// The sessions of one opening.
  case session(Incarnation)
  /// No session; what is open to everybody needs none.
  case nothing

  /// True if it extends to a session.
  func opens(_ opening: Incarnation) -> Bool {
    switch self {
    case .everything: true
    case .session(let own): own === opening
    case .nothing: false
    }
  }
}
