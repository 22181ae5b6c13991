import CEL
import JSONText

/// A rule is coded as its source, and compiled again under the bounds it was compiled under before.
///
/// **Decision:** bounds other than CEL's defaults are stored with the rule. A session that is recovered
/// under a configuration with other bounds goes on as it was, since its mutations would otherwise not
/// do again what they did; what is registered from then on has the new bounds.
extension Rule: Codable {
  private enum CodingKeys: CodingKey {
    case source
    case limits
  }

  /// Encodes the source, with the bounds unless they are the defaults.
  public func encode(to encoder: any Encoder) throws {
    guard program.limits != ProgramLimits() else {
      var container = encoder.singleValueContainer()
      return try container.encode(program.source)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(program.source, forKey: .source)
    try container.encode(program.limits, forKey: .limits)
  }

  /// Decodes the source and compiles it.
  public init(from decoder: any Decoder) throws {
    if let source = try? decoder.singleValueContainer().decode(String.self) {
      try self.init(source, limits: .init(), in: decoder)
    } else {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      try self.init(
        try container.decode(String.self, forKey: .source),
        limits: try container.decode(ProgramLimits.self, forKey: .limits), in: decoder)
    }
  }

  private init(_ source: String, limits: ProgramLimits, in decoder: any Decoder) throws {
    do throws(CompilationFault) {
      try self.init(source, limits: limits)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "the rule \(JSON.string(source)) does not compile: \(error)"))
    }
  }
}
