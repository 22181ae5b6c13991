/// A class of responders: handlers that all its instances have (R3).
public struct ResponderClass: Sendable {
  /// Its name.
  public let name: ClassName
  /// The class it inherits from; nil only for `UIResponder`.
  public let superclass: ClassName?
  /// What its instances answer to, apart from what they inherit.
  public let handlers: [Selector: Handler]
  /// The keys its instances listen to, apart from those that are inherited (K1).
  public internal(set) var keyCommands: [KeyCommand] = []
  /// The protocol of the delegates of its instances (V7). The default is its superclass's; without any,
  /// a delegate can be anybody.
  public internal(set) var delegateProtocol: ProtocolName?

  /// The classes that are there without being declared.
  public static let builtIn: [ResponderClass] = [
    builtIn("UIResponder", nil), builtIn("UIView", "UIResponder"),
    builtIn("UIWindow", "UIView", Handler.undoing),
    builtIn("UIViewController", "UIResponder"), builtIn("UIScene", "UIResponder"),
    builtIn("UIApplication", "UIResponder", Handler.undoing),
  ]

  private static func builtIn(
    _ name: String, _ superclass: String?, _ handlers: [Selector: Handler] = [:]
  ) -> ResponderClass {
    ResponderClass(
      name: ClassName(unchecked: name), superclass: superclass.map(ClassName.init(unchecked:)),
      handlers: handlers)
  }
}

/// The classes of a catalogue by name, closed under `superclass`.
public struct ResponderClasses: Sendable {
  private let classes: [ClassName: ResponderClass]
  /// What instances answer to, by class and selector, with all that is inherited.
  private var handlers: [ClassName: [Selector: Handler]] = [:]

  /// The built-in classes and the declared ones.
  ///
  /// - Throws: `DeclarationFault` for a declared class with the name of a built-in one, for an
  ///   unknown superclass, and for a cycle.
  init(declared: [ResponderClass]) throws(DeclarationFault) {
    var classes: [ClassName: ResponderClass] = [:]
    for builtIn in ResponderClass.builtIn { classes[builtIn.name] = builtIn }
    for declared in declared {
      guard classes.updateValue(declared, forKey: declared.name) == nil else {
        throw .builtInClass(declared.name)
      }
    }
    self.classes = classes
    if let (_, fault) = Self.faults(of: declared).first { throw fault }
    for name in classes.keys { inheritHandlers(name) }
  }

  /// Whether there is a class of this name.
  public func contains(_ name: ClassName) -> Bool { classes[name] != nil }

  /// The declared classes, in alphabetical order.
  public var declared: [ResponderClass] {
    let builtIn = Set(ResponderClass.builtIn.map(\.name))
    return classes.values.filter { !builtIn.contains($0.name) }
      .sorted { $0.name.rawValue < $1.name.rawValue }
  }

  /// The handler that instances of a class have for `selector`: the class's own, else the nearest
  /// superclass's.
  public func handler(for selector: Selector, in name: ClassName) -> Handler? {
    handlers[name]?[selector]
  }

  /// A class and those that it inherits from, the nearest first; empty when there is none of its name.
  func lineage(of name: ClassName) -> [ResponderClass] {
    var lineage: [ResponderClass] = []
    var current = classes[name]
    while let here = current {
      lineage.append(here)
      current = here.superclass.flatMap { classes[$0] }
    }
    return lineage
  }

  /// The keys that instances of a class listen to: the class's own, then those of each superclass.
  func keyCommands(of name: ClassName) -> [KeyCommand] {
    lineage(of: name).flatMap(\.keyCommands)
  }

  /// All that instances of a class have handlers for, what is inherited included.
  func selectors(of name: ClassName) -> Set<Selector> { Set((handlers[name] ?? [:]).keys) }

  /// Notes what instances of a class and its superclasses answer to, highest class first.
  private mutating func inheritHandlers(_ name: ClassName) {
    var path: [ResponderClass] = []
    var current = classes[name]
    while let here = current, handlers[here.name] == nil {
      path.append(here)
      current = here.superclass.flatMap { classes[$0] }
    }
    for here in path.reversed() {
      let inherited = here.superclass.flatMap { handlers[$0] } ?? [:]
      handlers[here.name] = inherited.merging(here.handlers) { _, own in own }
    }
  }
}

extension ResponderClasses {
  /// What contradicts what in declared classes, each by the class at fault: names of built-in
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
        faults.append((declared.name, .unknownSuperclass(declared.name, superclass: superclass)))
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
