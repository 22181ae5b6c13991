/// The bounds that keep a schema from costing more than its host can spare.
///
/// A schema beyond the first four is refused when it is compiled, a value beyond the others when it is
/// checked.
public struct SchemaLimits: Sendable, Hashable {
  /// How much a schema may hold, in values and bytes of strings and names. The default is 16,384.
  public var maximumSize = 1 << 14
  /// How deep arrays and objects may stand inside each other in a schema. The default is 64.
  public var maximumNesting = 64
  /// How many schemas may stand in a schema, itself included. The default is 1,000.
  public var maximumSubschemas = 1000
  /// How many steps compiling the patterns of a schema may take together. The default is 100,000, about
  /// 10 ms; a short pattern takes about 500.
  public var maximumPatternWork = 100_000
  /// How many steps checking a value may take. The default is 200,000, about 20 ms.
  public var maximumSteps = 200_000
  /// How deep schemas may be applied inside each other while a value is checked. The default is 256.
  public var maximumDepth = 256

  /// The defaults.
  public init() {}
}
