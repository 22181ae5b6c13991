import JSONText
import MicroHTTP

/// One message of JSON-RPC 2.0 from a client.
enum JSONRPCMessage {
  case request(JSONRPCRequest)
  case notification(method: String, params: JSONObject)
  /// The response to a server's request.
  case response(JSONRPCResponse)

  /// Reads a message.
  ///
  /// - Throws: `invalidRequest` for anything that is not a message, and for a batch, with the id of the message if it
  ///   can be read.
  init(_ json: JSON) throws(MalformedMessage) {
    guard case .object(let object) = json else {
      if case .array = json {
        throw MalformedMessage("A batch is not read here; send each message by itself.")
      }
      throw MalformedMessage("A message is an object, not \(json.shown).")
    }
    let id = object["id"]
    // A literal nil would be a JSON null here.
    let knownID = id.flatMap { $0.isMessageID ? Optional($0) : .none }
    guard object["jsonrpc"] == "2.0" else {
      throw MalformedMessage("The member 'jsonrpc' of a message is '2.0'.", id: knownID)
    }
    guard let method = object["method"] else {
      guard object["result"] != nil || object["error"] != nil, knownID != nil else {
        throw MalformedMessage("The member 'method' is missing.", id: knownID)
      }
      self = .response(JSONRPCResponse(id: knownID ?? .null, result: object["result"]))
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

/// A message that expects a response.
struct JSONRPCRequest {
  /// The id, a string or an integer.
  let id: JSON
  let method: String
  let params: JSONObject
}

/// A response to a request of the server.
struct JSONRPCResponse {
  /// The id of the request.
  let id: JSON
  /// The result; nil for an error.
  let result: JSON?
}

/// A fault that makes a text unreadable as a message.
struct MalformedMessage: Error {
  let message: String
  /// The id of the message; nil if there is none or it cannot be read.
  let id: JSON?

  init(_ message: String, id: JSON? = nil) {
    self.message = message
    self.id = id
  }
}

extension JSON {
  /// True if the value may be the id of a message, or a progress token.
  var isMessageID: Bool {
    switch self {
    case .string, .int: true
    case .null, .bool, .double, .array, .object: false
    }
  }
}

/// An error response of JSON-RPC 2.0.
struct JSONRPCError: Error, Sendable {
  /// The kinds of errors, with their codes.
  enum Code: Int, Sendable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case internalError = -32603
    /// The resource does not exist; only up to 2025-11-25.
    case resourceNotFound = -32002
    /// The fields of the request contradict its body.
    case headerMismatch = -32020
    /// The client does not declare a capability that the request needs.
    case missingCapability = -32021
    case unsupportedProtocolVersion = -32022
  }

  let code: Code
  /// A sentence for people and models.
  let message: String
  /// The data for programs, if there is any.
  var data: JSON?

  init(_ code: Code, _ message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// Returns the status of the response. Up to 2025-11-25 errors of a method have status 200.
  func status(in revision: AgentRevision?) -> Status {
    switch code {
    case .parseError, .invalidRequest, .headerMismatch, .missingCapability,
      .unsupportedProtocolVersion:
      .badRequest
    case .methodNotFound: revision?.isStateless == true ? .notFound : .ok
    case .invalidParams: revision?.isStateless == true ? .badRequest : .ok
    case .internalError, .resourceNotFound: .ok
    }
  }
}

extension JSONRPCError {
  /// Returns the error for an unsupported revision.
  static func unsupported(_ revision: String) -> JSONRPCError {
    let supported = AgentRevision.allCases.map { JSON.string($0.rawValue) }
    return JSONRPCError(
      .unsupportedProtocolVersion,
      "The protocol version \(quoted(revision)) is not spoken here; "
        + "\(list(AgentRevision.allCases.map(\.rawValue))) are.",
      data: ["supported": .array(supported), "requested": .string(revision)])
  }

  /// Returns the error for invalid parameters of a method.
  static func invalidParams(_ message: String, data: JSON? = nil) -> JSONRPCError {
    JSONRPCError(.invalidParams, message, data: data)
  }
}

/// A reason why an agent's request has no result.
enum AgentFault: Error {
  /// The message is answered with a JSON-RPC error.
  case error(JSONRPCError)
  /// The request is refused like any other request of the API.
  case problem(Problem)
}

extension AgentFault {
  /// Returns the result of `body`; a problem refuses the request.
  static func asking<Result>(
    _ body: () throws(Problem) -> Result
  ) throws(AgentFault) -> Result {
    do throws(Problem) { return try body() } catch { throw .problem(error) }
  }

  /// Returns an error for invalid parameters of a method.
  static func invalidParams(_ message: String) -> AgentFault {
    .error(.invalidParams(message))
  }
}

/// The envelope of the responses to one request of an agent.
struct AgentReply: Sendable {
  let id: JSON
  let revision: AgentRevision
  /// The name of the application, and the version of menud.
  let serverInfo: JSON

  /// Returns the message with a result.
  ///
  /// - Parameter age: The time in milliseconds for which clients may cache it privately; nil if they may not.
  func message(_ result: JSONObject, keptFor age: Int64? = nil) -> JSON {
    var members = result
    if revision.isStateless {
      members["resultType"] = members["resultType"] ?? "complete"
      if let age {
        members["ttlMs"] = .int(age)
        members["cacheScope"] = "private"
      }
      var meta = JSONObject()
      if case .object(let own)? = result["_meta"] { meta = own }
      meta["io.modelcontextprotocol/serverInfo"] = serverInfo
      members["_meta"] = .object(meta)
    }
    return ["jsonrpc": "2.0", "id": id, "result": .object(members)]
  }
}

extension Service {
  /// The name of the application and the version of menud, for agents.
  var agentInfo: JSON {
    let version = dependencies.version
    let name = dependencies.application.isEmpty ? "menud" : dependencies.application
    return [
      "name": .string(name), "title": .string(name),
      "version": .string(version.isEmpty ? "0" : version),
    ]
  }
}
