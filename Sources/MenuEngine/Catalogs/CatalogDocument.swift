package import CEL
public import JSONText

/// The documents that describe a catalogue, as they lie in a folder of the configuration.
///
///     let catalog = try CatalogDocument([
///       .commands: [["title": "Copy", "action": "copy:"]]
///     ]).catalog()
public struct CatalogDocument: Sendable {
  /// The parts, each in a file of its own.
  public enum Part: String, CaseIterable, Sendable {
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
    /// An object of resources for agents by name.
    case resources
    /// An object of prompts for agents by name.
    case prompts
    /// An object of languages, each an object of strings (M14); in a folder, each is `strings/LOCALE.json`.
    case strings
  }

  /// The existing parts.
  package var parts: [Part: JSON]

  /// The existing parts that are not JSON. References to them are not checked.
  package var unreadable: Set<Part> = []

  /// Reads the files that the parts name. The default has no folder.
  package var files = ApplicationFiles.noFolder

  /// The limits of the rules in the parts.
  package let ruleLimits: ProgramLimits

  /// The number of items from data that a menu shows (M12).
  package let itemsFromData: Int

  /// Creates a catalogue from these parts, each of which may be missing.
  public init(_ parts: [Part: JSON]) { self.init(parts, ruleLimits: ProgramLimits()) }

  /// Creates a catalogue from these parts, with bounds for rules and menus.
  package init(
    _ parts: [Part: JSON], ruleLimits: ProgramLimits,
    itemsFromData: Int = ItemsFromData.usualLimit
  ) {
    self.parts = parts
    self.ruleLimits = ruleLimits
    self.itemsFromData = itemsFromData
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
  package struct Findings: Sendable {
    /// The catalogue of the valid parts; nil if a fault prevents opening a session. Menus may be missing.
    package let catalog: Catalog?
    /// All faults, part by part.
    package let faults: [Fault]
    /// The rules that read members missing from the initial state of a session.
    package let missingMembers: [MissingMember]
    /// The rules that decide if items are enabled and give no explanation.
    package let enablingRules: [(part: Part, place: JSONPointer)]
    /// The rules with Boolean results.
    package let conditions: [(part: Part, place: JSONPointer, rule: Rule)]
  }

  /// Reads all parts, whatever their faults.
  package func findings() -> Findings { CatalogReading(self).findings() }

  /// Returns the catalogue that the parts describe.
  ///
  /// - Throws: `Faults` with all faults, not only the first one.
  public func catalog() throws(Faults) -> Catalog {
    let findings = findings()
    guard let catalog = findings.catalog, findings.faults.isEmpty else {
      throw Faults(faults: findings.faults)
    }
    return catalog
  }
}

extension CatalogDocument.Fault: CustomStringConvertible {
  /// The part, the place in it, and the reason.
  public var description: String {
    "\(part.rawValue)\(fault.pointer): \(describe(fault.reason))"
  }
}

extension CatalogDocument.Faults: CustomStringConvertible {
  /// The faults, one a line.
  public var description: String { faults.map(\.description).joined(separator: "\n") }
}
