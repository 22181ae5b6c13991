import JSONText
import MenuEngine
import MicroHTTP

/// The thing in a session that a URI names.
enum SessionPlace: Equatable {
  case resource(SessionResource)
  case command(CommandID)
  /// The delivery of a number.
  case delivery(Int)
  /// The template of commands' URIs, as it is written.
  case commandTemplate
  /// The template of deliveries' URIs, as it is written.
  case deliveryTemplate

  /// The place of a URI; nil if it names nothing that there could be.
  ///
  /// Its segments may be percent-encoded: the expansion of a template encodes the colons of commands (RFC 6570).
  init?(uri: String, in session: SessionID) {
    let root = Array("menud://sessions/".utf8)
    guard uri.utf8.starts(with: root) else { return nil }
    let pieces = uri.utf8.dropFirst(root.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let segments = pieces.compactMap { String(Substring($0)).percentDecoded }
    guard segments.count == pieces.count, let name = segments.first,
      name.hasSameBytes(as: session.rawValue)
    else { return nil }
    if segments.count == 3 {
      self.init(segments[1], segments[2])
      return
    }
    let path = segments.dropFirst().map { "/" + $0 }.joined()
    let resource = SessionResource.allCases.first { $0.path.hasSameBytes(as: path) }
    guard segments.count < 3, let resource else { return nil }
    self = .resource(resource)
  }

  private init?(_ kind: String, _ name: String) {
    if kind.hasSameBytes(as: "commands") {
      if name.hasSameBytes(as: "{command}") {
        self = .commandTemplate
        return
      }
      guard let id = CommandID(name) else { return nil }
      self = .command(id)
    } else if kind.hasSameBytes(as: "deliveries") {
      if name.hasSameBytes(as: "{delivery}") {
        self = .deliveryTemplate
        return
      }
      guard let id = Int(name), "\(id)".hasSameBytes(as: name) else { return nil }
      self = .delivery(id)
    } else {
      return nil
    }
  }

  /// The URI in a session.
  func uri(in session: SessionID) -> String {
    switch self {
    case .resource(let resource): resource.uri(in: session)
    case .command(let id): SessionResource.root(session) + "/commands/\(id)"
    case .delivery(let id): SessionResource.root(session) + "/deliveries/\(id)"
    case .commandTemplate: SessionResource.root(session) + "/commands/{command}"
    case .deliveryTemplate: SessionResource.root(session) + "/deliveries/{delivery}"
    }
  }
}
