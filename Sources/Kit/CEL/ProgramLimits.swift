/// The bounds that keep a program from costing more than its host can spare.
///
/// A program beyond the first three is refused when it is compiled. The others end an evaluation
/// with a fault; a program that is certain to exceed them is refused, too.
public struct ProgramLimits: Sendable, Hashable, Encodable {
  /// The longest source, in UTF-8 bytes.
  ///
  /// The default is 4096, the greatest is 65,536.
  public var maximumSourceLength: Int {
    didSet { maximumSourceLength = min(maximumSourceLength, Self.greatestSourceLength) }
  }

  /// The depth to which parentheses, brackets, braces, arguments and branches may nest.
  ///
  /// The default is 64, the greatest is 128. Chains of operators and selections do not nest.
  public var maximumNesting: Int {
    didSet { maximumNesting = min(maximumNesting, Self.greatestNesting) }
  }

  /// The most parts that a program may have: literals, names, operators, calls and their like.
  ///
  /// The default is 2,000.
  public var maximumNodes: Int

  /// The most steps that an evaluation may take.
  ///
  /// A sub-expression is one step; reading, comparing or producing strings and bytes is one more
  /// for every 16 bytes, and one for every element of a list or map that is compared or copied.
  /// Matching a pattern is one for every 8 bytes and instruction of the pattern.
  /// A name of 64 bytes or more costs one for every 4 bytes, the text of a double, time or address 20,
  /// the first use of a time zone 1,000, and a fault that quotes a value one for every 2 bytes of it.
  /// So no step takes longer than about 100 ns (`make bounds`).
  /// The default is 200,000.
  public var maximumSteps: Int

  /// The longest string or byte sequence that may be produced, in bytes.
  ///
  /// The default is 1 MiB.
  public var maximumStringLength: Int

  /// The most elements that a produced list or map may have.
  ///
  /// The default is 65,536.
  public var maximumElements: Int

  /// Bounds, where those not mentioned have their defaults.
  public init(
    maximumSourceLength: Int = 4096,
    maximumNesting: Int = 64,
    maximumNodes: Int = 2000,
    maximumSteps: Int = 200_000,
    maximumStringLength: Int = 1 << 20,
    maximumElements: Int = 1 << 16
  ) {
    self.maximumSourceLength = min(maximumSourceLength, Self.greatestSourceLength)
    self.maximumNesting = min(maximumNesting, Self.greatestNesting)
    self.maximumNodes = maximumNodes
    self.maximumSteps = maximumSteps
    self.maximumStringLength = maximumStringLength
    self.maximumElements = maximumElements
  }

  /// A chain of macros can nest a value deeper with every few bytes, and releasing it recurses.
  private static let greatestSourceLength = 1 << 16

  /// A level takes about 3 KiB of stack, in debug builds eight times that.
  private static let greatestNesting = 128
}

extension ProgramLimits: Decodable {
  /// Decodes bounds; those beyond the greatest ones become the greatest ones.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      maximumSourceLength: try container.decode(Int.self, forKey: .maximumSourceLength),
      maximumNesting: try container.decode(Int.self, forKey: .maximumNesting),
      maximumNodes: try container.decode(Int.self, forKey: .maximumNodes),
      maximumSteps: try container.decode(Int.self, forKey: .maximumSteps),
      maximumStringLength: try container.decode(Int.self, forKey: .maximumStringLength),
      maximumElements: try container.decode(Int.self, forKey: .maximumElements))
  }
}
