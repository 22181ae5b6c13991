public import JSONText

extension CommandAlternate {
  /// The alternates that an array describes; two for the same modifiers are refused.
  static func list(
    reading json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> [CommandAlternate]? {
    guard let alternates = Read.list(json, at: pointer, log: log, of: Self.init(reading:at:log:))
    else {
      return nil
    }
    var places: [KeyModifiers: JSONPointer] = [:]
    for (index, alternate) in alternates.enumerated() {
      let place = pointer.appending(index)
      if let other = places[alternate.modifiers] {
        log.note(
          .repeatedModifiers(alternate.modifiers, other: other), at: place.appending("modifiers"))
      }
      places[alternate.modifiers] = places[alternate.modifiers] ?? place
    }
    return alternates
  }

  private init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    let modifiers = reader.required("modifiers", Read.modifiers)
    let title = reader.required("title", Read.string)
    let action = reader.required("action", Read.selector)
    subtitle = reader.member("subtitle", Read.string)
    discoverabilityTitle = reader.member("discoverabilityTitle", Read.string)
    reader.finish()
    if modifiers == [] {
      log.note(.expected(.modifiers, found: .array([])), at: reader.place(of: "modifiers"))
    }
    guard let modifiers, let title, let action else { return nil }
    self.modifiers = modifiers
    self.title = title
    self.action = action
  }

  /// The alternate as a document.
  public var json: JSON {
    var object = JSONObject()
    object["modifiers"] = modifiers.json
    object["title"] = .string(title)
    object["subtitle"] = subtitle.map(JSON.string)
    object["discoverabilityTitle"] = discoverabilityTitle.map(JSON.string)
    object["action"] = .string(action.rawValue)
    return .object(object)
  }
}
