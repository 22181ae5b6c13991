public import JSONText

/// A command to perform, or an action to send.
public struct ActionRequest: Equatable, Sendable, Codable, Dated {
  /// The subject of a request.
  public enum Subject: Equatable, Sendable, Codable {
    /// A command, which is validated first (M7).
    case command(CommandID)
    /// An action, sent as by `sendAction:to:from:forEvent:` (R7).
    case action(Selector)
  }

  package let subject: Subject
  /// The key of an item from data of the command (M12), which supplies its parameters. The default is the command
  /// itself.
  package let itemKey: ItemKey?
  /// The sender. The default is the request itself for an action (F6), and the command alone for a command.
  package let sender: SenderDescription?
  /// The responder where the search begins instead of the first responder.
  package private(set) var from: ResponderID?
  /// The window to treat as key (R11). The default is the key window.
  package let window: ResponderID?
  /// The receiver, without a search (R7).
  package let to: Receiver?
  /// The arguments after target and selector. The default is the sender, then nulls, one per colon of the
  /// selector.
  package let arguments: [JSON]?
  /// The parameters of a command (P2). The default is none.
  package private(set) var parameters: JSONObject?
  /// The held modifiers, which may select an alternate of the command (M11). The default is none.
  package let modifiers: KeyModifiers
  /// True if the user confirmed the command (W4); nil is false.
  package private(set) var confirmed: Bool?
  /// The plan that the request performs (T6); nil for none. It is not part of documents.
  package private(set) var plan: PlanUse?
  /// The time, in milliseconds since 1970-01-01T00:00:00Z.
  package var when: Int64?

  /// Creates a request for a command or an action.
  ///
  /// - Parameters:
  ///   - subject: The command or the action.
  ///   - itemKey: The key of an item from data of the command (M12). The default is the command itself.
  ///   - sender: The sender. The default is the request itself for an action (F6), and the command alone for a
  ///     command.
  ///   - from: The responder at which the search begins. The default is the first responder.
  ///   - window: The window to treat as key (R11). The default is the key window.
  ///   - to: The receiver, without a search, as in `sendAction:to:from:` (R7).
  ///   - arguments: As many values as the selector has colons. The default is the sender, then nulls.
  ///   - parameters: The parameters of a command (P2). The default is none.
  ///   - confirmed: True if the user confirmed the command (W4). The default is false.
  ///   - when: The time, in milliseconds since 1970-01-01T00:00:00Z. The default is none.
  public init(
    _ subject: Subject, itemKey: ItemKey? = nil, sender: SenderDescription? = nil,
    from: ResponderID? = nil, window: ResponderID? = nil, to: Receiver? = nil,
    arguments: [JSON]? = nil, parameters: JSONObject? = nil, confirmed: Bool = false,
    when: Int64? = nil
  ) {
    self.init(
      subject, itemKey: itemKey, sender: sender, from: from, window: window, to: to,
      arguments: arguments,
      parameters: parameters, modifiers: [], confirmed: confirmed ? true : nil, when: when)
  }

  /// Creates a request with modifiers held.
  package init(
    _ subject: Subject, itemKey: ItemKey? = nil, sender: SenderDescription? = nil,
    from: ResponderID? = nil, window: ResponderID? = nil, to: Receiver? = nil,
    arguments: [JSON]? = nil, parameters: JSONObject? = nil, modifiers: KeyModifiers,
    confirmed: Bool? = nil, when: Int64? = nil
  ) {
    self.subject = subject
    self.itemKey = itemKey
    self.sender = sender ?? subject.defaultSender
    self.from = from
    self.window = window
    self.to = to
    self.arguments = arguments
    self.parameters = parameters
    self.modifiers = modifiers
    self.confirmed = confirmed
    self.when = when
  }
}

extension ActionRequest.Subject {
  /// The sender of a request without one (F6).
  var defaultSender: SenderDescription? {
    switch self {
    case .command: nil
    case .action(let action): SenderDescription(requesting: action)
    }
  }
}

extension ActionRequest {
  /// Reads a request from an object that has other members too; nil with faults in the log. Exactly one of
  /// `command` and `action` is required; the other members are optional.
  ///
  /// `when` is read only with `isDated`, which is the default. `others` are the members accepted instead of
  /// `command`, by default `action`.
  package init?(
    _ reader: inout ObjectReader, isDated: Bool = true, orElse others: [String] = ["action"]
  ) {
    let subject = Subject(&reader, orElse: others)
    let sender = reader.member("sender", SenderDescription.init(reading:at:log:))
    from = reader.member("from", Read.identifier)
    window = reader.member("window", Read.identifier)
    to = reader.member("to", Read.receiver)
    arguments = reader.list("arguments", Read.any)
    itemKey = reader.member("itemKey", Read.itemKey)
    parameters = reader.member("parameters", Read.object)
    modifiers = reader.member("modifiers", Read.modifiers) ?? []
    confirmed = reader.member("confirmed", Read.bool)
    when = isDated ? reader.member("when", Read.time) : nil
    if itemKey != nil { reader.checkItemKey() }
    guard let subject else { return nil }
    if case .action = subject {
      let ofCommands = [
        ("modifiers", !modifiers.isEmpty), ("parameters", parameters != nil),
        ("confirmed", confirmed != nil), ("itemKey", itemKey != nil),
      ]
      for (name, isGiven) in ofCommands where isGiven {
        reader.log.note(.conflictingMembers("action", name), at: reader.pointer)
      }
    }
    self.subject = subject
    self.sender = sender ?? subject.defaultSender
  }

  /// The request as a document.
  package var document: JSONObject {
    var object = JSONObject()
    for (name, value) in members { object[name] = value }
    return object
  }

  /// The members of the request's document; absent ones are nil.
  var members: [(String, JSON?)] {
    var members: [(String, JSON?)] = []
    switch subject {
    case .command(let id): members.append(("command", .string(id.rawValue)))
    case .action(let action): members.append(("action", .string(action.rawValue)))
    }
    if let itemKey { members.append(("itemKey", .string(itemKey.text))) }
    members.append(("sender", sender?.json))
    members.append(("from", from.map { .string($0.rawValue) }))
    members.append(("window", window.map { .string($0.rawValue) }))
    members.append(("to", to.map { .string($0.description) }))
    members.append(("arguments", arguments.map(JSON.array)))
    members.append(("parameters", parameters.map(JSON.object)))
    members.append(("modifiers", modifiers.isEmpty ? JSON?.none : modifiers.json))
    members.append(("confirmed", confirmed.map(JSON.bool)))
    members.append(("when", when.map(JSON.int)))
    return members
  }

  /// Returns the request with the parameters of an item from data.
  func bringing(_ parameters: JSONObject) -> ActionRequest {
    var copy = self
    copy.parameters = parameters
    return copy
  }

  /// Returns the request with the search begun at a responder.
  func asked(from responder: ResponderID) -> ActionRequest {
    var copy = self
    copy.from = responder
    return copy
  }

  /// Returns the request, performed by a plan.
  package func performed(by plan: PlanUse) -> ActionRequest {
    var copy = self
    copy.plan = plan
    return copy
  }

  /// The request as confirmed by the user (W4).
  package var asConfirmed: ActionRequest {
    var copy = self
    copy.confirmed = true
    return copy
  }
}

extension ObjectReader {
  /// Records parameters beside the key of an item from data, which has its own, and modifiers, for which it has no
  /// alternates.
  func checkItemKey() {
    guard has("itemKey") else { return }
    for member in ["parameters", "modifiers"] where has(member) {
      log.note(.conflictingMembers("itemKey", member), at: pointer)
    }
  }
}

extension ActionRequest.Subject {
  init?(_ reader: inout ObjectReader, orElse others: [String]) {
    let faults = reader.log.faults.count
    let command: CommandID? = reader.member("command", Read.identifier)
    let action = reader.member("action", Read.selector)
    switch (command, action) {
    case (let command?, nil): self = .command(command)
    case (nil, let action?): self = .action(action)
    case (_?, _?):
      reader.log.note(.conflictingMembers("command", "action"), at: reader.pointer)
      return nil
    case (nil, nil):
      if reader.log.faults.count == faults {
        reader.log.note(.missingMember("command", orElse: others), at: reader.pointer)
      }
      return nil
    }
  }
}

extension SenderDescription {
  /// The sender as a document.
  package var json: JSON {
    var object = JSONObject()
    object["responder"] = responder.map { .string($0.rawValue) }
    for member in members.members { object[member.name] = member.value }
    return .object(object)
  }
}
