import JSONText

/// The texts of a command, or of an alternate, in a language (M14); nil ones are as declared.
package struct CommandTexts: Sendable {
  package private(set) var title: String?
  package private(set) var subtitle: String?
  package private(set) var discoverabilityTitle: String?
  package private(set) var description: String?
  package private(set) var unavailable: String?
  package private(set) var confirmation: ConfirmationTexts?
  /// The texts of the alternates, in the order of their declaration; nil for one without texts.
  package private(set) var alternates: [CommandTexts?] = []
}

/// The texts of a confirmation in a language.
package struct ConfirmationTexts: Sendable {
  package let title: String?
  package let message: String?
  package let button: String?
}

extension CommandTexts {
  /// Reads texts: an object, or a string for the title alone.
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    self.init(reading: json, at: pointer, log: log, isAlternate: false)
  }

  private init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog, isAlternate: Bool) {
    if case .string(let title) = json {
      self.title = title
      return
    }
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    title = reader.member("title", Read.string)
    subtitle = reader.member("subtitle", Read.string)
    discoverabilityTitle = reader.member("discoverabilityTitle", Read.string)
    unavailable = reader.member("unavailable", Read.string)
    confirmation = reader.member("confirmation", ConfirmationTexts.init(reading:at:log:))
    if !isAlternate {
      description = reader.member("description", Read.string)
      alternates = reader.member("alternates", Self.alternates) ?? []
    }
    reader.finish()
  }

  private static func alternates(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [CommandTexts?]? {
    Read.list(
      json, at: pointer, log: log,
      of: Read.orNull { CommandTexts(reading: $0, at: $1, log: $2, isAlternate: true) })
  }

  /// The texts as they are read.
  var json: JSON {
    var object = JSONObject()
    object["title"] = title.map(JSON.string)
    object["subtitle"] = subtitle.map(JSON.string)
    object["discoverabilityTitle"] = discoverabilityTitle.map(JSON.string)
    object["description"] = description.map(JSON.string)
    object["unavailable"] = unavailable.map(JSON.string)
    object["confirmation"] = confirmation?.json
    if !alternates.isEmpty { object["alternates"] = .array(alternates.map { $0?.json ?? .null }) }
    return .object(object)
  }
}

extension ConfirmationTexts {
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    title = reader.member("title", Read.string)
    message = reader.member("message", Read.string)
    button = reader.member("button", Read.string)
    reader.finish()
  }

  var json: JSON {
    var object = JSONObject()
    object["title"] = title.map(JSON.string)
    object["message"] = message.map(JSON.string)
    object["button"] = button.map(JSON.string)
    return .object(object)
  }
}

/// Texts replace declared ones; undeclared texts stay absent.
extension Command.Content {
  mutating func take(_ texts: CommandTexts) {
    title = texts.title ?? title
    subtitle = subtitle.map { texts.subtitle ?? $0 }
    discoverabilityTitle = discoverabilityTitle.map { texts.discoverabilityTitle ?? $0 }
    description = description.map { texts.description ?? $0 }
    unavailable = unavailable.map { texts.unavailable ?? $0 }
    confirmation = confirmation.map { $0.taking(texts.confirmation) }
    for (index, texts) in zip(alternates.indices, texts.alternates) {
      if let texts { alternates[index].take(texts) }
    }
  }
}

extension CommandAlternate {
  fileprivate mutating func take(_ texts: CommandTexts) {
    title = texts.title ?? title
    subtitle = subtitle.map { texts.subtitle ?? $0 }
    discoverabilityTitle = discoverabilityTitle.map { texts.discoverabilityTitle ?? $0 }
    unavailable = unavailable.map { texts.unavailable ?? $0 }
    confirmation = confirmation.map { $0.taking(texts.confirmation) }
  }
}

extension Confirmation {
  fileprivate func taking(_ texts: ConfirmationTexts?) -> Confirmation {
    var copy = self
    copy.title = texts?.title ?? title
    copy.message = message.map { texts?.message ?? $0 }
    copy.button = button.map { texts?.button ?? $0 }
    return copy
  }
}
