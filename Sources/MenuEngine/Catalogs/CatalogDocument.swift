package import CEL
package import JSONText

/// The documents of a catalogue, one per file of the configuration folder.
package struct CatalogDocument: Sendable {
  /// A part, in a file of its own.
  package enum Part: String, CaseIterable, Sendable {
    /// An array of commands.
    case commands
    /// An array of menus and command names: the children of the root menu.
    case menus
    /// An object of delegate protocols by name.
    case protocols
    /// An object of responder classes by name.
    case classes
    /// An object of storyboards by name.
    case storyboards
    /// A session template.
    case session
  }

  /// The existing parts.
  package var parts: [Part: JSON]

  /// The existing parts that are not JSON. References to them are not checked.
  package var unreadable: Set<Part> = []

  /// The limits of the rules in the parts.
  package let ruleLimits: ProgramLimits

  package init(_ parts: [Part: JSON], ruleLimits: ProgramLimits = ProgramLimits()) {
    self.parts = parts
    self.ruleLimits = ruleLimits
  }

  /// A fault and its part.
  package struct Fault: Error, Equatable, Sendable {
    package let part: Part
    package let fault: DocumentFault
  }

  /// All faults of the parts; never empty.
  package struct Faults: Error, Equatable, Sendable {
    /// The faults, in the order of parts.
    package let faults: [Fault]
  }

  /// The result of reading the parts.
  package struct Findings: Sendable {
    /// The catalogue of the valid parts; nil if a fault prevents opening a session. Menus may be missing.
    package let catalog: Catalog?
    /// All faults, in the order of parts.
    package let faults: [Fault]
    /// The rules that read members missing from a new session's state.
    package let missingMembers: [MissingMember]
  }

  /// Reads all parts, whatever their faults.
  package func findings() -> Findings { CatalogReading(self).findings() }

  /// Returns the catalogue.
  ///
  /// - Throws: `Faults` with all faults, not only the first.
  package func catalog() throws(Faults) -> Catalog {
    let findings = findings()
    guard let catalog = findings.catalog, findings.faults.isEmpty else {
      throw Faults(faults: findings.faults)
    }
    return catalog
  }
}
