/// The context in which a session is asked or changed.
struct SessionContext {
  /// The catalogue that it is asked or changed under.
  let catalog: Catalog
  /// The effort that everything in it takes together.
  let effort: Effort
  /// True if a trace is kept.
  let isExplaining: Bool

  /// By default a request of its own, without a trace.
  init(_ catalog: Catalog, effort: Effort = Effort(), isExplaining: Bool = false) {
    self.catalog = catalog
    self.effort = effort
    self.isExplaining = isExplaining
  }
}
