/// A session and the catalogue as a plan is asked about them, with numbers that tell their editions apart.
///
/// An object, since both are large to copy.
public final class PlanMoment: Sendable {
  /// The session.
  public let session: Session
  /// The catalogue.
  public let catalog: Catalog
  /// The number of the session's edition: equal numbers are equal sessions.
  public let sessionEdition: Int
  /// The number of the catalogue's edition: equal numbers are equal catalogues.
  public let catalogEdition: Int

  /// A session and the catalogue.
  ///
  /// - Parameters:
  ///   - sessionEdition: The default is the session's revision, which is enough where no accepted mutation
  ///     is ever rolled back.
  ///   - catalogEdition: The default is the catalogue's revision.
  public init(
    _ session: Session, in catalog: Catalog, sessionEdition: Int? = nil, catalogEdition: Int? = nil
  ) {
    self.session = session
    self.catalog = catalog
    self.sessionEdition = sessionEdition ?? session.revision
    self.catalogEdition = catalogEdition ?? catalog.revision
  }

  /// Returns the moment as it would be if a window were key (R11); the same for nil.
  ///
  /// - Throws: `MutationFault.unknownResponder` and `.notAWindow`.
  func withKeyWindow(_ window: ResponderID?) throws(MutationFault) -> PlanMoment {
    guard let window, window != session.keyWindow else { return self }
    return PlanMoment(
      try session.withKeyWindow(window), in: catalog, sessionEdition: sessionEdition,
      catalogEdition: catalogEdition)
  }
}
