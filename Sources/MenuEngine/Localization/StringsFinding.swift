import CEL
package import JSONText
package import Languages

/// A string that is missing in a language, or that says something else than in others (M14).
package struct StringsFinding: Sendable {
  package let language: LanguageTag
  /// The place among the strings of all languages, the tag first.
  package let place: JSONPointer
  package let reason: Reason

  package enum Reason: Equatable, Sendable {
    /// The language has no text for what another one, or a declaration, has: `the title of 'copy:'`.
    case missing(String)
    /// There is no such command, menu or text; the nearest one.
    case unknown(String, String, nearest: String?)
    /// A plural form that the language needs is missing.
    case missingForm(PluralCategory)
    /// The names of values in a text differ from those of the same text in other languages.
    case otherNames([String], expected: [String])
  }
}

extension Catalog {
  /// The findings about all languages, language by language.
  package var stringsFindings: [StringsFinding] {
    strings.flatMap { StringsCheck($0, in: self).findings }
  }
}

/// Checks the strings of a language.
private struct StringsCheck {
  private let own: LanguageStrings
  /// The strings that its tag finds, which fill in for it.
  private let chain: [LanguageStrings]
  private let catalog: Catalog

  init(_ own: LanguageStrings, in catalog: Catalog) {
    (self.own, self.catalog) = (own, catalog)
    chain = catalog.strings(for: own.language)
  }

  var findings: [StringsFinding] {
    // The language of the declarations needs no texts for them.
    let isOfDeclarations = own.language == catalog.template?.locale
    return unknown + (isOfDeclarations ? [] : missingTexts + missingMenus) + missingStrings
      + own.strings.members.flatMap { forms(of: $0.name, $0.value) }
  }

  private func finding(_ reason: StringsFinding.Reason, _ tokens: String...) -> StringsFinding {
    StringsFinding(
      language: own.language, place: JSONPointer([own.language.text] + tokens), reason: reason)
  }

  private var unknown: [StringsFinding] {
    let menus = catalog.menus.menus.map(\.identifier)
    return own.commands.filter { catalog.command($0.command) == nil }.map { entry in
      let id = entry.command.rawValue
      let near = CEL.nearest(to: id, among: catalog.commands.map(\.id.rawValue))
      return finding(.unknown("command", id, nearest: near), "commands", id)
    }
      + own.menus.filter { !menus.contains($0.menu) }.map { entry in
        let id = entry.menu.rawValue
        let near = CEL.nearest(to: id, among: menus.map(\.rawValue))
        return finding(.unknown("menu", id, nearest: near), "menus", id)
      }
  }

  private var missingTexts: [StringsFinding] {
    catalog.commands.flatMap { command -> [StringsFinding] in
      let texts = chain.flatMap(\.commands).filter { $0.command == command.id }.map(\.texts.json)
      return Self.missing(in: texts, of: command.texts).map { member in
        finding(.missing("'\(member)' of the command '\(command.id)'"), "commands")
      }
    }
  }

  /// Returns the texts of a declaration that none of several translations has, as paths.
  private static func missing(in texts: [JSON], of declared: JSON) -> [String] {
    guard case .object(let object) = declared else { return [] }
    return object.members.flatMap { member -> [String] in
      let parts = texts.map { $0[JSONPointer([member.name])] ?? .null }
      switch member.value {
      case .string(let text):
        let isWord = text.unicodeScalars.contains { $0.properties.isAlphabetic }
        return isWord && parts.allSatisfy { $0 == .null } ? [member.name] : []
      case .array(let elements):
        return elements.enumerated().flatMap { index, element in
          missing(in: parts.map { $0[JSONPointer([String(index)])] ?? .null }, of: element)
            .map { "\(member.name)/\(index)/\($0)" }
        }
      default: return missing(in: parts, of: member.value).map { "\(member.name)/\($0)" }
      }
    }
  }

  private var missingMenus: [StringsFinding] {
    let present = Set(chain.flatMap { $0.menus.map(\.menu) })
    return catalog.menus.menus.filter { !$0.title.isEmpty && !present.contains($0.identifier) }
      .map { finding(.missing("the title of the menu '\($0.identifier)'"), "menus") }
  }

  private var missingStrings: [StringsFinding] {
    var keys: [String] = []
    for strings in catalog.strings {
      for member in strings.strings.members where !keys.contains(where: member.name.hasSameBytes) {
        keys.append(member.name)
      }
    }
    return keys.filter { key in chain.allSatisfy { $0.strings[key] == nil } }
      // In the language of the declarations, a key can be its own text.
      .filter { _ in own.language != catalog.template?.locale }
      .map { finding(.missing("the key '\($0)'"), "strings") }
  }

  /// Returns the plural forms that are missing, and the names that differ from those of the other languages.
  private func forms(of key: String, _ text: JSON) -> [StringsFinding] {
    var findings: [StringsFinding] = []
    if case .object(let forms) = text {
      for category in PluralRules.cardinal(of: own.language).categories
      where forms[category.rawValue] == nil {
        findings.append(finding(.missingForm(category), "strings", key))
      }
    }
    let names = text.placeholders
    let first = catalog.strings.first { $0.language != own.language && $0.strings[key] != nil }
    if let expected = first?.strings[key]?.placeholders, expected != names,
      catalog.strings.first?.language != own.language
    {
      findings.append(finding(.otherNames(names, expected: expected), "strings", key))
    }
    return findings
  }
}

extension JSON {
  /// The names of values in a text, or in its forms, sorted.
  fileprivate var placeholders: [String] {
    let texts: [JSON] =
      if case .object(let forms) = self {
        forms.members.filter { $0.name != "by" }.map(\.value)
      } else {
        [self]
      }
    let names = texts.flatMap { text -> [String] in
      if case .string(let text) = text { MessageText(text).names } else { [] }
    }
    return Set(names).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
