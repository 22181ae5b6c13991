package import JSONText

/// The sender of an action: a command, a responder, or whatever a front end describes.
package struct Sender: Equatable, Sendable, Codable {
  /// The command; the sender of a menu item's action is the command itself (M7), but for the schema of its
  /// parameters, which is for those who perform it and can be large.
  package let command: Command?
  /// The description in a request.
  package let description: SenderDescription?
  /// The value that a handler gives as sender; it is handed through as it is (V5).
  var value: JSON?

  init(command: Command?, description: SenderDescription?, value: JSON? = nil) {
    var command = command
    if command?.parameters != nil { command?.parameters = nil }
    self.command = command
    self.description = description
    self.value = value
  }

  /// The action it carries (F6): the command's, else the one in its description.
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

  /// Returns the sender as rules see it, and as it arrives as first argument.
  ///
  /// The members of the command, those of the description that it does not have, `responder` when
  /// the sender is one, and `kind`: as described, else `menu` for a command and `responder` for a
  /// responder. A value that a handler gave is just that.
  func json(in responders: ResponderGraph) -> JSON {
    if let value { return value }
    var object = description?.members ?? JSONObject()
    if object["kind"] == nil {
      object["kind"] = defaultKind.map(JSON.string)
    }
    if let responder = description?.responder {
      object["responder"] = responders.ruleValue(of: responder)
    }
    if case .object(let members)? = command?.json {
      object.reserveCapacity(object.count + members.count)
      for member in members.members { object[member.name] = member.value }
    }
    return .object(object)
  }

  private var defaultKind: String? {
    if description?.responder != nil { return "responder" }
    return command == nil ? nil : "menu"
  }
}

extension Sender {
  /// The request for an action, which is its sender when nobody else is (F6).
  init(requesting action: Selector) {
    self.init(command: nil, description: SenderDescription(requesting: action))
  }
}

/// The description of the sender of an action in a request.
package struct SenderDescription: Equatable, Sendable, Codable {
  /// The responder that it is.
  package let responder: ResponderID?
  /// Anything else, for rules to read.
  package let members: JSONObject

  /// A responder, anything else, or both.
  package init(responder: ResponderID? = nil, members: JSONObject = JSONObject()) {
    self.responder = responder
    self.members = members
  }

  /// The request for an action as its sender (F6): `{"kind": "request", "action": "copy:"}`.
  init(requesting action: Selector) {
    self.init(members: ["kind": "request", "action": .string(action.rawValue)])
  }

  /// The sender that a document describes: `{"responder": "okButton", "kind": "toolbar"}`.
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
  /// Returns a sender as rules see it, and as it arrives as first argument; null for none.
  package func value(of sender: Sender?) -> JSON { sender?.json(in: graph) ?? .null }
}
