import CEL
import JSONText
import MenuEngine

/// A folder that describes an application: a file for each part of its catalogue.
struct CatalogFolder {
  /// The folder; empty where there is none, and then so is its catalogue.
  let path: String
  /// The bounds of the rules in it.
  var ruleLimits = ProgramLimits()

  /// Its catalogue; parts that are not there are empty.
  ///
  /// - Throws: `CatalogFaults` with everything that is wrong in any of the files.
  func catalog() throws(CatalogFaults) -> Catalog {
    let reading = reading()
    guard let catalog = reading.findings.catalog, reading.faults.isEmpty else {
      throw CatalogFaults(faults: reading.faults)
    }
    return catalog
  }

  /// Reads every file, whatever is wrong in others.
  func reading() -> CatalogFolderReading {
    var document = CatalogDocument([:], ruleLimits: ruleLimits)
    var files: [CatalogDocument.Part: SourceFile] = [:]
    var faults: [CatalogFault] = []
    for part in presentParts {
      do throws(ConfigurationFault) {
        let file = try SourceFile(reading: path(of: part))
        document.parts[part] = file.json
        files[part] = file
      } catch {
        document.unreadable.insert(part)
        faults.append(.file(error))
      }
    }
    for name in strayFiles {
      guard let part = misspeltPart(name) else { continue }
      document.unreadable.insert(part)
      faults.append(.misspelt(path: "\(path)/\(name)", part: part))
    }
    if !path.isEmpty, presentParts.isEmpty, faults.isEmpty {
      faults.append(.noParts(folder: path))
    }
    return CatalogFolderReading(
      folder: self, files: files, fileFaults: faults, findings: document.findings())
  }

  /// The parts that have a file.
  private var presentParts: [CatalogDocument.Part] {
    guard !path.isEmpty else { return [] }
    return CatalogDocument.Part.allCases.filter { Posix.isEntry(path(of: $0)) }
  }

  /// The names of the files of JSON that are no parts.
  var strayFiles: [String] {
    guard !path.isEmpty else { return [] }
    let parts = CatalogDocument.Part.allCases.map { "\($0.rawValue).json" } + ["menud.json"]
    return Posix.entries(of: path).filter { name in
      name.utf8.suffix(5).elementsEqual(".json".utf8)
        && !parts.contains(where: name.hasSameBytes(as:))
    }
  }

  /// The part that a file was meant to be; nil if it is like none, or that part is there.
  private func misspeltPart(_ name: String) -> CatalogDocument.Part? {
    let stem = String(name.dropLast(5))
    let absent = CatalogDocument.Part.allCases.filter { !Posix.isEntry(path(of: $0)) }
    return CEL.nearest(to: stem.lowercased(), among: absent.map(\.rawValue))
      .flatMap(CatalogDocument.Part.init(rawValue:))
  }

  /// The file of a part.
  func path(of part: CatalogDocument.Part) -> String { "\(path)/\(part.rawValue).json" }
}

/// One mistake in an application's folder.
enum CatalogFault: Error, Sendable {
  /// The folder has none of the files.
  case noParts(folder: String)
  /// A file with a name that is like that of a part which has none.
  case misspelt(path: String, part: CatalogDocument.Part)
  /// A file that cannot be read, or is no JSON.
  case file(ConfigurationFault)
  /// A mistake in what a file describes, and the place of the declaration that it contradicts, if it
  /// is of that kind.
  case document(FilePlace, DocumentFault, other: FilePlace? = nil)
}

/// All mistakes in an application's folder, never empty.
struct CatalogFaults: Error, Sendable {
  let faults: [CatalogFault]
}
