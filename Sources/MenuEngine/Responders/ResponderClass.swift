import JSONText

/// A class of responders: handlers that all its instances have (R3).
package struct ResponderClass: Sendable, Codable {
  package let name: ClassName
  /// The class it inherits from; nil for `UIResponder` only.
  package let superclass: ClassName?
  /// The rules that decide if its instances can perform actions (R4), whichever class implements them.
  package internal(set) var canPerform: [Selector: Rule] = [:]
  /// The handlers of its instances, without inherited ones.
  package internal(set) var handlers: [Selector: Handler]
  /// The key commands of its instances, without inherited ones (K1).
  package internal(set) var keyCommands: [KeyCommand] = []
  /// The protocol of its instances' delegates (V7). The default is its superclass's; without one, any responder
  /// can be a delegate.
  package internal(set) var delegateProtocol: ProtocolName?
}

/// An extension of a class declared elsewhere, with the same effect as members of the class (A2).
package struct ClassCategory: Sendable, Codable {
  /// Its own name, or that of the class.
  package let name: ClassName
  /// The class, built in or declared.
  package let extended: ClassName
  /// The rules that decide if instances can perform actions (R4), whichever class implements them.
  package let canPerform: [Selector: Rule]
  /// The handlers added to instances.
  package let handlers: [Selector: Handler]
  /// The key commands of instances, after those of the class itself (K1).
  package let keyCommands: [KeyCommand]
}

/// The level that defines a method of a responder: the responder itself, or one of its classes (A2).
package enum MethodLevel: Hashable, Sendable {
  case instance
  case ofClass(ClassName)
}

/// The classes of a catalogue by name, closed under `superclass`.
package final class ResponderClasses: Sendable {
  /// A method and the class that defines it; shared by all classes that inherit it.
  final class DefinedMethod: Sendable {
    let handler: Handler
    let definer: ClassName

    init(handler: Handler, definer: ClassName) {
      self.handler = handler
      self.definer = definer
    }
  }

  /// A class with all members of its instances, inherited ones included. It holds no reference to its superclass, so
  /// that releasing a long lineage does not recurse.
  private final class LinkedClass: Sendable {
    /// The class, with members added by categories.
    let declared: ResponderClass
    /// The handlers by selector.
    let methods: [Selector: DefinedMethod]
    /// The `canPerform` rules by selector, with the class that defines each.
    let rules: [Selector: (rule: Rule, definer: ClassName)]
    /// The key commands, its own first.
    let keyCommands: [KeyCommand]
    let containerKind: ContainerKind

    init(_ declared: ResponderClass, below superclass: LinkedClass?) {
      self.declared = declared
      let name = declared.name
      let methods = declared.handlers.mapValues { DefinedMethod(handler: $0, definer: name) }
      self.methods = superclass?.methods.merging(methods) { _, own in own } ?? methods
      let rules = declared.canPerform.mapValues { (rule: $0, definer: name) }
      self.rules = superclass?.rules.merging(rules) { _, own in own } ?? rules
      keyCommands = declared.keyCommands + (superclass?.keyCommands ?? [])
      containerKind =
        ContainerKind.allCases.first { $0 != .plain && $0.className == name }
        ?? superclass?.containerKind ?? .plain
    }
  }

  private let classes: [ClassName: LinkedClass]
  /// The declared classes, without members added by categories.
  let declarations: [ResponderClass]
  /// The categories, in declaration order.
  package let categories: [ClassCategory]
  /// True if a class has a `canPerform` rule.
  private let hasRules: Bool

  /// Links the built-in and the declared classes.
  ///
  /// - Throws: `DeclarationFault` for a declared class with the name of a built-in one, an unknown superclass,
  ///   a cycle, and a category that redeclares a member.
  init(
    declared: [ResponderClass], categories: [ClassCategory] = []
  ) throws(DeclarationFault) {
    if let (_, fault) = Self.faults(of: declared).first { throw fault }
    if let (_, fault) = Self.faults(of: categories, declared).first { throw fault }
    var classes: [ClassName: ResponderClass] = [:]
    for builtIn in ResponderClass.builtIn { classes[builtIn.name] = builtIn }
    for declared in declared { classes[declared.name] = declared }
    for category in categories { classes[category.extended]?.add(category) }
    self.classes = Self.link(classes)
    declarations = declared
    self.categories = categories
    hasRules = classes.values.contains { !$0.canPerform.isEmpty }
  }

  /// Links each class with its superclass, highest class first.
  private static func link(_ classes: [ClassName: ResponderClass]) -> [ClassName: LinkedClass] {
    var linked: [ClassName: LinkedClass] = [:]
    for name in classes.keys {
      var path: [ResponderClass] = []
      var current = classes[name]
      while let here = current, linked[here.name] == nil {
        path.append(here)
        current = here.superclass.flatMap { classes[$0] }
      }
      for here in path.reversed() {
        linked[here.name] = LinkedClass(here, below: here.superclass.flatMap { linked[$0] })
      }
    }
    return linked
  }

  /// Returns how instances of a class show their children.
  package func containerKind(of name: ClassName) -> ContainerKind {
    classes[name]?.containerKind ?? .plain
  }

  /// True if there is a class of this name.
  package func contains(_ name: ClassName) -> Bool { classes[name] != nil }

  /// The declared classes in alphabetical order, with members added by categories.
  package var declared: [ResponderClass] {
    let builtIn = Set(ResponderClass.builtIn.map(\.name))
    return classes.values.map(\.declared).filter { !builtIn.contains($0.name) }
      .sorted { $0.name.rawValue < $1.name.rawValue }
  }

  /// The built-in classes, then the declared ones in alphabetical order, with members added by categories.
  package var all: [ResponderClass] {
    ResponderClass.builtIn.compactMap { classes[$0.name]?.declared } + declared
  }

  /// Returns the handler of a class's instances for `selector`: the class's own, else the nearest superclass's.
  package func handler(for selector: Selector, in name: ClassName) -> Handler? {
    classes[name]?.methods[selector]?.handler
  }

  /// Returns all methods of a class's instances; empty for an unknown class.
  func methods(of name: ClassName) -> [Selector: DefinedMethod] { classes[name]?.methods ?? [:] }

  /// Returns the method of a class's instances for `selector`, or the next one above a level.
  func method(
    for selector: Selector, in name: ClassName, above level: MethodLevel? = nil
  ) -> DefinedMethod? {
    switch level {
    case nil, .instance: classes[name]?.methods[selector]
    case .ofClass(let definer):
      classes[definer]?.declared.superclass.flatMap { classes[$0]?.methods[selector] }
    }
  }

  /// Returns the rule that decides if a class's instances can perform an action, with the nearest class that
  /// defines one.
  func canPerform(
    _ selector: Selector, in name: ClassName
  ) -> (rule: Rule, definer: ClassName)? {
    hasRules ? classes[name]?.rules[selector] : nil
  }

  var names: some Collection<ClassName> { classes.keys }

  /// Returns the actions with `canPerform` rules for a class's instances.
  func governedActions(of name: ClassName) -> some Collection<Selector> {
    (classes[name]?.rules ?? [:]).keys
  }

  /// Returns a class and its superclasses, nearest first; empty for an unknown class.
  func lineage(of name: ClassName) -> some Sequence<ResponderClass> {
    sequence(state: classes[name]?.declared) { [classes] next in
      defer { next = next?.superclass.flatMap { classes[$0]?.declared } }
      return next
    }
  }

  /// Returns the key commands of a class's instances: the class's own, then those of each superclass.
  func keyCommands(of name: ClassName) -> [KeyCommand] { classes[name]?.keyCommands ?? [] }

  /// Returns the selectors that a class's instances have handlers for, inherited ones included.
  func selectors(of name: ClassName) -> Set<Selector> { Set(methods(of: name).keys) }
}

extension ResponderClass {
  /// Adds the members of a category; existing members win.
  fileprivate mutating func add(_ category: ClassCategory) {
    handlers.merge(category.handlers) { own, _ in own }
    canPerform.merge(category.canPerform) { own, _ in own }
    keyCommands += category.keyCommands
  }
}

/// A class or a category, as a document of the catalogue describes one.
enum ClassDeclaration {
  case declared(ResponderClass)
  case category(ClassCategory)

  /// Reads a class or category; nil with faults in the log.
  ///
  /// A category has `category` in place of `superclass`: `true` if it has the name of the class it extends,
  /// else that name.
  init?(_ name: String, reading json: JSON, log: FaultLog) {
    let place = JSONPointer.root.appending(name)
    let className: ClassName? = Read.identifier(.string(name), at: place, log: log)
    guard var reader = ObjectReader(json, at: place, log: log) else { return nil }
    let category = reader.json("category").flatMap { _ in
      reader.member("category") { Self.extended($0, at: $1, log: $2, like: className) }
    }
    let isCategory = reader.json("category") != nil
    let superclass: ClassName? =
      isCategory
      ? reader.member("superclass", Read.identifier)
      : reader.required("superclass", Read.identifier)
    if isCategory, superclass != nil {
      log.note(.conflictingMembers("superclass", "category"), at: place)
    }
    let canPerform = reader.member("canPerform", Handler.canPerform(reading:at:log:)) ?? [:]
    let handlers = reader.member("handlers", Handler.dictionary(reading:at:log:)) ?? [:]
    reader.refuseRepeated(canPerform, handlers)
    let keyCommands = reader.member("keyCommands", KeyCommand.list(reading:at:log:)) ?? []
    let delegateProtocol: ProtocolName? =
      isCategory ? nil : reader.member("delegateProtocol", Read.identifier)
    reader.finish()
    guard let className else { return nil }
    if isCategory {
      guard let category else { return nil }
      self = .category(
        ClassCategory(
          name: className, extended: category, canPerform: canPerform, handlers: handlers,
          keyCommands: keyCommands))
    } else {
      guard let superclass else { return nil }
      self = .declared(
        ResponderClass(
          name: className, superclass: superclass, canPerform: canPerform, handlers: handlers,
          keyCommands: keyCommands, delegateProtocol: delegateProtocol))
    }
  }

  private static func extended(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog, like name: ClassName?
  ) -> ClassName? {
    if json == .bool(true) { return name }
    if case .string(let text) = json, let extended = ClassName(text) { return extended }
    return Read.refuse(.category, json, at: pointer, log: log)
  }

  var declared: ResponderClass? {
    switch self {
    case .declared(let declared): declared
    case .category: nil
    }
  }

  var category: ClassCategory? {
    switch self {
    case .declared: nil
    case .category(let category): category
    }
  }
}

extension ResponderClasses {
  /// Returns the faults of declared classes, each with the class at fault: names of built-in classes,
  /// superclasses neither declared nor in `names`, and one fault per cycle.
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
        faults.append((declared.name, .class(.builtInClass(declared.name))))
      }
      if let superclass = declared.superclass, !known.contains(superclass) {
        let others = known.subtracting([declared.name]).sorted { $0.rawValue < $1.rawValue }
        faults.append(
          (
            declared.name,
            .class(.unknownSuperclass(declared.name, superclass: superclass, known: others))
          ))
      }
      if let cycle = cycle(from: declared.name, superclasses, &finished) {
        faults.append((cycle[0], .class(.classCycle(cycle))))
      }
    }
    return faults
  }

  /// Returns the cycle above a class, unless its superclasses were checked before.
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
  /// Returns the faults of categories, each with the category at fault: classes neither declared nor in
  /// `names`, and methods that the class or another category already has.
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
        faults.append((category.name, .class(.unknownExtendedClass(category.name, extended))))
        continue
      }
      let repeated =
        category.handlers.keys.filter { !classes[extended, default: []].insert($0).inserted }
        + category.canPerform.keys.filter { !rules[extended, default: []].insert($0).inserted }
      for selector in repeated.sorted(by: { $0.rawValue < $1.rawValue }) {
        faults.append(
          (category.name, .class(.repeatedMethod(category.name, selector, of: extended))))
      }
    }
    return faults
  }
}

/// The coded form has the declared classes and the categories; inherited members are derived.
extension ResponderClasses: Codable {
  private enum CodingKeys: CodingKey {
    case declarations
    case categories
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(declarations, forKey: .declarations)
    try container.encode(categories, forKey: .categories)
  }

  /// Decodes the declarations.
  ///
  /// - Throws: `DecodingError` if they are inconsistent, which stored ones never are.
  package convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let declarations = try container.decode([ResponderClass].self, forKey: .declarations)
    let categories = try container.decode([ClassCategory].self, forKey: .categories)
    do throws(DeclarationFault) {
      try self.init(declared: declarations, categories: categories)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "the classes contradict each other: \(error)"))
    }
  }
}
