import CEL
import JSONText
import MenuEngine

/// A folder that describes an application: a file for each part of its catalogue.
struct CatalogFolder {
  /// The folder; empty where there is none, and then so is its catalogue.
  let path: String
  /// The bounds of the rules in it.
  var ruleLimits = CEL.Limits()

  /// Its catalogue; parts that are not there are empty.
  ///
  /// - Throws: `CatalogFaults` with everything that is wrong in any of the files.
  func catalog() throws(CatalogFaults) -> Catalog {
    guard path.isEmpty || !presentParts.isEmpty else {
      throw CatalogFaults(faults: [.noParts(folder: path)])
    }
    var (document, faults) = readable
    // What refers to an unreadable part would be at fault everywhere.
    for part in presentParts where document.parts[part] == nil {
      for other in part.referrers { document.parts[other] = nil }
    }
    do throws(CatalogDocument.Faults) {
      let catalog = try document.catalog()
      if faults.isEmpty { return catalog }
    } catch {
      faults += error.faults.map { .document(path: path(of: $0.part), $0.fault) }
    }
    throw CatalogFaults(faults: faults)
  }

  /// The parts that have a file.
  private var presentParts: [CatalogDocument.Part] {
    guard !path.isEmpty else { return [] }
    return CatalogDocument.Part.allCases.filter { Posix.isPresent(path(of: $0)) }
  }

  /// The parts that can be read, and why the others cannot.
  private var readable: (document: CatalogDocument, faults: [CatalogFault]) {
    var document = CatalogDocument([:], ruleLimits: ruleLimits)
    var faults: [CatalogFault] = []
    for part in presentParts {
      do throws(ConfigurationFault) {
        document.parts[part] = try JSON(readingFile: path(of: part))
      } catch {
        faults.append(.file(error))
      }
    }
    return (document, faults)
  }

  private func path(of part: CatalogDocument.Part) -> String { "\(path)/\(part.rawValue).json" }
}

extension CatalogDocument.Part {
  /// The parts that name what is in this one, or in one that names it.
  fileprivate var referrers: [CatalogDocument.Part] {
    switch self {
    case .commands: [.menus]
    case .protocols: [.classes, .storyboards, .session]
    case .classes: [.storyboards, .session]
    case .storyboards: [.session]
    case .menus, .session: []
    }
  }
}

/// One mistake in an application's folder.
enum CatalogFault: Error, Sendable {
  /// The folder has none of the files.
  case noParts(folder: String)
  /// A file that cannot be read, or is no JSON.
  case file(ConfigurationFault)
  /// A mistake in what a file describes.
  case document(path: String, DocumentFault)
}

/// All mistakes in an application's folder, never empty.
struct CatalogFaults: Error, Sendable {
  let faults: [CatalogFault]
}
