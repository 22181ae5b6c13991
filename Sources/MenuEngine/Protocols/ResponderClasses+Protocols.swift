extension ResponderClasses {
  /// The protocol of the delegates of a class: its own, else the nearest superclass's (V7).
  func delegateProtocol(of name: ClassName) -> ProtocolName? {
    lineage(of: name).lazy.compactMap(\.delegateProtocol).first
  }

  /// True if a class is `UIViewController` or inherits from it.
  func isViewController(_ name: ClassName) -> Bool {
    inherits(name, from: ResponderKind.viewController.defaultClass)
  }

  /// True if a class is another one, or inherits from it.
  func inherits(_ name: ClassName, from other: ClassName) -> Bool {
    var current: ClassName? = name
    while let here = current, contains(here) {
      if here == other { return true }
      current = superclass(of: here)
    }
    return false
  }

  /// True if classes are those of view controllers, those built in and these; nil for a class that is
  /// not declared, or does not inherit from `UIResponder` since one on the way is at fault.
  static func isViewController(
    among declared: [ResponderClass]
  ) -> (ClassName) -> Bool? {
    let superclasses = Dictionary(
      (ResponderClass.builtIn + declared).map { ($0.name, $0.superclass) },
      uniquingKeysWith: { first, _ in first })
    return { name in
      var current: ClassName? = name
      for _ in 0...superclasses.count {
        guard let here = current, let superclass = superclasses[here] else { return nil }
        if here == ResponderKind.viewController.defaultClass { return true }
        if superclass == nil { return false }
        current = superclass
      }
      return nil
    }
  }
}

extension [ResponderClass] {
  /// The classes whose delegates are of a protocol that is not among `names`.
  func protocolFaults(among names: Set<ProtocolName>) -> [(ClassName, DeclarationFault)] {
    compactMap { declared in
      guard let name = declared.delegateProtocol, !names.contains(name) else { return nil }
      return (declared.name, .undeclaredProtocol(declared.name, name))
    }
  }
}
