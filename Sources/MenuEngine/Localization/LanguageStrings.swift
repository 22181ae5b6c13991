package import JSONText
package import Languages

/// The strings of an application in a language (M14).
package struct LanguageStrings: Sendable {
  package let language: LanguageTag
  package let commands: [(command: CommandID, texts: CommandTexts)]
  package let menus: [(menu: MenuID, title: String)]
  /// The texts of free keys: each a string, or an object of strings by plural category with `by`, the name of the
  /// value that selects the form.
  package let strings: JSONObject
}

extension LanguageStrings {
  /// Reads the strings of a language: `{"commands": {"copy:": "Kopieren"}, "menus": {"edit": "Bearbeiten"}}`.
  package init?(
    _ language: LanguageTag, reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let commands = reader.member("commands") {
      Read.named($0, at: $1, log: $2, by: Read.identifier) { (_: CommandID, json, place, log) in
        CommandTexts(reading: json, at: place, log: log)
      }
    }
    let menus = reader.member("menus") {
      Read.named($0, at: $1, log: $2, by: Read.identifier) { (_: MenuID, json, place, log) in
        Read.string(json, at: place, log: log)
      }
    }
    let strings = reader.member("strings", Self.strings)
    reader.finish()
    self.language = language
    self.commands = (commands ?? []).map { (command: $0, texts: $1) }
    self.menus = (menus ?? []).map { (menu: $0, title: $1) }
    self.strings = strings ?? JSONObject()
  }

  private static func strings(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> JSONObject? {
    guard let object = Read.object(json, at: pointer, log: log) else { return nil }
    for member in object.members { check(member.value, at: pointer.appending(member.name), log) }
    return object
  }

  /// Checks a text, or its plural forms.
  private static func check(_ json: JSON, at pointer: JSONPointer, _ log: FaultLog) {
    if case .string = json { return }
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return }
    _ = reader.member("by", Read.string)
    for category in PluralCategory.allCases where category != .other {
      _ = reader.member(category.rawValue, Read.string)
    }
    _ = reader.required("other", Read.string)
    reader.finish()
  }

  /// The document, without the language.
  package var json: JSON {
    var object = JSONObject()
    if !commands.isEmpty {
      var texts = JSONObject()
      for entry in commands { texts[entry.command.rawValue] = entry.texts.json }
      object["commands"] = .object(texts)
    }
    if !menus.isEmpty {
      var titles = JSONObject()
      for entry in menus { titles[entry.menu.rawValue] = .string(entry.title) }
      object["menus"] = .object(titles)
    }
    if !strings.isEmpty { object["strings"] = .object(strings) }
    return .object(object)
  }
}

/// The coded form has the document.
extension LanguageStrings: Codable {
  private enum CodingKeys: CodingKey {
    case language
    case document
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(language, forKey: .language)
    try container.encode(json, forKey: .document)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let language = try container.decode(LanguageTag.self, forKey: .language)
    self = try container.decodeDocument(forKey: .document) {
      LanguageStrings(language, reading: $0, at: $1, log: $2)
    }
  }
}

extension Read {
  /// Reads the tag of a language (BCP 47).
  package static func locale(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> LanguageTag? {
    if case .string(let text) = json, let tag = LanguageTag(text) { return tag }
    return refuse(.locale, json, at: pointer, log: log)
  }
}
