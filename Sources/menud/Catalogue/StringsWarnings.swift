import CEL
import JSONText
import Languages
import MenuAPI
import MenuEngine

extension CatalogFolderReading {
  /// The strings that are missing, or that nothing reads, by language (M14).
  var stringsWarnings: [CheckFinding] {
    guard let catalog = findings.catalog else { return [] }
    return catalog.stringsFindings.map { finding in
      let place = place(of: finding.place, in: .strings)
      return CheckFinding(
        severity: .warning, kind: "strings", place: .file(place), message: finding.sentence)
    }
  }
}

extension StringsFinding {
  fileprivate var sentence: String {
    switch reason {
    case .missing(let what):
      "Nothing is said in '\(language)' for \(what)."
    case .unknown(let what, let name, let nearest):
      "There is no \(what) '\(name)'"
        + (nearest.map { ";" + didYouMean($0, for: name) } ?? ".")
    case .missingForm(let category):
      "The language needs the plural form '\(category.rawValue)'."
    case .otherNames(let names, let expected):
      "The names in the text are \(Self.list(names)); elsewhere they are \(Self.list(expected))."
    }
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.map { "'\($0)'" }.joined(separator: ", ")
  }
}
