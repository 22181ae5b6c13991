import JSONText
import MenuEngine

extension CatalogFolderReading {
  /// The commands and rules that can disable an item without an explanation (W3), in the order of parts and lines.
  var wordless: [CheckFinding] {
    let commands = (findings.catalog?.commands ?? []).enumerated().filter {
      $1.unavailable == nil && $1.action != nil
    }
    let notices = commands.map { index, _ in
      notice(
        at: place(of: JSONPointer(["\(index)"]), in: .commands),
        "The command gives no words when nobody handles it; declare 'unavailable'.")
    }
    return inOrder(notices + rulesWithoutWords, by: \.place)
  }

  private var rulesWithoutWords: [CheckFinding] {
    findings.enablingRules.map { part, pointer in
      notice(
        at: place(of: pointer, in: part),
        "The rule disables items without words; say why with 'requires'.")
    }
  }

  private func notice(at place: FilePlace, _ message: String) -> CheckFinding {
    CheckFinding(severity: .notice, kind: "words", place: .file(place), message: message)
  }
}
