extension ResponderClasses {
  /// Returns the contradictions in declared classes, each by the class at fault: names of built-in
  /// classes, superclasses that are neither declared nor among `names`, and one cycle each.
  static func faults(
    of declared: [ResponderClass], besides names: Set<ClassName> = []
  ) -> [(ClassName, DeclarationFault)] {
    let builtIn = Set(ResponderClass.builtIn.map(\.name))
    let known = builtIn.union(names).union(declared.map(\.name))
    let superclasses = Dictionary(
      declared.map { ($0.name, $0.superclass) }, uniquingKeysWith: { first, _ in first })
    var finished = builtIn
    var faults: [(ClassName, DeclarationFault)] = []
    for declared in declared {
      if builtIn.contains(declared.name) {
        faults.append((declared.name, .builtInClass(declared.name)))
      }
      if let superclass = declared.superclass, !known.contains(superclass) {
        let others = known.subtracting([declared.name]).sorted { $0.rawValue < $1.rawValue }
        faults.append(
          (
            declared.name,
            .unknownSuperclass(declared.name, superclass: superclass, known: others)
          ))
      }
      if let cycle = cycle(from: declared.name, superclasses, &finished) {
        faults.append((cycle[0], .classCycle(cycle)))
      }
    }
    return faults
  }

  /// The cycle that the way up from a class ends in, unless that way is finished already.
  private static func cycle(
    from start: ClassName, _ superclasses: [ClassName: ClassName?],
    _ finished: inout Set<ClassName>
  ) -> [ClassName]? {
    var path: [ClassName] = []
    var positions: [ClassName: Int] = [:]
    var current: ClassName? = start
    defer { finished.formUnion(path) }
    while let name = current, !finished.contains(name) {
      if let position = positions[name] { return path[position...] + [name] }
      positions[name] = path.count
      path.append(name)
      current = superclasses[name] ?? nil
    }
    return nil
  }
}

extension ResponderClasses {
  /// Returns the contradictions in categories, each by the category at fault: classes that are
  /// neither declared nor among `names`, and methods that a class or another category has already.
  static func faults(
    of categories: [ClassCategory], _ declared: [ResponderClass],
    besides names: Set<ClassName> = []
  ) -> [(ClassName, DeclarationFault)] {
    var classes = Dictionary(
      (ResponderClass.builtIn + declared).map { ($0.name, Set($0.handlers.keys)) },
      uniquingKeysWith: { first, _ in first })
    var rules = Dictionary(
      declared.map { ($0.name, Set($0.canPerform.keys)) }, uniquingKeysWith: { first, _ in first })
    var faults: [(ClassName, DeclarationFault)] = []
    for category in categories {
      let extended = category.extended
      guard classes[extended] != nil || names.contains(extended) else {
        faults.append((category.name, .unknownExtendedClass(category.name, extended)))
        continue
      }
      let repeated =
        category.handlers.keys.filter { !classes[extended, default: []].insert($0).inserted }
        + category.canPerform.keys.filter { !rules[extended, default: []].insert($0).inserted }
      for selector in repeated.sorted(by: { $0.rawValue < $1.rawValue }) {
        faults.append((category.name, .repeatedMethod(category.name, selector, of: extended)))
      }
    }
    return faults
  }
}
