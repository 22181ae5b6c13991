/// Of a graph its responders are stored, in their order; where chains lead and who has links to whom
/// follows from that.
extension ResponderGraph: Codable {
  private enum CodingKeys: CodingKey {
    case responders
  }

  /// Encodes the responders, the ends of registries included.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Array(responders), forKey: .responders)
  }

  /// Decodes the responders and links them up.
  ///
  /// - Throws: `DecodingError` when they do not hold together, which no stored ones do.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let responders = try container.decode([Responder].self, forKey: .responders)
    do throws(MutationFault) {
      try self.init(restoring: responders.map { [$0] })
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .responders, in: container,
        debugDescription: "the responders do not hold together: \(error)")
    }
  }

  /// The graph of responders as they were in another graph, each alone in an array that graphs share.
  ///
  /// - Throws: `MutationFault` when they do not hold together.
  init(restoring cells: [[Responder]]) throws(MutationFault) {
    self.init()
    for cell in cells where store(cell) == nil {
      for member in cell[0].lateResponders?.members ?? [] { registrars[member] = cell[0].id }
    }
    for position in responders.indices {
      if let fault = connect(position).first { throw fault }
    }
    // The ends of registries are led to and on from by the registries.
    let derived = deriveNext(of: ids)
    try refuseCycles(from: derived)
  }
}
