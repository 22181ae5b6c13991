import CEL
package import JSONText
package import Languages

/// A string that is missing in a language, or inconsistent with other languages (M14).
package struct StringsFinding: Sendable {
  package let language: LanguageTag
  /// The place among the strings of all languages, the tag first.
  package let place: JSONPointer
  package let reason: Reason

  package enum Reason: Equatable, Sendable {
    /// The language lacks a text that a declaration or another language has: `the title of 'copy:'`.
    case missing(String)
    /// The command, menu or text does not exist; with the nearest one.
    case unknown(String, String, nearest: String?)
    /// The command declares no such text, so this one is never shown.
    case useless(String, of: CommandID)
    /// A plural form that the language needs is missing.
    case missingForm(PluralCategory)
    /// The names of values in a text differ from those in other languages.
    case otherNames([String], expected: [String])
  }
}

extension Catalog {
  /// Returns the findings about all languages, language by language.
  ///
  /// - Parameter documents: The documents that can have keys of texts: those of commands, classes, storyboards, the
  ///   session, resources and prompts.
  package func stringsFindings(of documents: [JSON]) -> [StringsFinding] {
    guard !strings.isEmpty else { return [] }
    let keys = TextKeys(of: documents, commands, labels: contents?.labels ?? [])
    return strings.flatMap { StringsCheck($0, keys, in: self).findings }
  }
}

/// Checks the strings of a language.
private struct StringsCheck {
  private let own: LanguageStrings
  /// The strings for its tag, including fallbacks.
  private let chain: [LanguageStrings]
  private let keys: TextKeys
  private let catalog: Catalog
  /// True if the declarations are in this language, so that they need no texts.
  private let isOfDeclarations: Bool

  init(_ own: LanguageStrings, _ keys: TextKeys, in catalog: Catalog) {
    (self.own, self.keys, self.catalog) = (own, keys, catalog)
    chain = catalog.strings(for: own.language)
    isOfDeclarations = catalog.template?.locale?.truncations.contains(own.language) == true
  }

  var findings: [StringsFinding] {
    unknown + useless + (isOfDeclarations ? [] : missingTexts + missingMenus + missingStrings)
      + own.strings.members.flatMap { forms(of: $0.name, $0.value) }
  }

  private func finding(_ reason: StringsFinding.Reason, _ tokens: [String]) -> StringsFinding {
    StringsFinding(
      language: own.language, place: JSONPointer([own.language.text] + tokens), reason: reason)
  }

  private var unknown: [StringsFinding] {
    let menus = Set(catalog.menus.menus.map(\.identifier))
    let commands = own.commands.map(\.command).filter { catalog.command($0) == nil }
    return commands.map { id in
      let near = CEL.nearest(to: id.rawValue, among: catalog.commands.map(\.id.rawValue))
      return finding(
        .unknown("command", id.rawValue, nearest: near), ["commands", id.rawValue])
    }
      + own.menus.map(\.menu).filter { !menus.contains($0) }.map { id in
        let near = CEL.nearest(to: id.rawValue, among: menus.map(\.rawValue).sorted())
        return finding(.unknown("menu", id.rawValue, nearest: near), ["menus", id.rawValue])
      }
  }

  /// The texts that replace no declared text.
  private var useless: [StringsFinding] {
    own.commands.flatMap { entry -> [StringsFinding] in
      guard let command = catalog.command(entry.command) else { return [] }
      return Self.missing(in: [command.texts], of: entry.texts.json).map { path in
        finding(
          .useless(path.joined(separator: "/"), of: command.id),
          ["commands", command.id.rawValue] + path)
      }
    }
  }

  private var missingTexts: [StringsFinding] {
    var texts: [CommandID: [JSON]] = [:]
    for entry in chain.flatMap(\.commands) {
      texts[entry.command, default: []].append(entry.texts.json)
    }
    return catalog.commands.flatMap { command -> [StringsFinding] in
      Self.missing(in: texts[command.id] ?? [], of: command.texts, onlyWords: true).map { path in
        let text = path.joined(separator: "/")
        return finding(.missing("'\(text)' of the command '\(command.id)'"), ["commands"])
      }
    }
  }

  /// Returns the texts that all of several documents lack, as paths.
  ///
  /// - Parameter onlyWords: True to ignore texts without letters. The default is false.
  private static func missing(
    in texts: [JSON], of all: JSON, onlyWords: Bool = false
  ) -> [[String]] {
    func missing(_ name: String, _ value: JSON) -> [[String]] {
      let parts = texts.map { $0[JSONPointer([name])] ?? .null }
      guard case .string(let text) = value else {
        return Self.missing(in: parts, of: value, onlyWords: onlyWords).map { [name] + $0 }
      }
      let counts = !onlyWords || text.unicodeScalars.contains { $0.properties.isAlphabetic }
      return counts && parts.allSatisfy { $0 == .null } ? [[name]] : []
    }
    switch all {
    case .object(let object): return object.members.flatMap { missing($0.name, $0.value) }
    case .array(let elements):
      return elements.enumerated().flatMap { missing(String($0), $1) }
    case .null, .bool, .int, .double, .string: return []
    }
  }

  private var missingMenus: [StringsFinding] {
    let present = Set(chain.flatMap { $0.menus.map(\.menu) })
    return catalog.menus.menus.filter { !$0.title.isEmpty && !present.contains($0.identifier) }
      .map { finding(.missing("the title of the menu '\($0.identifier)'"), ["menus"]) }
  }

  private var missingStrings: [StringsFinding] {
    var all = JSONObject()
    for strings in catalog.strings { all.assign(membersOf: strings.strings) }
    all.assign(membersOf: keys.translated)
    all.assign(membersOf: keys.declared)
    return all.members.map(\.name)
      .filter { key in chain.allSatisfy { $0.strings[key] == nil } }
      .map { finding(.missing("the key '\($0)'"), ["strings"]) }
  }

  /// Returns the plural forms that are missing, and the names that differ from those of the other languages.
  private func forms(of key: String, _ text: JSON) -> [StringsFinding] {
    var findings: [StringsFinding] = []
    if case .object(let forms) = text {
      for category in PluralRules.cardinal(of: own.language).categories
      where forms[category.rawValue] == nil {
        findings.append(finding(.missingForm(category), ["strings", key]))
      }
    }
    let names = text.placeholders
    let first = catalog.strings.first { $0.language != own.language && $0.strings[key] != nil }
    if let expected = first?.strings[key]?.placeholders, expected != names,
      catalog.strings.first?.language != own.language
    {
      findings.append(finding(.otherNames(names, expected: expected), ["strings", key]))
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
