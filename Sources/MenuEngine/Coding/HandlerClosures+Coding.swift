/// Closures are code of the program that embeds the engine, and cannot be stored.
extension HandlerClosures: Codable {
  /// Encodes nothing.
  ///
  /// - Throws: `EncodingError` when there are closures.
  public func encode(to encoder: any Encoder) throws {
    guard !isEmpty else { return }
    throw EncodingError.invalidValue(
      self,
      EncodingError.Context(
        codingPath: encoder.codingPath,
        debugDescription:
          "the handler has closures (\(names.joined(separator: ", "))), which are code"
          + " and cannot be stored; describe it by rules and effects, or do not store the session"))
  }

  /// No closures.
  public init(from decoder: any Decoder) { self.init() }
}
