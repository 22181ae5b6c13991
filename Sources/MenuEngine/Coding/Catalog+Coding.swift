/// Of a catalogue everything is stored but what makes finding faster.
extension Catalog: Codable {
  private enum CodingKeys: CodingKey {
    case revision
    case commands
    case menus
    case changes
    case leftOut
    case protocols
    case storyboards
    case classes
    case template
  }

  /// Encodes the declarations with all that was changed and left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(revision, forKey: .revision)
    try container.encode(commands, forKey: .commands)
    try container.encode(menus, forKey: .menus)
    try container.encode(changes, forKey: .changes)
    try container.encode(leftOut, forKey: .leftOut)
    try container.encode(protocols, forKey: .protocols)
    try container.encode(storyboards, forKey: .storyboards)
    try container.encode(classes, forKey: .classes)
    try container.encodeIfPresent(template, forKey: .template)
  }

  /// Decodes a catalogue.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    classes = try container.decode(ResponderClasses.self, forKey: .classes)
    let template = try container.decodeIfPresent(SessionTemplate.self, forKey: .template)
    opening = Shared((template, OpeningGraph(template)))
    menus = try container.decode(Menu.self, forKey: .menus)
    protocols = try container.decode([DelegateProtocol].self, forKey: .protocols)
    storyboards = try container.decode([Storyboard].self, forKey: .storyboards)
    revision = try container.decode(Int.self, forKey: .revision)
    changes = try container.decode([CatalogChange].self, forKey: .changes)
    leftOut = try container.decode([CatalogSuccession.LeftOut].self, forKey: .leftOut)
    for command in try container.decode([Command].self, forKey: .commands) {
      do throws(DeclarationFault) {
        try add(command)
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: .commands, in: container,
          debugDescription: "the commands contradict each other: \(error)")
      }
    }
    orderKeyClaims()
  }
}
