import JSONText

/// One message of JSON-RPC 2.0 from a client.
enum JSONRPCMessage {
  case request(JSONRPCRequest)
  case notification(method: String, params: JSONObject)
  /// The answer to a request of a server, which menud never sends.
  case response

  /// Reads a message.
  ///
  /// - Throws: `invalidRequest` for what is none, and for a batch; with the id of the message as far as it
  ///   can be read.
  init(_ json: JSON) throws(MalformedMessage) {
    guard case .object(let object) = json else {
      if case .array = json {
        throw MalformedMessage("A batch is not read here; send each message by itself.")
      }
      throw MalformedMessage("A message is an object, not \(json.shown).")
    }
    let id = object["id"]
    // Not by a literal nil, which is a null of JSON here.
    let knownID = id.flatMap { $0.isMessageID ? Optional($0) : .none }
    guard object["jsonrpc"] == "2.0" else {
      throw MalformedMessage("The member 'jsonrpc' of a message is '2.0'.", id: knownID)
    }
    guard let method = object["method"] else {
      guard object["result"] != nil || object["error"] != nil, knownID != nil else {
        throw MalformedMessage("The member 'method' is missing.", id: knownID)
      }
      self = .response
      return
    }
    guard case .string(let method) = method else {
      throw MalformedMessage("The member 'method' is a string, not \(method.shown).", id: knownID)
    }
    let params: JSONObject
    switch object["params"] {
    case nil: params = JSONObject()
    case .object(let object)?: params = object
    case let other?:
      throw MalformedMessage("The member 'params' is an object, not \(other.shown).", id: knownID)
    }
    guard let id else {
      self = .notification(method: method, params: params)
      return
    }
    guard let knownID else {
      throw MalformedMessage("The member 'id' is a string or an integer, not \(id.shown).")
    }
    self = .request(JSONRPCRequest(id: knownID, method: method, params: params))
  }
}

/// A message that expects an answer.
struct JSONRPCRequest {
  /// The id, a string or an integer.
  let id: JSON
  let method: String
  let params: JSONObject
}

/// The reason for which a text is no message.
struct MalformedMessage: Error {
  let message: String
  /// The id of the message; nil if it has none that can be read.
  let id: JSON?

  /// A reason.
  init(_ message: String, id: JSON? = nil) {
    self.message = message
    self.id = id
  }
}

extension JSON {
  /// True if it may be the id of a message, or a token of progress.
  var isMessageID: Bool {
    switch self {
    case .string, .int: true
    case .null, .bool, .double, .array, .object: false
    }
  }
}
