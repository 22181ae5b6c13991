/// A class of responders: handlers that all its instances have (R3).
public struct ResponderClass: Sendable, Codable {
  /// Its name.
  public let name: ClassName
  /// The class it inherits from; nil only for `UIResponder`.
  public let superclass: ClassName?
  /// The rules that decide if its instances can perform actions (R4), whichever class implements
  /// these.
  public internal(set) var canPerform: [Selector: Rule] = [:]
  /// The handlers of its instances, apart from those that they inherit.
  public internal(set) var handlers: [Selector: Handler]
  /// The keys its instances listen to, apart from those that are inherited (K1).
  public internal(set) var keyCommands: [KeyCommand] = []
  /// The protocol of the delegates of its instances (V7). The default is its superclass's; without any,
  /// a delegate can be anybody.
  public internal(set) var delegateProtocol: ProtocolName?
}

/// An addition to a class from elsewhere, as if the class had it itself (A2).
public struct ClassCategory: Sendable, Codable {
  /// Its own name, or that of the class.
  public let name: ClassName
  /// The class, built in or declared.
  public let extended: ClassName
  /// The rules that decide if instances can perform actions (R4), whichever class implements these.
  public let canPerform: [Selector: Rule]
  /// The handlers that instances get.
  public let handlers: [Selector: Handler]
  /// The keys that instances listen to after those of the class itself (K1).
  public let keyCommands: [KeyCommand]
}

/// The level that has a method of a responder: the responder itself, or one of its classes (A2).
public enum MethodLevel: Hashable, Sendable {
  case instance
  case ofClass(ClassName)
}

/// The classes of a catalogue by name, closed under `superclass`.
public struct ResponderClasses: Sendable {
  /// A method and the class that defines it; shared by all classes that inherit it.
  final class DefinedMethod: Sendable {
    let handler: Handler
    let definer: ClassName

    init(handler: Handler, definer: ClassName) {
      self.handler = handler
      self.definer = definer
    }
  }

  private var classes: [ClassName: ResponderClass]
  /// The declared classes without what categories add to them.
  let declarations: [ResponderClass]
  /// The declared categories, in the order of their declaration.
  public let categories: [ClassCategory]
  /// The handlers of instances by class and selector, with all that are inherited.
  private var methods: [ClassName: [Selector: DefinedMethod]] = [:]
  /// The rules of `canPerform`, with all that is inherited, each with the class that gives it.
  private var rules: [ClassName: [Selector: (rule: Rule, definer: ClassName)]] = [:]

  /// The kinds of the containers among the classes.
  private var containerKinds: [ClassName: ContainerKind] = [:]

  /// The built-in classes and the declared ones.
  ///
  /// - Throws: `DeclarationFault` for a declared class with the name of a built-in one, for an
  ///   unknown superclass, for a cycle, and for a category that declares anew what is there.
  init(
    declared: [ResponderClass], categories: [ClassCategory] = []
  ) throws(DeclarationFault) {
    var classes: [ClassName: ResponderClass] = [:]
    for builtIn in ResponderClass.builtIn { classes[builtIn.name] = builtIn }
    for declared in declared {
      guard classes.updateValue(declared, forKey: declared.name) == nil else {
        throw .builtInClass(declared.name)
      }
    }
    self.classes = classes
    declarations = declared
    self.categories = categories
    if let (_, fault) = Self.faults(of: declared).first { throw fault }
    if let (_, fault) = Self.faults(of: categories, declared).first { throw fault }
    for category in categories { self.classes[category.extended]?.add(category) }
    for name in classes.keys { inheritMethods(name) }
    for kind in ContainerKind.allCases where kind != .plain {
      for name in classes.keys where inherits(name, from: kind.className) {
        containerKinds[name] = kind
      }
    }
  }

  /// Returns how instances of a class show their children.
  public func containerKind(of name: ClassName) -> ContainerKind {
    containerKinds[name] ?? .plain
  }

  /// True if there is a class of this name.
  public func contains(_ name: ClassName) -> Bool { classes[name] != nil }

  /// The class that a class inherits from.
  func superclass(of name: ClassName) -> ClassName? { classes[name]?.superclass }

  /// The declared classes, in alphabetical order; what categories add to them is in them.
  public var declared: [ResponderClass] {
    let builtIn = Set(ResponderClass.builtIn.map(\.name))
    return classes.values.filter { !builtIn.contains($0.name) }
      .sorted { $0.name.rawValue < $1.name.rawValue }
  }

  /// The built-in classes, and then the declared ones in alphabetical order; what categories add to them
  /// is in them.
  public var all: [ResponderClass] {
    ResponderClass.builtIn.compactMap { classes[$0.name] } + declared
  }

  /// The handler that instances of a class have for `selector`: the class's own, else the nearest
  /// superclass's.
  public func handler(for selector: Selector, in name: ClassName) -> Handler? {
    methods[name]?[selector]?.handler
  }

  /// All that instances of a class answer to; empty when there is no class of its name.
  func methods(of name: ClassName) -> [Selector: DefinedMethod] { methods[name] ?? [:] }

  /// The method that instances of a class have for `selector`, or the next one above a level.
  func method(
    for selector: Selector, in name: ClassName, above level: MethodLevel? = nil
  ) -> DefinedMethod? {
    switch level {
    case nil, .instance: methods[name]?[selector]
    case .ofClass(let definer):
      classes[definer]?.superclass.flatMap { methods[$0]?[selector] }
    }
  }

  /// The rule that says whether instances of a class can perform an action, with the nearest class
  /// that gives one.
  func canPerform(
    _ selector: Selector, in name: ClassName
  ) -> (rule: Rule, definer: ClassName)? {
    rules.isEmpty ? nil : rules[name]?[selector]
  }

  /// The names of all classes.
  var names: some Collection<ClassName> { classes.keys }

  /// The actions for which rules say whether instances of a class can perform them.
  func governedActions(of name: ClassName) -> some Collection<Selector> {
    (rules[name] ?? [:]).keys
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
  func selectors(of name: ClassName) -> Set<Selector> { Set((methods[name] ?? [:]).keys) }

  /// Notes what instances of a class and its superclasses answer to, highest class first.
  private mutating func inheritMethods(_ name: ClassName) {
    var path: [ResponderClass] = []
    var current = classes[name]
    while let here = current, methods[here.name] == nil {
      path.append(here)
      current = here.superclass.flatMap { classes[$0] }
    }
    for here in path.reversed() {
      let own = here.handlers.mapValues { DefinedMethod(handler: $0, definer: here.name) }
      let inherited = here.superclass.flatMap { methods[$0] } ?? [:]
      methods[here.name] = inherited.merging(own) { _, own in own }
      let ownRules = here.canPerform.mapValues { (rule: $0, definer: here.name) }
      let inheritedRules = here.superclass.flatMap { rules[$0] } ?? [:]
      let all = inheritedRules.merging(ownRules) { _, own in own }
      if !all.isEmpty { rules[here.name] = all }
    }
  }
}

extension ResponderClass {
  /// Adds the members of a category; a category cannot redeclare existing ones.
  fileprivate mutating func add(_ category: ClassCategory) {
    handlers.merge(category.handlers) { own, _ in own }
    canPerform.merge(category.canPerform) { own, _ in own }
    keyCommands += category.keyCommands
  }
}
