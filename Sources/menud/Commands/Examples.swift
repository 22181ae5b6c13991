import MenuEngine

/// Requests to try on a server that has just started.
struct Examples: CustomStringConvertible {
  private let session: SessionID
  private let address: String

  /// Requests about a session of the server at that address.
  init(session: SessionID, host: String, port: UInt16) {
    self.session = session
    let isThisMachine = ["127.0.0.1", "0.0.0.0", "::1", "::"].contains(host)
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    address = "\(isThisMachine ? "localhost" : name):\(port)"
  }

  var description: String {
    """

    Try, in another terminal:

      curl \(address)/sessions/\(session)/menu
      curl --json '{"session": "\(session)"}' \(address)/commands/validate
      curl --json '{"session": "\(session)", "command": "applyFiveStarRating:"}' \
    \(address)/commands/perform
      curl --json '{"session": "\(session)", "commands": ["applyFiveStarRating:"], \
    "explain": true}' \(address)/commands/validate


    """
  }
}
