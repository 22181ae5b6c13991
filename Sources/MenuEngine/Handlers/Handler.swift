public import JSONText

/// The method of a responder for one selector: can it be performed, how does its item look, what
/// happens.
public struct Handler: Equatable, Sendable, Codable {
  /// The appearance of a command's item while this handler is its target; the default is as
  /// declared (M5).
  public let validate: Validation
  /// The rule that decides if the action can be performed for a sender (R4); without it always.
  public let canPerform: Rule?
  /// The effects when the action arrives, all or nothing. The default is none.
  public let perform: [Effect]
  /// True if the message goes on up the coordinating chain after the effects, as when a method
  /// calls super (C2). The default is false: the implementer of a message consumes it.
  public internal(set) var continues = false
  /// Closures of a program that embeds the engine; they are asked after the rules. A handler that a
  /// document describes has none.
  public let closures: HandlerClosures
}

extension Handler {
  /// The number of its rules; an effect counts as one.
  var ruleCount: Int {
    perform.reduce(validate.rules.count + (canPerform == nil ? 0 : 1)) { $0 + $1.ruleCount }
  }

  /// The handler that a document describes, or nil and the faults.
  public init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var reader = ObjectReader(json, at: pointer, log: log) else { return nil }
    validate = reader.member("validate", Validation.init(reading:at:log:)) ?? .none
    canPerform = reader.member("canPerform", Read.boolRule)
    perform = reader.list("perform", Effect.init(reading:at:log:)) ?? []
    continues = reader.member("continues", Read.bool) ?? false
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
      .unknownMember("canPerform", known: ["validate", "perform", "continues"]),
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
    if continues { object["continues"] = true }
    if !closures.isEmpty { object["closures"] = .array(closures.names.map(JSON.string)) }
    return .object(object)
  }
}
