/// Of the classes the declared ones and the categories are stored; what is inherited follows from that.
extension ResponderClasses: Codable {
  private enum CodingKeys: CodingKey {
    case declarations
    case categories
  }

  /// Encodes the declarations.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(declarations, forKey: .declarations)
    try container.encode(categories, forKey: .categories)
  }

  /// Decodes the declarations.
  ///
  /// - Throws: `DecodingError` when they contradict each other, which no stored ones do.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let declarations = try container.decode([ResponderClass].self, forKey: .declarations)
    let categories = try container.decode([ClassCategory].self, forKey: .categories)
    do throws(DeclarationFault) {
      try self.init(declared: declarations, categories: categories)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "the classes contradict each other: \(error)"))
    }
  }
}
