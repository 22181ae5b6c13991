import JSONText
import MenuEngine

/// A folder as it was read: its files, and what they describe.
struct CatalogFolderReading {
  let folder: CatalogFolder
  /// The files that are JSON.
  let files: [CatalogDocument.Part: SourceFile]
  /// The mistakes that keep files from being read.
  let fileFaults: [CatalogFault]
  /// The catalogue, and the mistakes in what the files describe.
  let findings: CatalogDocument.Findings

  /// All mistakes, in the order of the parts and of the lines in them.
  var faults: [CatalogFault] {
    let faults = findings.faults.map { found in
      CatalogFault.document(
        place(of: found.fault, in: found.part), found.fault,
        other: found.fault.reason.other.map { place(of: $0, in: found.part) })
    }
    return inOrder(fileFaults + faults, by: \.place)
  }

  /// Returns the place of a value of a part.
  func place(of pointer: JSONPointer, in part: CatalogDocument.Part) -> FilePlace {
    files[part]?.place(of: pointer)
      ?? FilePlace(path: folder.path(of: part), pointer: pointer)
  }

  /// Returns the place of a mistake: an unknown member's name, or else the value.
  private func place(of fault: DocumentFault, in part: CatalogDocument.Part) -> FilePlace {
    if case .unknownMember = fault.reason, let file = files[part] {
      return file.placeOfName(fault.pointer)
    }
    return place(of: fault.pointer, in: part)
  }

  /// Sorts by file, line and column; what stands at one place stays in its order.
  func inOrder<Element>(_ elements: [Element], by place: (Element) -> FaultPlace) -> [Element] {
    elements.enumerated().map { (order(of: place($1)) + [$0], $1) }
      .sorted { $0.0.lexicographicallyPrecedes($1.0) }.map(\.1)
  }

  private func order(of place: FaultPlace) -> [Int] {
    guard case .file(let place) = place else { return [] }
    let file = CatalogDocument.Part.allCases.firstIndex { folder.path(of: $0) == place.path }
    return [file ?? 0, place.position?.line ?? 0, place.position?.column ?? 0]
  }
}
