import MenuEngine
import MenuStore

/// The account that the processor time of a long request is charged to.
enum Payer: Hashable, Sendable {
  /// A session, for what is asked of it.
  case session(SessionID)
  /// An administrator's token, for what is about no session, such as openings.
  case administrator(TokenDigest)
  /// The number of the session whose token a request shows, for the same.
  case incarnation(Int)
  /// An address, for the same while no token is asked for.
  case address(String)

  /// True if it is the client, not a session.
  var isClient: Bool {
    switch self {
    case .session: false
    case .administrator, .incarnation, .address: true
    }
  }
}
