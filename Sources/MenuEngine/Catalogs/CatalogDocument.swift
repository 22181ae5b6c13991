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

  /// The parts that are there too, but are no JSON. Nothing is said about what refers to them.
  package var unreadable: Set<Part> = []

  /// The bounds of the rules in them.
  public let ruleLimits: ProgramLimits

  /// These parts.
  public init(_ parts: [Part: JSON], ruleLimits: ProgramLimits = ProgramLimits()) {
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

  /// The result of reading the parts.
  public struct Findings: Sendable {
    /// The catalogue of the parts that are sound; nil when a mistake keeps sessions from being tried.
    /// Menus may be missing in it.
    public let catalog: Catalog?
    /// Everything that is wrong, part by part.
    public let faults: [Fault]
    /// The rules that read what the state of a session as it begins does not have.
    public let missingMembers: [MissingMember]
  }

  /// Reads all parts, whatever is wrong in some of them.
  public func findings() -> Findings { CatalogReading(self).findings() }

  /// The catalogue that the parts describe.
  ///
  /// - Throws: `Faults` with everything that is wrong, not only what was found first.
  public func catalog() throws(Faults) -> Catalog {
    let findings = findings()
    guard let catalog = findings.catalog, findings.faults.isEmpty else {
      throw Faults(faults: findings.faults)
    }
    return catalog
  }
}
