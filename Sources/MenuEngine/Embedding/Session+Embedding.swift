import JSONText

// The methods of a session for programs that embed the engine. They throw `SessionFault`, so that the engine's faults,
// and all types in them, need not be public. Within the package, the methods of the same names that throw
// `MutationFault` are preferred; they also take values that only a server has.

extension Session {
  /// Opens a session.
  ///
  /// - Parameters:
  ///   - id: Its name.
  ///   - template: Its initial responders, state and focus.
  ///   - catalog: The catalogue with the classes of its responders.
  /// - Throws: ``SessionFault`` if the links of its responders are inconsistent, or if its first responder or one of
  ///   its windows is missing or refuses.
  @_disfavoredOverload
  public init(
    _ id: SessionID, opening template: SessionTemplate, in catalog: Catalog
  ) throws(SessionFault) {
    self = try SessionFault.translating { () throws(MutationFault) in
      try Session(id, opening: template, in: catalog, limits: SessionLimits())
    }
  }

  /// Returns the validated commands (M5), in the order of the request. The default is all commands.
  ///
  /// - Throws: ``SessionFault`` for an unknown start, window or sender, or if it takes too many steps.
  public func items(
    _ request: ValidationRequest = ValidationRequest(), in catalog: Catalog
  ) throws(SessionFault) -> [ValidatedItem] {
    try SessionFault.translating { () throws(MutationFault) in
      try validate(request, in: catalog)
    }
  }

  /// Returns a menu with validated items (M6, M9). The root menu, `root`, contains all menus.
  ///
  /// - Throws: ``SessionFault`` for an unknown menu, start, window or sender, or if it takes too many steps.
  public func menu(
    _ id: MenuID, _ request: ValidationRequest = ValidationRequest(), in catalog: Catalog
  ) throws(SessionFault) -> ValidatedMenu {
    try SessionFault.translating { () throws(MutationFault) in
      let catalog = catalog.localized(for: self)
      guard let menu = catalog.menuAsShown(id) else { throw .unknownMenu(id) }
      return try validate(menu, request, in: catalog)
    }
  }

  /// Returns the enabled commands whose titles or other words match a text, best first (S).
  ///
  /// - Parameters:
  ///   - text: The words.
  ///   - limit: The maximum number of results; a negative one counts as 0.
  ///   - catalog: The catalogue.
  /// - Throws: ``SessionFault`` if the search takes too many steps.
  public func find(
    _ text: String, limit: Int, in catalog: Catalog
  ) throws(SessionFault) -> [FoundCommand] {
    try SessionFault.translating { () throws(MutationFault) in
      // Only answers as text have faults.
      var plan = ValidationPlan { _, writer in writer.null() }
      let query = CommandQuery(text, limit: max(0, limit))
      return try plan.find(query, at: PlanMoment(self, in: catalog)).commands
    }
  }

  /// Applies one mutation. The revision grows by one, unless the mutation changes and sends nothing.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - catalog: The catalogue that the session was opened in, or a successor of it.
  ///   - isExplaining: True to trace everything that is performed. The default is false.
  /// - Throws: ``SessionFault``; the session is unchanged then.
  @_disfavoredOverload
  public mutating func apply(
    _ mutation: Mutation, in catalog: Catalog, isExplaining: Bool = false
  ) throws(SessionFault) -> Outcome {
    try SessionFault.translating { () throws(MutationFault) in
      try apply(mutation, in: catalog, isExplaining: isExplaining, limits: SessionLimits())
    }
  }

  /// Applies mutations in order, all or none. The revision grows by the number of mutations that change or send
  /// something. Loss of focus is decided after the last one (R8).
  ///
  /// - Throws: ``SessionFault`` of the first refused mutation; the session is unchanged then.
  @_disfavoredOverload
  public mutating func apply(
    _ mutations: [Mutation], in catalog: Catalog, isExplaining: Bool = false
  ) throws(SessionFault) -> [Outcome] {
    try SessionFault.translating { () throws(MutationFault) in
      try apply(mutations, in: catalog, isExplaining: isExplaining, limits: SessionLimits())
    }
  }
}
