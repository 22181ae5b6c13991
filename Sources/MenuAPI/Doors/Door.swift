import MenuStore

/// The requests that may reach a route, when tokens are asked for.
package enum Door: Sendable {
  /// Everybody, with or without a token.
  case open
  /// Whoever shows the token of a session, or an administrator's. Of sessions, the first find only
  /// their own.
  case anyToken
  /// Whoever shows an administrator's token.
  case administrator
  /// Everybody, when `Doors.opensMetrics`, else whoever shows an administrator's token.
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
