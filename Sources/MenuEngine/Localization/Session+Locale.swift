import CEL
import JSONText
package import Languages

/// Operations on the language of a session (M14).
extension Operations {
  static let ofLocales: [any AnyOperation] = [setLocale]

  static let setLocale = Operation(
    "setLocale", needs: .focus, about: "Sets the language of the session's texts (M14).",
    Member(
      "locale", MemberType<LanguageTag>.locale.nullable("OptionalLocale"),
      about: "The tag of the language; null for the texts as they are declared.")
  ) { (performer: inout Performer, locale) throws(MutationFault) in
    guard performer.session.locale != locale else { return }
    performer.session.parts.value.locale = locale
    performer.followLocale()
    performer.record([.locale(locale)])
  }
}

extension Mutation {
  /// Sets the language of the session's texts, or none (M14).
  package static func setLocale(_ locale: LanguageTag?) -> Mutation {
    Mutation(Operations.setLocale, locale)
  }
}

extension MemberType where Value == LanguageTag {
  static var locale: MemberType {
    MemberType(
      "Locale", answering: [.string], read: Read.locale, write: { .string($0.text) },
      evaluate: { (rule, scope, member) throws(MutationFault) in
        try scope.name(rule, for: member, expecting: .locale, by: LanguageTag.init(_:))
      })
  }
}

extension Session {
  /// The language of its texts; nil for those that are declared (M14).
  package var locale: LanguageTag? { parts.value.locale }

  /// The position of `locale` among the members of the document, after `keymap`.
  var positionOfLocale: Int { Self.positionOfKeymap + (keymap == nil ? 0 : 1) }
}
