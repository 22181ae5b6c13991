import JSONText

// The verbs of a session for programs that embed the engine. They throw a `SessionFault`, so that the faults of the
// engine, and all that these are about, need not be public. Inside the package, the functions of the same names that
// throw a `MutationFault` are preferred; they also take what only a server gives.

extension Session {
  /// Opens a session.
  ///
  /// - Parameters:
  ///   - id: Its name.
  ///   - template: Its responders, state and focus as it begins.
  ///   - catalog: The catalogue, whose classes its responders are of.
  /// - Throws: ``SessionFault`` if the links of its responders are inconsistent, or its first responder or one of
  ///   its windows is not among them or refuses.
  @_disfavoredOverload
  public init(
    _ id: SessionID, opening template: SessionTemplate, in catalog: Catalog
  ) throws(SessionFault) {
    self = try SessionFault.translating { () throws(MutationFault) in
      try Session(id, opening: template, in: catalog, limits: SessionLimits())
    }
  }

  /// Returns the validated commands (M5), in the order in which they were asked for. By default these are all.
  ///
  /// - Throws: ``SessionFault`` for an unknown start, window or sender, or if it takes too many steps.
  public func items(
    _ request: ValidationRequest = ValidationRequest(), in catalog: Catalog
  ) throws(SessionFault) -> [ValidatedItem] {
    try SessionFault.translating { () throws(MutationFault) in
      try validate(request, in: catalog)
    }
  }

  /// Returns a menu with validated items (M6, M9). The root menu, `root`, has all others.
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
  ///   - catalog: The catalogue that the session was opened in, or one that succeeds it.
  ///   - isExplaining: True if what is performed has a trace. The default is false.
  /// - Throws: ``SessionFault``; then the session is as it was.
  @_disfavoredOverload
  public mutating func apply(
    _ mutation: Mutation, in catalog: Catalog, isExplaining: Bool = false
  ) throws(SessionFault) -> Outcome {
    try SessionFault.translating { () throws(MutationFault) in
      try apply(mutation, in: catalog, isExplaining: isExplaining, limits: SessionLimits())
    }
  }

  /// Applies mutations in order, all or none. The revision grows by the number of those that change or send
  /// something. Whether focus left the screen is decided after the last one (R8).
  ///
  /// - Throws: ``SessionFault`` of the first one refused; then the session is as it was.
  @_disfavoredOverload
  public mutating func apply(
    _ mutations: [Mutation], in catalog: Catalog, isExplaining: Bool = false
  ) throws(SessionFault) -> [Outcome] {
    try SessionFault.translating { () throws(MutationFault) in
      try apply(mutations, in: catalog, isExplaining: isExplaining, limits: SessionLimits())
    }
  }
}
