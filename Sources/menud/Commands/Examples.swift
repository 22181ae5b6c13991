import MenuEngine

/// Example requests for a server that has just started.
struct Examples: CustomStringConvertible {
  private let session: SessionID
  private let command: CommandID?
  private let address: String
  private let curl: String
  /// The address of the console; nil if it is not served.
  private let console: String?

  /// Creates requests for a session of the server at an address, and for a command if there is one: a typical one of
  /// the sample, or the first of the catalogue. `certificate` is the path of the server's certificate, empty without
  /// TLS. If `needsToken`, the requests include a token. `console` is the path of the console.
  init(
    session: SessionID, in catalog: Catalog, host: String, port: UInt16, certificate: String = "",
    needsToken: Bool = false, console: String? = nil
  ) {
    self.session = session
    let best = catalog.command("applyFiveStarRating:")
    command = (best ?? catalog.commands.first)?.id
    let isThisMachine = ["127.0.0.1", "0.0.0.0", "::1", "::"].contains(host)
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    let place = "\(isThisMachine ? "localhost" : name):\(port)"
    address = certificate.isEmpty ? place : "https://\(place)"
    self.console = console.map {
      "\(certificate.isEmpty ? "http" : "https")://\(place)\($0)/#\(session)"
    }
    curl =
      (certificate.isEmpty ? "curl" : "curl --cacert '\(certificate)'")
      + (needsToken ? #" -H "Authorization: Bearer $TOKEN""# : "")
  }

  var description: String {
    """
    \(console.map { "\nThe console: \($0)\n" } ?? "")
    Try, in another terminal:

      \(curl) \(address)/sessions/\(session)/menu
      \(curl) --json '{"session": "\(session)"}' \(address)/commands/validate
    \(command.map(requests) ?? "")

    """
  }

  private func requests(about command: CommandID) -> String {
    """
      \(curl) --json '{"session": "\(session)", "command": "\(command)"}' \
    \(address)/commands/perform
      \(curl) --json '{"session": "\(session)", "commands": ["\(command)"], \
    "explain": true}' \(address)/commands/validate

    """
  }
}
