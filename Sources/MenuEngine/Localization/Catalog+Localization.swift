package import JSONText
package import Languages

/// The languages of a catalogue, and its present one.
final class CatalogLanguages: Sendable {
  /// The strings by language, in the order of their tags.
  let strings: [LanguageStrings]
  /// The requested locale, its texts, and the declared wording; nil for a catalogue as declared.
  let present: Present?

  struct Present: Sendable {
    let locale: LanguageTag
    let localization: Localization
    let declared: Catalog.Wording
  }

  init(_ strings: [LanguageStrings], present: Present? = nil) {
    (self.strings, self.present) = (strings, present)
  }
}

extension Catalog {
  /// The strings by language, in the order of their tags.
  package var strings: [LanguageStrings] { languages?.strings ?? [] }

  /// The languages that a session can choose, in the order of their tags: those with strings, and that of the
  /// declarations. Empty without strings.
  package var locales: [String] {
    let own = strings.isEmpty ? nil : template?.locale?.text
    return Set(strings.map(\.language.text) + [own].compactMap(\.self)).sorted()
  }

  /// The texts of its language; nil for the declared ones.
  var localization: Localization? { languages?.present?.localization }

  /// The texts of free keys, as `tr` reads them.
  var translations: JSON { localization?.translations ?? Self.noTranslations }

  /// Returns the texts of free keys in the language of a session.
  package func translations(for session: Session) -> JSON {
    isOfAnotherLanguage(than: session) ? localized(for: session).translations : translations
  }

  private static let noTranslations: JSON = [:]

  /// Returns the text of a declaration in the language of the catalogue; the declared text is its key.
  func translated(_ text: String) -> String { translations.translation(of: text) ?? text }

  /// The commands and menus as declared; nil if the catalogue itself is as declared.
  var declaredWording: Wording? { languages?.present?.declared }

  /// Returns the catalogue in the language of a session (M14).
  package consuming func localized(for session: Session) -> Catalog {
    guard isOfAnotherLanguage(than: session) else { return self }
    return localized(for: session.locale)
  }

  /// Returns the catalogue in a language. Each text is that of the first truncation of the locale that has it, else
  /// that of the declarations' language, else as declared.
  package func localized(for locale: LanguageTag?) -> Catalog {
    guard let languages else {
      // The pseudo language needs no strings.
      return locale?.truncations.contains(PseudoLanguage.tag) == true
        ? fromDeclared(for: locale, []) : self
    }
    let declared = languages.present.map {
      worded(by: $0.declared, CatalogLanguages(languages.strings))
    }
    return (declared ?? self).fromDeclared(for: locale, languages.strings)
  }

  private func fromDeclared(for locale: LanguageTag?, _ strings: [LanguageStrings]) -> Catalog {
    guard let locale else { return self }
    let localization: Localization
    let chain = chain(of: locale)
    if isPseudo(locale, finding: chain.first.map { strings[$0].language }) {
      localization = lazyLocalizations.value(of: .pseudo) {
        Localization(
          ofPseudo: self, base: self.chain(of: template?.locale).first.map { strings[$0] })
      }
    } else {
      let key = chain.first.map(LocalizationKey.strings) ?? .declarations
      localization = lazyLocalizations.value(of: key) {
        let all = chain + self.chain(of: template?.locale).filter { !chain.contains($0) }
        return Localization(of: self, in: all.map { strings[$0] })
      }
    }
    return worded(
      by: localization.wording,
      CatalogLanguages(
        strings,
        present: CatalogLanguages.Present(
          locale: locale, localization: localization, declared: wording)))
  }

  /// True for a locale of the pseudo language, unless it has strings of its own.
  private func isPseudo(_ locale: LanguageTag, finding language: LanguageTag?) -> Bool {
    locale.truncations.contains(PseudoLanguage.tag)
      && language?.truncations.contains(PseudoLanguage.tag) != true
  }

  /// Returns the indexes of the strings for a locale, the most specific first (RFC 4647, 3.4).
  private func chain(of locale: LanguageTag?) -> [Int] {
    (locale?.truncations ?? []).compactMap { tag in
      strings.firstIndex { $0.language == tag }
    }
  }

  /// Returns the strings for a locale, the most specific first.
  package func strings(for locale: LanguageTag) -> [LanguageStrings] {
    chain(of: locale).map { strings[$0] }
  }
}

extension SessionContext {
  /// Returns the context with the catalogue in the language of a session (M14).
  func localized(for session: Session) -> SessionContext {
    guard catalog.isOfAnotherLanguage(than: session) else { return self }
    return SessionContext(
      catalog.localized(for: session.locale), effort: effort, isExplaining: isExplaining,
      isDry: isDry, actor: actor)
  }
}

extension Catalog {
  /// True if it has several languages and its present one is not the session's.
  package func isOfAnotherLanguage(than session: Session) -> Bool {
    guard let languages else {
      return session.locale?.truncations.contains(PseudoLanguage.tag) == true
    }
    return languages.present?.locale != session.locale
  }
}

extension Menu {
  /// Returns the menu and its submenus with other titles; nil leaves a title as it is.
  func titled(by title: (Menu) -> String?) -> Menu {
    Menu(
      identifier: identifier, title: title(self) ?? self.title, image: image, options: options,
      children: children.map { child in
        switch child {
        case .command, .itemsFromData: child
        case .menu(let menu): .menu(menu.titled(by: title))
        }
      }, systems: systems)
  }
}
