import JSONText
import Languages

/// The localization that a locale finds.
enum LocalizationKey: Equatable {
  /// The localization of strings and their fallbacks, by the index of the most specific ones.
  case strings(Int)
  /// The localization of the declarations' language, because there are no strings for the locale.
  case declarations
  case pseudo
}

/// The texts of a catalogue in a language (M14).
final class Localization: Sendable {
  /// The commands and menus in the language.
  let wording: Catalog.Wording
  /// The texts of free keys, as `tr` reads them: a plural has the language that it is `in`.
  let translations: JSON

  /// Creates the texts of a catalogue as declared, each in the first of these languages that has it.
  init(of catalog: Catalog, in languages: [LanguageStrings]) {
    var commands = catalog.commands
    var titles: [MenuID: String] = [:]
    var translations = JSONObject()
    for strings in languages.reversed() {
      for entry in strings.commands {
        if let position = catalog.positions[entry.command] {
          commands[position].content.take(entry.texts)
        }
      }
      for entry in strings.menus { titles[entry.menu] = entry.title }
      for member in strings.strings.members {
        translations[member.name] = member.value.plural(in: strings.language)
      }
    }
    wording = catalog.reworded(commands, menus: catalog.menus.titled(by: { titles[$0.identifier] }))
    self.translations = .object(translations)
  }

  /// Creates the texts of a catalogue in the pseudo language; `base` are the strings of the language that it is
  /// declared in.
  init(ofPseudo catalog: Catalog, base: LanguageStrings?) {
    var translations = JSONObject()
    for member in base?.strings.members ?? [] {
      translations[member.name] = member.value.texts(by: PseudoLanguage.message)
        .plural(in: base?.language)
    }
    translations[PseudoLanguage.marker] = true
    wording = catalog.reworded(
      catalog.commands.map(\.inPseudoLanguage),
      menus: catalog.menus.titled { $0.title.isEmpty ? nil : PseudoLanguage.text($0.title) })
    self.translations = .object(translations)
  }
}

extension JSON {
  /// Returns the text of a key among translations, as `tr` reads it; nil if there is none.
  ///
  /// - Parameter values: The values of names. The default is none.
  func translation(
    of key: String, naming values: @autoclosure () -> [String: String] = [:]
  ) -> String? {
    guard case .object(let texts) = self else { return nil }
    switch texts[key] {
    case nil where texts[PseudoLanguage.marker] == true:
      return MessageText(PseudoLanguage.message(key)).text(naming: values())
    case .string(let text): return MessageText(text).text(naming: values())
    case .object(let forms):
      guard case .string(let text)? = forms[PluralCategory.other.rawValue] else { return nil }
      return MessageText(text).text(naming: values())
    case nil, .null, .bool, .int, .double, .array: return nil
    }
  }
}

extension JSON {
  /// The forms of a plural with the language whose rules choose.
  fileprivate func plural(in language: LanguageTag?) -> JSON {
    guard case .object(var forms) = self, let language else { return self }
    forms["in"] = .string(language.text)
    return .object(forms)
  }

  /// Returns the value with its strings replaced, except the name of the value that selects the form.
  fileprivate func texts(by text: (String) -> String) -> JSON {
    switch self {
    case .string(let string): return .string(text(string))
    case .array(let elements): return .array(elements.map { $0.texts(by: text) })
    case .object(let object):
      var copy = object
      for member in object.members where !member.name.hasSameBytes(as: "by") {
        copy[member.name] = member.value.texts(by: text)
      }
      return .object(copy)
    case .null, .bool, .int, .double: return self
    }
  }
}

extension Command {
  fileprivate var inPseudoLanguage: Command {
    var copy = self
    let texts = texts.texts(by: PseudoLanguage.text)
    if let texts = CommandTexts(reading: texts, at: .root, log: FaultLog()) {
      copy.content.take(texts)
    }
    return copy
  }

  /// The declared texts, as those of a language are written.
  var texts: JSON {
    guard case .object(let object) = json else { return [:] }
    return .object(object.texts)
  }
}

extension JSONObject {
  /// The members that are texts of a command.
  fileprivate var texts: JSONObject {
    var texts = JSONObject()
    for name in ["title", "subtitle", "discoverabilityTitle", "description", "unavailable"] {
      texts[name] = self[name]
    }
    texts["confirmation"] = self["confirmation"]
    if case .array(let alternates)? = self["alternates"] {
      texts["alternates"] = .array(
        alternates.map { alternate in
          guard case .object(let object) = alternate else { return .null }
          return .object(object.texts)
        })
    }
    return texts
  }
}
