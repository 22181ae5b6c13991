/// The names that a program can use.
public struct Environment: Sendable {
  /// The names of the variables, which can be dotted.
  public var variables: [String]

  /// The types of variables by name. The default is `dyn`.
  public var types: [String: StaticType]

  /// Functions declared by the host without implementation, for checking only.
  public var functions: [Signature]

  /// The dotted name for name resolution.
  ///
  /// In `a.b` the name `c` is `a.b.c`, else `a.c`, else `c`. Parts beyond the 32nd are ignored. The default is
  /// none.
  public var container: String

  /// True if a program with an unknown name or function, or with an argument type for which evaluation can only
  /// fail, is refused.
  ///
  /// The default is true; otherwise evaluation fails.
  public var isChecked: Bool

  /// Creates an environment.
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

  /// Returns the candidates for `name`, in order (langdef "Name Resolution").
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

  /// The maximum number of parts of a dotted name.
  private static let mostParts = 32

  /// True if it has the variable `tr`, which `tr(key)` reads.
  var isTranslating: Bool { variables.contains(Function.translation) }

  func type(ofVariableAt position: Int) -> StaticType {
    variables.indices.contains(position) ? types[variables[position]] ?? .dyn : .dyn
  }

  /// The maximum number of parts in a variable's name.
  var longestName: Int {
    let parts = variables.map { 1 + $0.utf8.count(where: { $0 == UInt8(ascii: ".") }) }
    return min(parts.max() ?? 1, Self.mostParts)
  }
}
