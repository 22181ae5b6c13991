/// Of a coordinator its registrations are stored, with their tokens.
extension MenuCoordinator: Codable {
  private enum CodingKeys: CodingKey {
    case forwarding
    case registrations
  }

  /// Encodes the registrations in their order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(forwarding, forKey: .forwarding)
    try container.encode(registrations, forKey: .registrations)
  }

  /// Decodes the registrations.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(forwarding: try container.decode(Forwarding.self, forKey: .forwarding))
    for registration in try container.decode([Registration].self, forKey: .registrations) {
      register(registration.handler, for: registration.selector, token: registration.token)
    }
  }
}
