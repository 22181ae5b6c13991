public import JSONText

/// What a responder does for one selector: asked whether, how it looks, and what happens.
public struct Handler: Equatable, Sendable, Codable {
  /// How a command's item looks while this handler is its target; without it as declared (M5).
  public let validate: Validation
  /// Whether the action can be performed for a sender (R4); without it always.
  public let canPerform: Rule?
  /// What happens when the action arrives, all or nothing. The default is nothing.
  public let perform: [Effect]
  /// Closures of a program that embeds the engine; they are asked after the rules. A handler that a
  /// document describes has none.
  public let closures: HandlerClosures

  /// The rules that change an item from how its command is declared (M5).
  public struct Validation: Equatable, Sendable, Codable {
    /// Sets or clears the attribute `disabled`.
    public let enabled: Rule?
    /// The check mark: true, false, `"on"`, `"off"` or `"mixed"`.
    public let checked: Rule?
    /// The title.
    public let title: Rule?
    /// The second line.
    public let subtitle: Rule?
    /// The name of the image.
    public let image: Rule?
    /// What a list of key commands calls it.
    public let discoverabilityTitle: Rule?
    /// Sets or clears the attribute `hidden`.
    public let hidden: Rule?
    /// Sets or clears the attribute `destructive`.
    public let destructive: Rule?
    /// Sets or clears the attribute `keepsMenuPresented`.
    public let keepsMenuPresented: Rule?

    /// The rules that there are.
    var all: [Rule] {
      [
        enabled, checked, title, subtitle, image, discoverabilityTitle, hidden, destructive,
        keepsMenuPresented,
      ].compactMap(\.self)
    }

    /// No rules: items are as declared.
    static let none = Validation(
      enabled: nil, checked: nil, title: nil, subtitle: nil, image: nil,
      discoverabilityTitle: nil, hidden: nil, destructive: nil,
      keepsMenuPresented: nil)
  }
}

extension Handler {
  /// The handler that a document describes, or nil and the faults.
  public init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    validate = reader.member("validate", Validation.init(reading:at:log:)) ?? .none
    canPerform = reader.member("canPerform", Read.boolRule)
    perform = reader.list("perform", Effect.init(reading:at:log:)) ?? []
    closures = HandlerClosures()
    reader.finish()
  }

  /// The handler for a coordinator that a document describes, or nil and the faults.
  ///
  /// It has no `canPerform`, since a forwarder can perform whatever its coordinator has a handler
  /// for (F3).
  public init?(coordinated json: JSON, at pointer: JSONPointer, log: FaultLog) {
    self.init(reading: json, at: pointer, log: log)
    guard canPerform != nil else { return }
    log.note(
      .unknownMember("canPerform", known: ["validate", "perform"]),
      at: pointer.appending("canPerform"))
  }

  /// The handler as a document.
  ///
  /// Closures cannot be written: a handler that has some gets a member `closures` with their names,
  /// which no reader takes, so that none of them is lost unnoticed.
  public var json: JSON {
    var object = JSONObject()
    if validate != .none { object["validate"] = validate.json }
    object["canPerform"] = canPerform?.json
    object["perform"] = .array(perform.map(\.json))
    if !closures.isEmpty { object["closures"] = .array(closures.names.map(JSON.string)) }
    return .object(object)
  }
}

extension Handler.Validation {
  init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    enabled = reader.member("enabled", Read.boolRule)
    checked = reader.member("checked", Read.boolRule)
    title = reader.member("title", Read.rule)
    subtitle = reader.member("subtitle", Read.rule)
    image = reader.member("image", Read.rule)
    discoverabilityTitle = reader.member("discoverabilityTitle", Read.rule)
    hidden = reader.member("hidden", Read.boolRule)
    destructive = reader.member("destructive", Read.boolRule)
    keepsMenuPresented = reader.member("keepsMenuPresented", Read.boolRule)
    reader.finish()
  }

  var json: JSON {
    var object = JSONObject()
    object["enabled"] = enabled?.json
    object["checked"] = checked?.json
    object["title"] = title?.json
    object["subtitle"] = subtitle?.json
    object["image"] = image?.json
    object["discoverabilityTitle"] = discoverabilityTitle?.json
    object["hidden"] = hidden?.json
    object["destructive"] = destructive?.json
    object["keepsMenuPresented"] = keepsMenuPresented?.json
    return .object(object)
  }
}
