import CEL
import JSONText
import Languages
import MenuAPI
import MenuEngine

extension CatalogFolderReading {
  /// The missing and the unused strings, by language (M14).
  var stringsWarnings: [CheckFinding] {
    guard let catalog = findings.catalog else { return [] }
    let documents = CatalogDocument.Part.allCases.compactMap { files[$0]?.json }
    return catalog.stringsFindings(of: documents).map { finding in
      let place = place(of: finding.place, in: .strings)
      return CheckFinding(
        severity: .warning, kind: "strings", place: .file(place), message: finding.sentence)
    }
  }
}

extension CatalogFolder {
  /// The unused files among the strings, and a strings folder without files, each with a sentence (M14).
  var straysAmongStrings: [(path: String, sentence: String)] {
    let path = path(of: .strings)
    guard !self.path.isEmpty, Posix.isEntry(path) else { return [] }
    let unread = "; nothing reads this file."
    guard Posix.isFolder(path) else {
      return [
        (path, "Strings are in a folder of this name, a file for each language" + unread)
      ]
    }
    // A folder that cannot be read is a fault of its own.
    guard let entries = try? Posix.entries(of: path) else { return [] }
    let names = entries.filter { $0.utf8.first != UInt8(ascii: ".") }
    guard !names.isEmpty else {
      return [(path, "The folder has no file of a language, such as 'de.json'.")]
    }
    return names.filter { !$0.isNameOfJSONFile }.map {
      ("\(path)/\($0)", "The file of a language is named after it, such as 'de.json'" + unread)
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
    case .useless(let text, let command):
      "The command '\(command)' is declared without '\(text)'; nothing shows this text."
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
