import JSONText

/// A class or a category, as a document of the catalogue describes one.
enum ClassDeclaration {
  case declared(ResponderClass)
  case category(ClassCategory)

  /// The class or category that a document describes under a name, or nil and the faults.
  ///
  /// A category has `category` in place of `superclass`: `true` when it has the name of the class that
  /// it adds to, else that name.
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

  /// The class, when it is one.
  var declared: ResponderClass? {
    switch self {
    case .declared(let declared): declared
    case .category: nil
    }
  }

  /// The category, when it is one.
  var category: ClassCategory? {
    switch self {
    case .declared: nil
    case .category(let category): category
    }
  }
}
