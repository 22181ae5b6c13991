import JSONText
import Languages
import Synchronization

/// The texts of a catalogue in a language (M14).
final class Localization: Sendable {
  /// The commands and menus in the language.
  let wording: Catalog.Wording
  /// The texts of free keys, as `tr` reads them: a plural has the language that it is `in`.
  let translations: JSON

  /// Creates the texts of a catalogue as it is declared, in the first of these languages that has them.
  init(of catalog: Catalog, in languages: [LanguageStrings]) {
    var commands = catalog.commands
    var titles: [MenuID: String] = [:]
    var translations = JSONObject()
    for strings in languages.reversed() {
      for entry in strings.commands {
        if let position = catalog.positions[entry.command] { commands[position].take(entry.texts) }
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
    for strings in catalog.strings {
      for member in strings.strings.members where translations[member.name] == nil {
        let text = base?.strings[member.name] ?? .string(member.name)
        translations[member.name] = text.inPseudoLanguage.plural(in: base?.language)
      }
    }
    wording = catalog.reworded(
      catalog.commands.map(\.inPseudoLanguage),
      menus: catalog.menus.titled { $0.title.isEmpty ? nil : PseudoLanguage.text($0.title) })
    self.translations = .object(translations)
  }

  /// Returns a text of a declaration in the language: that of the key that is the text.
  func text(_ declared: String) -> String {
    guard case .object(let texts) = translations, case .string(let text)? = texts[declared] else {
      return declared
    }
    return text
  }
}

extension JSON {
  /// The forms of a plural with the language whose rules choose.
  fileprivate func plural(in language: LanguageTag?) -> JSON {
    guard case .object(var forms) = self, let language else { return self }
    forms["in"] = .string(language.text)
    return .object(forms)
  }

  fileprivate var inPseudoLanguage: JSON {
    switch self {
    case .string(let text): return .string(PseudoLanguage.text(text))
    case .object(let forms):
      var copy = forms
      for form in forms.members where form.name != "by" {
        copy[form.name] = form.value.inPseudoLanguage
      }
      return .object(copy)
    case .null, .bool, .int, .double, .array: return self
    }
  }
}

extension Command {
  fileprivate var inPseudoLanguage: Command {
    var copy = self
    if let texts = CommandTexts(reading: texts.inPseudoTexts, at: .root, log: FaultLog()) {
      copy.take(texts)
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

extension JSON {
  fileprivate var inPseudoTexts: JSON {
    switch self {
    case .string(let text): .string(PseudoLanguage.text(text))
    case .array(let elements): .array(elements.map(\.inPseudoTexts))
    case .object: inPseudoLanguageMembers
    case .null, .bool, .int, .double: self
    }
  }

  private var inPseudoLanguageMembers: JSON {
    guard case .object(var object) = self else { return self }
    for member in object.members { object[member.name] = member.value.inPseudoTexts }
    return .object(object)
  }
}

/// The localizations of a catalogue, each made on first use.
final class LazyLocalizations: Sendable {
  private let made = AtomicLazyReference<Node>()

  private final class Node: Sendable {
    let key: Int
    let localization: Localization
    let next = AtomicLazyReference<Node>()

    init(_ key: Int, _ localization: Localization) {
      (self.key, self.localization) = (key, localization)
    }
  }

  /// Returns the localization of a key, which `make` makes.
  func localization(_ key: Int, _ make: () -> Localization) -> Localization {
    guard var node = made.load() else {
      let first = made.storeIfNil(Node(key, make()))
      return first.key == key ? first.localization : localization(key, make)
    }
    while node.key != key {
      node = node.next.load() ?? node.next.storeIfNil(Node(key, make()))
    }
    return node.localization
  }
}
