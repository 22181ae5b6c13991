/// The names that a program may mention.
public struct Environment: Sendable {
  /// The names of the variables, which may be dotted.
  public var variables: [String]

  /// The types of variables by their names; the type of the others is `dyn`.
  public var types: [String: StaticType]

  /// Functions that the host declares without telling what they do, for checking alone.
  public var functions: [Signature]

  /// The dotted name against which names are resolved.
  ///
  /// In `a.b` the name `c` is `a.b.c`, else `a.c`, else `c`. Parts beyond the 32nd do not count. The
  /// default is none.
  public var container: String

  /// True if a program is refused when a name or function in it is not known, or when an argument
  /// has a type with which its evaluation can only fail.
  ///
  /// The default is true; otherwise that is a fault when it is evaluated.
  public var isChecked: Bool

  /// Creates the environment of a program.
  public init(
    variables: [String], types: [String: StaticType] = [:], functions: [Signature] = [],
    container: String = "", isChecked: Bool = true
  ) {
    self.variables = variables
    self.types = types
    self.functions = functions
    self.container = container
    self.isChecked = isChecked
  }

  /// The names that `name` may stand for, in the order in which they are tried (langdef "Name
  /// Resolution").
  func candidates(for name: SyntaxTree.QualifiedName) -> [String] {
    guard !name.isAbsolute, !container.isEmpty else { return [name.text] }
    var scope = container.split(separator: ".").prefix(Self.mostParts)
    var candidates: [String] = []
    while !scope.isEmpty {
      candidates.append(scope.joined(separator: ".") + "." + name.text)
      scope.removeLast()
    }
    return candidates + [name.text]
  }

  /// The number of parts of a dotted name that are looked at.
  private static let mostParts = 32

  func type(ofVariableAt position: Int) -> StaticType {
    variables.indices.contains(position) ? types[variables[position]] ?? .dyn : .dyn
  }

  /// The most parts that a dotted name of a variable has.
  var longestName: Int {
    let parts = variables.map { 1 + $0.utf8.count(where: { $0 == UInt8(ascii: ".") }) }
    return min(parts.max() ?? 1, Self.mostParts)
  }
}
