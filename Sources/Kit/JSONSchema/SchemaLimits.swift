/// The bounds that keep a schema from costing more than its host can spare.
///
/// A schema beyond the first four is refused when it is compiled, a value beyond the others when it is
/// checked.
public struct SchemaLimits: Sendable, Hashable {
  /// The size of a schema, in values and bytes of strings and names. The default is 16,384.
  public var maximumSize = 1 << 14
  /// The nesting of arrays and objects in a schema. The default is 64.
  public var maximumNesting = 64
  /// The number of schemas in a schema, itself included. The default is 1,000.
  public var maximumSubschemas = 1000
  /// The number of steps for compiling all patterns of a schema. The default is 100,000, about 10
  /// ms; a short pattern takes about 500.
  public var maximumPatternWork = 100_000
  /// The number of steps for checking a value. The default is 200,000, about 20 ms.
  public var maximumSteps = 200_000
  /// The nesting of schemas that are applied while a value is checked. The default is 256.
  public var maximumDepth = 256

  /// The defaults.
  public init() {}
}
