/// The index of a node of a syntax tree, and of its instruction.
typealias NodeID = Int

/// The syntax tree of a program, with macros expanded.
///
/// The nodes are in one array, children before their parents, so that neither walking nor releasing a tree
/// recurses.
struct SyntaxTree {
  enum Node {
    case literal(Value)
    case name(String, isAbsolute: Bool)
    case select(NodeID, String, isQuoted: Bool)
    /// The test whether a selection would succeed.
    case has(NodeID, String)
    case index(NodeID, NodeID)
    /// `a.?b`: an optional, absent without the field.
    case optionalSelect(NodeID, String)
    /// `a[?b]`: an optional, absent without the element.
    case optionalIndex(NodeID, NodeID)
    /// `?a` in a list, or as a value in a map: the optional's value, or nothing.
    case spread(NodeID)
    case unary(UnaryOperator, NodeID)
    case binary(BinaryOperator, NodeID, NodeID)
    /// Two or more operands.
    case logical(LogicalOperator, [NodeID])
    case conditional(NodeID, NodeID, NodeID)
    case call(String, isAbsolute: Bool, [NodeID])
    case memberCall(NodeID, String, [NodeID])
    case list([NodeID])
    case map([Entry])
    case comprehension(Comprehension)
    /// The name of a variable that a macro declares; not an expression.
    case declaration(String)
  }

  struct Entry {
    let key: NodeID
    let value: NodeID
  }

  private(set) var nodes: [Node] = []
  private(set) var ranges: [SourceRange] = []
  /// The range that names each node: its operator, selected field or called function.
  private(set) var anchors: [SourceRange] = []
  /// The expressions in parentheses. A qualified name may be in them but cannot contain them: `(a).b` is a
  /// field of `a`, whatever `a.b` stands for.
  private(set) var parenthesized: Set<NodeID> = []
  var root: NodeID = 0

  mutating func add(_ node: Node, _ range: SourceRange, anchor: SourceRange? = nil) -> NodeID {
    nodes.append(node)
    ranges.append(range)
    anchors.append(anchor ?? range)
    return nodes.count - 1
  }

  mutating func parenthesize(_ id: NodeID) { parenthesized.insert(id) }

  /// Replaces a node that a macro has interpreted.
  mutating func replace(_ id: NodeID, with node: Node) { nodes[id] = node }
}

/// A macro that evaluates an expression for every element of a list or entry of a map.
struct Comprehension {
  enum Kind: String {
    case all
    case exists
    case existsOne = "exists_one"
    case map
    case filter
    case transformList
    case transformMap
    /// The body is a map, whose entries are added.
    case transformMapEntry
    /// The elements, sorted by the values of the body.
    case sortBy
    /// Over an optional, as is the next.
    case optMap
    case optFlatMap
    /// Over any value, which is bound to the variable.
    case bind = "cel.bind"
  }

  let kind: Kind
  let source: NodeID
  /// One for the element of a list or the key of a map; two for index and element, or key and value.
  let variables: [String]
  /// Elements for which it is false are left out.
  let condition: NodeID?
  let body: NodeID
  /// The nodes where the variables are visible.
  let scope: Range<NodeID>
  /// The slot of the first variable, assigned by the compiler.
  var slot = 0
}

enum UnaryOperator: String {
  case not = "!"
  case negate = "-"
}

enum LogicalOperator: String {
  case and = "&&"
  case or = "||"
}

enum BinaryOperator: String {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case isIn = "in"
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"
  case remainder = "%"

  /// The precedence: relations, then sums, then products.
  var precedence: Int {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn: 0
    case .add, .subtract: 1
    case .multiply, .divide, .remainder: 2
    }
  }
}
