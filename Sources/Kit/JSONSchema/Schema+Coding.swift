import JSONText

/// A schema is coded as its document, and compiled again.
extension Schema: Codable {
  /// Encodes the document.
  public func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }

  /// Decodes the document and compiles it.
  public init(from decoder: any Decoder) throws {
    let document = try JSON(from: decoder)
    do throws(SchemaFaults) {
      try self.init(document)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "the schema \(document) does not compile: \(error.faults)"))
    }
  }
}
