import JSONText

/// A copy of a session's document that follows the session by nothing but the changes that answers tell
/// (E1, E2).
///
/// A client in any language does the same: the description of `Changes` in the OpenAPI document says all that
/// is done here.
struct DocumentMirror {
  private(set) var document: JSON
  /// The ids of the responders whose documents were changed since they were last looked at.
  private(set) var touched: Set<String> = []

  /// A mirror that begins with the answer to `GET /sessions/{session}`.
  init(_ document: JSON) { self.document = document }

  /// Follows the session by an answer about it.
  mutating func apply(changesOf answer: JSON) throws {
    document["revision"] = answer["revision"]
    let outcomes = answer["outcomes"]?.items ?? [answer]
    for outcome in outcomes {
      for change in outcome["changes"]?.items ?? [] { try apply(change) }
    }
  }

  /// Forgets which responders were changed.
  mutating func forgetTouched() { touched = [] }

  private mutating func apply(_ change: JSON) throws {
    let responder = change["responder"]?.word ?? ""
    touched.insert(responder)
    if let path = change["path"]?.word {
      touched.formUnion(path.split(separator: "/").dropFirst().prefix(1).map(String.init))
    }
    let value = change["value"]
    switch change["change"]?.word ?? "" {
    case "state": try document.apply(change, to: ["state"])
    case "mergedState": document["state"]?.merge(patch: change["patch"] ?? .null)
    case "firstResponder": document["firstResponder"] = change["responder"]
    case "keyWindow", "mainWindow", "modalWindow":
      document[change["change"]?.word ?? ""] = change["window"]
    case "responder": document["responders"]?[responder] = value
    case "responderRemoved": document["responders"]?[responder] = nil
    case "properties":
      document["responders"]?[responder]?["properties"]?.merge(patch: change["patch"] ?? .null)
    case "handler":
      document["responders"]?[responder]?["handlers"]?[change["selector"]?.word ?? ""] = value
      document["responders"]?[responder]?["handlers"]?.sortMembers()
    case "handlerRemoved":
      document["responders"]?[responder]?["handlers"]?[change["selector"]?.word ?? ""] = nil
    case "keyCommands": document["responders"]?[responder]?.setKeyCommands(value)
    case "registration": register(change, with: responder)
    case "registrationRemoved": deregister(change, with: responder)
    case "messageQueue":
      let waiting = document["messages"]?.items.dropFirst(change["removed"]?.number ?? 0) ?? []
      document["messages"] = .array(waiting + (change["added"]?.items ?? []))
    case "delivery":
      document["deliveries"] = .array((document["deliveries"]?.items ?? []) + [value ?? .null])
    case "deliveryState": changeDelivery(change["delivery"]) { $0.assign(value) }
    case "deliveryForgotten": changeDelivery(change["delivery"]) { $0 = .null }
    // An operation on the document, whatever it is called; the others say why it is changed.
    default: if change["op"] != nil { try document.apply(change, to: []) }
    }
  }

  /// Changes the delivery of a number; null removes it.
  private mutating func changeDelivery(_ id: JSON?, _ change: (inout JSON) -> Void) {
    var deliveries = document["deliveries"]?.items ?? []
    for index in deliveries.indices where deliveries[index]["id"] == id {
      change(&deliveries[index])
    }
    document["deliveries"] = .array(deliveries.filter { $0 != .null })
  }

  /// The last registration stands behind the others.
  private mutating func register(_ change: JSON, with host: String) {
    let selector = change["selector"]?.word ?? ""
    document["responders"]?[host]?["coordinator"]?["handlers"]?.append(
      selector, change["value"])
    document["registrations"]?[host]?.append(selector, change["token"])
  }

  /// Removes a registration, unless its selector has another token by now.
  private mutating func deregister(_ change: JSON, with host: String) {
    let selector = change["selector"]?.word ?? ""
    guard document["registrations"]?[host]?[selector] == change["token"] else { return }
    document["responders"]?[host]?["coordinator"]?["handlers"]?[selector] = nil
    document["registrations"]?[host]?[selector] = nil
  }
}

extension JSON {
  /// The member of an object; nil when there is none. Setting nil removes it.
  subscript(name: String) -> JSON? {
    get { object?[name] }
    set {
      guard case .object(var object) = self else { return }
      object[name] = newValue
      self = .object(object)
    }
  }

  var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

  var items: [JSON] { if case .array(let elements) = self { elements } else { [] } }

  var word: String? { if case .string(let text) = self { text } else { nil } }

  var number: Int? { if case .int(let number) = self { Int(number) } else { nil } }

  /// Makes the operation of a JSON Patch that a change is, within the value at a place. A member that it
  /// adds stands at the change's `position` when it has one.
  mutating func apply(_ change: JSON, to place: [String]) throws {
    var members = JSONObject()
    for name in ["op", "path", "from", "value"] { members[name] = change[name] }
    for name in ["path", "from"] {
      guard let text = members[name]?.word else { continue }
      let path = try JSONPointer(parsing: text)
      members[name] = .string(JSONPointer(place + path.tokens).description)
    }
    let operation = try JSONPatch.Operation(.object(members))
    if case .move(let from, let path) = operation, let value = self[from] {
      // As RFC 6902 has it, so that a member that is moved onto its own place stands last.
      _ = try noteEdits(of: .remove(path: from))
      _ = try noteEdits(of: .add(path: path, value: value))
    } else {
      _ = try noteEdits(of: operation)
    }
    guard let position = change["position"]?.number, case .add(let path, _) = operation else {
      return
    }
    try move(path.tokens, to: position)
  }

  /// Moves the member at a place to a position among those of its object.
  private mutating func move(_ path: [String], to position: Int) throws {
    let object = JSONPointer(Array(path.dropLast()))
    guard let name = path.last, var members = self[object]?.object?.members,
      let index = members.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) })
    else { return }
    let member = members.remove(at: index)
    members.insert(member, at: min(position, members.count))
    _ = try noteEdits(
      of: .replace(path: object, value: .object(JSONObject(members) ?? JSONObject())))
  }

  /// Sets the members of an object that another one has.
  fileprivate mutating func assign(_ other: JSON?) {
    for member in other?.object?.members ?? [] { self[member.name] = member.value }
  }

  /// Sets a member behind all others.
  fileprivate mutating func append(_ name: String, _ value: JSON?) {
    self[name] = nil
    self[name] = value
  }

  fileprivate mutating func sortMembers() {
    guard let members = object?.members.sorted(by: { $0.name < $1.name }) else { return }
    self = .object(JSONObject(members) ?? JSONObject())
  }

  /// Sets the key commands, which stand behind the handlers; none are no member.
  fileprivate mutating func setKeyCommands(_ value: JSON?) {
    guard var members = object?.members.filter({ $0.name != "keyCommands" }), let value,
      let handlers = members.firstIndex(where: { $0.name == "handlers" })
    else { return }
    if value != [] { members.insert(.init(name: "keyCommands", value: value), at: handlers + 1) }
    self = .object(JSONObject(members) ?? JSONObject())
  }
}
