/// What a program may mention.
public struct Environment: Sendable {
  /// The names of the variables, which may be dotted.
  public var variables: [String]

  /// The dotted name against which names are resolved.
  ///
  /// In `a.b` the name `c` is `a.b.c`, else `a.c`, else `c`. The default is none.
  public var container: String

  /// Whether a name or function that is not known is refused when the program is compiled.
  ///
  /// The default is true; otherwise it is a fault when it is evaluated.
  public var isChecked: Bool

  /// What a program may mention.
  public init(variables: [String], container: String = "", isChecked: Bool = true) {
    self.variables = variables
    self.container = container
    self.isChecked = isChecked
  }

  /// The names that `name` may stand for, in the order in which they are tried (langdef "Name
  /// Resolution").
  func candidates(for name: SyntaxTree.QualifiedName) -> [String] {
    guard !name.isAbsolute, !container.isEmpty else { return [name.text] }
    var scope = container.split(separator: ".")
    var candidates: [String] = []
    while !scope.isEmpty {
      candidates.append(scope.joined(separator: ".") + "." + name.text)
      scope.removeLast()
    }
    return candidates + [name.text]
  }

  /// The most parts that a dotted name of a variable has.
  var longestName: Int {
    variables.map { 1 + $0.utf8.count(where: { $0 == UInt8(ascii: ".") }) }.max() ?? 1
  }
}
