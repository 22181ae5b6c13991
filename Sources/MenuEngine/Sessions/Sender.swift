public import JSONText

/// The sender of an action: a command, a responder, or anything a front end describes.
package struct Sender: Equatable, Sendable, Codable {
  /// The command; a menu item's action has the command itself as sender (M7). Its parameters are omitted, because
  /// their schema can be large.
  package let command: Command?
  package let description: SenderDescription?
  /// The sender given by a handler, passed on unchanged (V5).
  var value: JSON?

  init(command: consuming Command? = nil, description: SenderDescription?, value: JSON? = nil) {
    if command?.parameters != nil { command?.content.parameters = nil }
    self.command = command
    self.description = description
    self.value = value
  }

  /// The action that the sender carries (F6): the command's, else the one in its description.
  package var action: Selector? {
    if let command { return command.action }
    guard case .string(let text)? = description?.members["action"] else { return nil }
    return Selector(text)
  }

  /// The title: the command's, else the one in its description.
  var title: String? {
    if let command { return command.title }
    guard case .string(let text)? = description?.members["title"] else { return nil }
    return text
  }

  /// Returns the sender as rules and handlers see it.
  ///
  /// It has the members of the command, further members of the description, `responder` for a responder, and
  /// `kind`: as described, else `menu` for a command and `responder` for a responder. A value given by a
  /// handler is returned unchanged.
  func json(in responders: ResponderGraph) -> JSON {
    if let value { return value }
    guard let description else { return defaultJSON }
    var object = description.members
    if object["kind"] == nil {
      object["kind"] = defaultKind.map(JSON.string)
    }
    if let responder = description.responder {
      object["responder"] = responders.ruleValue(of: responder)
    }
    if case .object(let members)? = command?.json { object.assign(membersOf: members) }
    return .object(object)
  }

  /// The JSON of a sender without a description.
  private var defaultJSON: JSON {
    var object = JSONObject()
    object.reserveCapacity(16)
    object.add("kind", defaultKind.map(JSON.string))
    command?.addMembers(to: &object)
    return .object(object)
  }

  private var defaultKind: String? {
    if description?.responder != nil { return "responder" }
    return command == nil ? nil : "menu"
  }
}

extension Sender {
  /// Creates the sender of a request that names an action and no sender (F6).
  init(requesting action: Selector) {
    self.init(description: SenderDescription(requesting: action))
  }

  /// Creates the sender of an action or message that a responder sends.
  init(of action: Selector, from responder: ResponderID) {
    self.init(
      description: SenderDescription(
        responder: responder, members: ["action": .string(action.rawValue)]))
  }
}

/// The description of the sender of an action in a request.
public struct SenderDescription: Equatable, Sendable, Codable {
  /// The responder that sends; nil for none.
  package let responder: ResponderID?
  /// Further members, for rules.
  package let members: JSONObject

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - responder: The responder that sends. The default is none.
  ///   - members: Further members, for rules. The default is none.
  public init(responder: ResponderID? = nil, members: JSONObject = JSONObject()) {
    self.responder = responder
    self.members = members
  }

  /// Creates the sender of a request that names an action only (F6): `{"kind": "request", "action": "copy:"}`.
  init(requesting action: Selector) {
    self.init(members: ["kind": "request", "action": .string(action.rawValue)])
  }

  /// Reads the description of a sender: `{"responder": "okButton", "kind": "toolbar"}`.
  package init?(reading json: JSON, at pointer: JSONPointer, log: FaultLog) {
    guard var members = Read.object(json, at: pointer, log: log) else { return nil }
    if let responder = members["responder"] {
      let id: ResponderID? = Read.identifier(
        responder, at: pointer.appending("responder"), log: log)
      guard let id else { return nil }
      self.responder = id
      members["responder"] = nil
    } else {
      responder = nil
    }
    self.members = members
  }
}

extension Session {
  /// Returns a sender as rules and handlers see it; null for none.
  package func value(of sender: Sender?) -> JSON { sender?.json(in: graph) ?? .null }
}

extension Performer {
  /// Returns a sender whose command is as shown by the session: in its language (M14), and with the title of an item
  /// from data (M12). If the item no longer exists, the sender is unchanged.
  mutating func shown(_ sender: Sender) -> Sender {
    guard let former = sender.command, var command = catalog.command(former.id) else {
      return sender
    }
    if let key = former.itemKey {
      let found = inquire(nil) { $0.element(key, of: command.id).element }
      guard let found else { return sender }
      command = command.asItem(of: found)
    } else if let alternate = former.alternate {
      command = command.whileHolding(alternate.modifiers)
    }
    return Sender(command: command, description: sender.description, value: sender.value)
  }
}
