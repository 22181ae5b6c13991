/// The bindings of type variables, by the algorithm of cel-spec's reference checker: a variable stands for the
/// most general of the types assigned to it.
///
/// Recursion and time are bounded: beyond a depth, and once its work is used up, types count as `dyn`.
struct Unification {
  private var bindings: [StaticType?] = []
  /// The bindings before the assignments of the current attempt.
  private var trail: [(variable: Int, binding: StaticType?)] = []
  private let maximumWork: Int
  private var work: Int

  /// Creates the types of a program of a number of nodes; the work is proportional to it, at most 400,000
  /// steps.
  init(nodes: Int) {
    maximumWork = min(1000 + 100 * nodes, 400_000)
    work = maximumWork
  }

  /// The number of types visited.
  var workDone: Int { maximumWork - max(work, 0) }

  mutating func makeVariable() -> StaticType {
    bindings.append(nil)
    return StaticType(.variable(bindings.count - 1))
  }

  /// Returns the types of `signature`, with a new variable for each type parameter.
  mutating func instance(
    of signature: Signature
  ) -> (parameters: [StaticType], result: StaticType) {
    guard signature.isGeneric else { return (signature.parameters, signature.result) }
    var variables: [String: StaticType] = [:]
    let parameters = signature.parameters.map { instance(of: $0, &variables) }
    return (parameters, instance(of: signature.result, &variables))
  }

  private mutating func instance(
    of type: StaticType, _ variables: inout [String: StaticType]
  ) -> StaticType {
    if case .parameter(let name) = type.head {
      let variable = variables[name] ?? makeVariable()
      variables[name] = variable
      return variable
    }
    guard !type.arguments.isEmpty else { return type }
    return StaticType(type.head, type.arguments.map { instance(of: $0, &variables) })
  }

  /// True if values of the types `sources` are accepted for `targets`; only then are variables bound.
  mutating func isAssignable(_ sources: [StaticType], to targets: [StaticType]) -> Bool {
    trail = []
    if areAssignable(sources, to: targets, 0) { return true }
    for (variable, binding) in trail.reversed() { bindings[variable] = binding }
    return false
  }

  /// Returns the type with bound variables replaced.
  mutating func resolved(_ type: StaticType) -> StaticType { resolved(type, 0) }

  /// Returns the common type of both, whatever their elements; null has every nullable type.
  mutating func joined(_ first: StaticType, _ second: StaticType) -> StaticType {
    guard isAssignable([first], to: [second]) else { return .dyn }
    if first == .null { return second }
    if second == .null { return first }
    return isAsGeneral(first, as: second, 0) ? first : second
  }

  private mutating func resolved(_ type: StaticType, _ depth: Int) -> StaticType {
    guard mayGoOn(depth) else { return .dyn }
    if case .variable(let variable) = type.head {
      guard let binding = bindings[variable] else { return type }
      return resolved(binding, depth + 1)
    }
    guard !type.arguments.isEmpty else { return type }
    return StaticType(type.head, type.arguments.map { resolved($0, depth + 1) })
  }

  private mutating func mayGoOn(_ depth: Int) -> Bool {
    work -= 1
    return work > 0 && depth < StaticType.maximumDepth
  }
}

// MARK: - Assignment

extension Unification {
  private mutating func areAssignable(
    _ sources: [StaticType], to targets: [StaticType], _ depth: Int
  ) -> Bool {
    guard sources.count == targets.count else { return false }
    for (source, target) in zip(sources, targets) where !assign(source, to: target, depth) {
      return false
    }
    return true
  }

  private mutating func assign(
    _ source: StaticType, to target: StaticType, _ depth: Int
  ) -> Bool {
    guard mayGoOn(depth) else { return true }
    if case .variable(let variable) = target.head { return bind(variable, to: source, depth) }
    if case .variable(let variable) = source.head { return bind(variable, to: target, depth) }
    if source.isDyn || target.isDyn { return true }
    if source.name == "null_type" { return target.name == "null_type" || target.isNullable }
    if target.name == "null_type" { return source.isNullable }
    guard source.head == target.head else { return false }
    if source.name == "type" { return true }
    return areAssignable(source.arguments, to: target.arguments, depth + 1)
  }

  /// True if the variable can stand for `type`. A variable that would contain itself stays unbound, and so can
  /// stand for anything.
  private mutating func bind(_ variable: Int, to type: StaticType, _ depth: Int) -> Bool {
    if type.head == .variable(variable) { return true }
    guard let bound = bindings[variable] else {
      if !occurs(variable, in: type, depth) { set(variable, type) }
      return true
    }
    guard assign(type, to: bound, depth + 1) else { return false }
    let general = bound == .null || isAsGeneral(type, as: bound, depth) ? type : bound
    if !occurs(variable, in: general, depth) { set(variable, general) }
    return true
  }

  private mutating func set(_ variable: Int, _ type: StaticType) {
    trail.append((variable, bindings[variable]))
    bindings[variable] = type
  }

  private mutating func occurs(_ variable: Int, in type: StaticType, _ depth: Int) -> Bool {
    guard mayGoOn(depth) else { return true }
    if case .variable(let other) = type.head {
      if other == variable { return true }
      guard let binding = bindings[other] else { return false }
      return occurs(variable, in: binding, depth + 1)
    }
    for argument in type.arguments where occurs(variable, in: argument, depth + 1) { return true }
    return false
  }

  /// True if `type` equals `other`, or is more general.
  private mutating func isAsGeneral(
    _ type: StaticType, as other: StaticType, _ depth: Int
  ) -> Bool {
    guard mayGoOn(depth), !type.isDyn, !type.isVariable else { return true }
    guard !other.isDyn, !other.isVariable, type.head == other.head,
      type.arguments.count == other.arguments.count
    else { return false }
    if type.name == "type" { return true }
    for (argument, counterpart) in zip(type.arguments, other.arguments)
    where !isAsGeneral(argument, as: counterpart, depth + 1) {
      return false
    }
    return true
  }
}
