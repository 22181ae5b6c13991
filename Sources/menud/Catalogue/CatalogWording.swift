import JSONText
import MenuAPI
import MenuEngine

extension CatalogFault: CustomStringConvertible {
  /// The mistake as one line: the file, the place in it, and a sentence.
  var description: String {
    "\(place): \(sentence)"
  }

  /// The place of the mistake.
  var place: FaultPlace {
    switch self {
    case .noParts(let folder): .file(FilePlace(path: folder))
    case .misspelt(let path, part: _): .file(FilePlace(path: path))
    case .file(let fault): fault.place
    case .document(let place, _, other: _): .file(place)
    }
  }

  /// The place of the declaration that this one contradicts, if there is one.
  var other: FilePlace? {
    switch self {
    case .noParts, .misspelt, .file: nil
    case .document(_, _, let other): other
    }
  }

  /// The mistake as a sentence.
  var sentence: String {
    switch self {
    case .noParts:
      "No application is here: a folder with at least one of \(Self.partNames) is expected."
    case .misspelt(_, let part):
      "No part of an application is called so; did you mean '\(part.rawValue).json'?"
    case .file(let fault): fault.sentence
    case .document(_, let fault, let other):
      fault.reason.sentenceInFile { other?.description ?? $0.description }
    }
  }

  private static var partNames: String {
    CatalogDocument.Part.allCases.map { "\($0.rawValue).json" }.joined(separator: ", ")
  }
}

extension CatalogSuccession.LeftOut {
  /// The change of a client that no longer applies, and the reason, as one line.
  var description: String { "\(change.wording): \(fault.sentence)" }
}

extension CatalogChange {
  fileprivate var wording: String {
    switch self {
    case .declare(let command): "declare \(command.json.text())"
    case .remove(let id): "remove '\(id)'"
    case .edit(let edit): "edit \(edit.json.text())"
    case .declareProtocol(let declared):
      "declare the protocol '\(declared.name)' \(declared.json.text())"
    case .removeProtocol(let name): "remove the protocol '\(name)'"
    case .declareStoryboard(let storyboard):
      "declare the storyboard '\(storyboard.name)' \(storyboard.json.text())"
    case .removeStoryboard(let name): "remove the storyboard '\(name)'"
    }
  }
}
