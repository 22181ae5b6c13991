import JSONText
import Languages
import MenuEngine
import MenuStore
import MicroHTTP

/// The languages of an application, and the one of a session (M14).
enum LocaleRoutes {
  static let all = [
    Route(
      .get, at: "/locales", needing: .items, id: "listLocales",
      "The languages among which a session can choose.",
      answers: .tagged("Locales", "Their tags."), answeredBy: list),
    Route(
      .put, at: "/sessions/{session}/locale", needing: .focus, id: "setLocale",
      "Sets the language of a session's texts. A tag without strings is truncated until there are some.",
      body: .json("LocaleName", #"{"locale":"de"}"#),
      answers: [.ok("LocaleChanged", "It holds from now on.", headers: ["ETag"])], answeredBy: set),
  ]

  private static func list(_ call: Call) throws(Problem) -> Response {
    let catalog = call.catalog
    return call.answer(about: catalog, "locales") { writer in
      writer.member("locales", .array(catalog.locales.map(JSON.string)))
    }
  }

  private static func set(_ call: Call) throws(Problem) -> Response {
    let locale: LanguageTag? = try call.object { $0.required("locale", Read.orNull(Read.locale)) }
    return try call.apply(
      .setLocale(locale), at: { _ in nil },
      also: { $0.member("locale", locale.map { .string($0.text) } ?? .null) })
  }
}
