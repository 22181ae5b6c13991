import JSONText
import MenuEngine

extension CatalogFolderReading {
  /// The commands and rules that can disable an item without a word to people (W3), in the order of parts and
  /// lines.
  var wordless: [CheckFinding] {
    let commands = (findings.catalog?.commands ?? []).enumerated().filter {
      $1.unavailable == nil
    }
    let notices = commands.map { index, _ in
      notice(
        at: place(of: JSONPointer(["\(index)"]), in: .commands),
        "The command gives no words when nobody handles it; declare 'unavailable'.")
    }
    return inOrder(notices + rulesWithoutWords, by: \.place)
  }

  private var rulesWithoutWords: [CheckFinding] {
    let parts: [CatalogDocument.Part] = [.classes, .storyboards, .session]
    return parts.flatMap { part in
      enablingRules(in: files[part]?.json ?? .null, at: .root).map { pointer in
        notice(
          at: place(of: pointer, in: part),
          "The rule disables items without words; say why with 'requires'.")
      }
    }
  }

  /// Returns the places of the rules `enabled` of handlers that can be false.
  private func enablingRules(in json: JSON, at place: JSONPointer) -> [JSONPointer] {
    switch json {
    case .array(let elements):
      return elements.enumerated().flatMap { index, element in
        enablingRules(in: element, at: place.appending(index))
      }
    case .object(let object):
      return object.members.flatMap { member -> [JSONPointer] in
        let place = place.appending(member.name)
        guard member.name == "validate", case .object(let validate) = member.value,
          let rule = validate["enabled"], rule != .bool(true)
        else { return enablingRules(in: member.value, at: place) }
        return [place.appending("enabled")]
      }
    case .null, .bool, .int, .double, .string: return []
    }
  }

  private func notice(at place: FilePlace, _ message: String) -> CheckFinding {
    CheckFinding(severity: .notice, kind: "words", place: .file(place), message: message)
  }
}
