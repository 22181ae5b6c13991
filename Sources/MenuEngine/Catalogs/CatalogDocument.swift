public import CEL
public import JSONText

/// The documents that describe a catalogue, as they lie in a folder of the configuration.
public struct CatalogDocument: Sendable {
  /// The parts, each in a file of its own.
  public enum Part: String, CaseIterable, Sendable {
    /// An array of commands.
    case commands
    /// An array of menus and command names, the children of the root menu.
    case menus
    /// An object of protocols of delegates by name.
    case protocols
    /// An object of responder classes by name.
    case classes
    /// An object of storyboards by name.
    case storyboards
    /// A session template.
    case session
  }

  /// The parts that are there.
  public var parts: [Part: JSON]

  /// The bounds of the rules in them.
  public let ruleLimits: CEL.Limits

  /// These parts.
  public init(_ parts: [Part: JSON], ruleLimits: CEL.Limits = CEL.Limits()) {
    self.parts = parts
    self.ruleLimits = ruleLimits
  }

  /// One fault and the part it is in.
  public struct Fault: Error, Equatable, Sendable {
    /// The part.
    public let part: Part
    /// The fault.
    public let fault: DocumentFault
  }

  /// All faults of the parts, never empty.
  public struct Faults: Error, Equatable, Sendable {
    /// The faults, part by part.
    public let faults: [Fault]
  }

  /// The catalogue that the parts describe.
  ///
  /// - Throws: `Faults` with everything that is wrong, not only what was found first.
  public func catalog() throws(Faults) -> Catalog {
    let reading = CatalogReading(self)
    guard let catalog = reading.catalog() else { throw Faults(faults: reading.faults) }
    return catalog
  }
}
