/// The operation of one node of the syntax tree, with names and functions resolved.
enum Instruction {
  case constant(Value)
  /// The variable at this position of the environment.
  case variable(Int)
  /// The variable of a comprehension.
  case local(Int)
  /// A name or function that is unknown, in an unchecked program.
  case undeclared(String)
  case select(NodeID, String)
  case has(NodeID, String)
  case index(NodeID, NodeID)
  case optionalSelect(NodeID, String)
  case optionalIndex(NodeID, NodeID)
  case spread(NodeID)
  /// The first optional, or its value, if there is one; else the second operand.
  case orElse(NodeID, NodeID, unwraps: Bool)
  case unary(UnaryOperator, NodeID)
  case binary(BinaryOperator, NodeID, NodeID)
  case logical(LogicalOperator, [NodeID])
  case conditional(NodeID, NodeID, NodeID)
  case callUnary(Function.Unary, NodeID)
  case callBinary(Function.Binary, NodeID, NodeID)
  case callVariadic(Function.Variadic, [NodeID])
  case list([NodeID])
  case map([SyntaxTree.Entry])
  case comprehension(Comprehension)
  /// The node is not evaluated: it is part of a dotted name, or a declaration.
  case unused
}

extension Instruction {
  /// The operand that is evaluated before anything else, if there is such a one.
  var head: NodeID? {
    switch self {
    case .select(let operand, _), .has(let operand, _), .index(let operand, _),
      .unary(_, let operand), .binary(_, let operand, _), .conditional(let operand, _, _),
      .callUnary(_, let operand), .callBinary(_, let operand, _),
      .optionalSelect(let operand, _), .optionalIndex(let operand, _), .spread(let operand),
      .orElse(let operand, _, _):
      operand
    case .comprehension(let comprehension):
      comprehension.kind == .bind ? nil : comprehension.source
    case .constant, .variable, .local, .undeclared, .logical, .callVariadic, .list, .map, .unused:
      nil
    }
  }

  /// All operands, in the order of the source.
  var operands: [NodeID] {
    switch self {
    case .constant, .variable, .local, .undeclared, .unused: []
    case .select(let operand, _), .has(let operand, _), .unary(_, let operand),
      .callUnary(_, let operand), .optionalSelect(let operand, _), .spread(let operand):
      [operand]
    case .index(let first, let second), .binary(_, let first, let second),
      .callBinary(_, let first, let second), .optionalIndex(let first, let second),
      .orElse(let first, let second, _):
      [first, second]
    case .conditional(let first, let second, let third): [first, second, third]
    case .logical(_, let operands), .callVariadic(_, let operands), .list(let operands): operands
    case .map(let entries): entries.flatMap { [$0.key, $0.value] }
    case .comprehension(let comprehension):
      [comprehension.source] + (comprehension.condition.map { [$0] } ?? []) + [comprehension.body]
    }
  }
}
