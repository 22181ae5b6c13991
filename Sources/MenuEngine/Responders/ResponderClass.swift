/// A class of responders: handlers that all its instances have (R3).
public struct ResponderClass: Sendable {
  /// Its name.
  public let name: ClassName
  /// The class it inherits from; nil only for `UIResponder`.
  public let superclass: ClassName?
  /// What its instances answer to, apart from what they inherit.
  public let handlers: [Selector: Handler]

  /// The classes that are there without being declared; none has handlers yet.
  public static let builtIn: [ResponderClass] = [
    builtIn("UIResponder", nil), builtIn("UIView", "UIResponder"), builtIn("UIWindow", "UIView"),
    builtIn("UIViewController", "UIResponder"), builtIn("UIScene", "UIResponder"),
    builtIn("UIApplication", "UIResponder"),
  ]

  private static func builtIn(_ name: String, _ superclass: String?) -> ResponderClass {
    ResponderClass(
      name: ClassName(unchecked: name), superclass: superclass.map(ClassName.init(unchecked:)),
      handlers: [:])
  }
}

/// The classes of a catalogue by name, closed under `superclass`.
public struct ResponderClasses: Sendable {
  private let classes: [ClassName: ResponderClass]
  /// What instances answer to, by class and selector, with all that is inherited; classes that
  /// answer to nothing are left out.
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
    for declared in declared { try check(declared) }
    for name in classes.keys {
      let inherited = inheritedHandlers(of: name)
      if !inherited.isEmpty { handlers[name] = inherited }
    }
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

  private func inheritedHandlers(of name: ClassName) -> [Selector: Handler] {
    var handlers: [Selector: Handler] = [:]
    var current = classes[name]
    while let here = current {
      handlers.merge(here.handlers) { nearest, _ in nearest }
      current = here.superclass.flatMap { classes[$0] }
    }
    return handlers
  }

  private func check(_ declared: ResponderClass) throws(DeclarationFault) {
    var path = [declared.name]
    var current = declared
    while let name = current.superclass {
      guard let superclass = classes[name] else {
        throw .unknownSuperclass(current.name, superclass: name)
      }
      path.append(name)
      if path.dropLast().contains(name) { throw .classCycle(path) }
      current = superclass
    }
  }
}
