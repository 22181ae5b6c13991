import JSONText
package import Languages

/// The languages of a catalogue, and the one that it is in.
final class CatalogLanguages: Sendable {
  /// The strings by language, in the order of their tags.
  let strings: [LanguageStrings]
  /// The locale that was asked for, its texts, and the declared wording; nil for a catalogue as it is declared.
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

  /// The texts of free keys, as `tr` reads them.
  var translations: JSON { languages?.present?.localization.translations ?? Self.noTranslations }

  private static let noTranslations: JSON = [:]

  /// Returns a text of a handler's declaration in the language of the catalogue.
  func translated(_ text: String) -> String { languages?.present?.localization.text(text) ?? text }

  /// Returns a command as it is declared; nil for an unknown one, and if the catalogue is in no language.
  func declaredCommand(at position: Int) -> Command? {
    languages?.present?.declared.commands[position]
  }

  /// Returns the catalogue in the language of a session (M14).
  package consuming func localized(for session: Session) -> Catalog {
    guard isOfAnotherLanguage(than: session) else { return self }
    return localized(for: session.locale)
  }

  /// Returns the catalogue in a language: in the first of those to which the locale can be truncated that has a text,
  /// else in the language of the declarations, else as declared.
  package func localized(for locale: LanguageTag?) -> Catalog {
    guard let languages else { return self }
    let declared = languages.present.map {
      worded(by: $0.declared, CatalogLanguages(languages.strings))
    }
    return (declared ?? self).fromDeclared(for: locale, languages.strings)
  }

  private func fromDeclared(for locale: LanguageTag?, _ strings: [LanguageStrings]) -> Catalog {
    guard let locale else { return self }
    let localization: Localization
    if locale == PseudoLanguage.tag, !strings.contains(where: { $0.language == locale }) {
      localization = lazyLocalizations.localization(-2) {
        Localization(ofPseudo: self, base: chain(of: template?.locale).first.map { strings[$0] })
      }
    } else {
      let chain = chain(of: locale)
      let base = self.chain(of: template?.locale).filter { !chain.contains($0) }
      localization = lazyLocalizations.localization(chain.first ?? -1) {
        Localization(of: self, in: (chain + base).map { strings[$0] })
      }
    }
    return worded(
      by: localization.wording,
      CatalogLanguages(
        strings,
        present: CatalogLanguages.Present(
          locale: locale, localization: localization, declared: wording)))
  }

  /// Returns the indexes of the strings for a locale, the most specific first (RFC 4647, 3.4).
  private func chain(of locale: LanguageTag?) -> [Int] {
    (locale?.truncations ?? []).compactMap { tag in
      strings.firstIndex { $0.language == tag }
    }
  }

  /// Returns the strings that a locale finds, the most specific first.
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
  /// True if it has strings and is not in the language of a session.
  package func isOfAnotherLanguage(than session: Session) -> Bool {
    guard let languages else { return false }
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
