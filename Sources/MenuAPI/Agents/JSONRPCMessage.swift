import JSONText
import MicroHTTP

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

/// The error that a message of JSON-RPC 2.0 is answered with.
struct JSONRPCError: Error, Sendable {
  /// The kinds of errors, by their codes.
  enum Code: Int, Sendable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case internalError = -32603
    /// The resource is not there; only up to 2025-11-25.
    case resourceNotFound = -32002
    /// The fields of the request contradict its body.
    case headerMismatch = -32020
    case unsupportedProtocolVersion = -32022
  }

  let code: Code
  /// A sentence for people and models.
  let message: String
  /// The value for programs, if there is one.
  var data: JSON?

  /// An error of a kind.
  init(_ code: Code, _ message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The status of the answer. Errors of a method are successes of HTTP up to 2025-11-25.
  func status(in revision: AgentRevision?) -> Status {
    switch code {
    case .parseError, .invalidRequest, .headerMismatch, .unsupportedProtocolVersion: .badRequest
    case .methodNotFound: revision?.isStateless == true ? .notFound : .ok
    case .invalidParams: revision?.isStateless == true ? .badRequest : .ok
    case .internalError, .resourceNotFound: .ok
    }
  }
}

extension JSONRPCError {
  /// The error of a revision that is not spoken.
  static func unsupported(_ revision: String) -> JSONRPCError {
    let supported = AgentRevision.allCases.map { JSON.string($0.rawValue) }
    return JSONRPCError(
      .unsupportedProtocolVersion,
      "The protocol version \(quoted(revision)) is not spoken here; "
        + "\(list(AgentRevision.allCases.map(\.rawValue))) are.",
      data: ["supported": .array(supported), "requested": .string(revision)])
  }

  /// The error of parameters of a method.
  static func invalidParams(_ message: String, data: JSON? = nil) -> JSONRPCError {
    JSONRPCError(.invalidParams, message, data: data)
  }
}

/// The reason for which an agent's request has no result.
enum AgentFault: Error {
  /// The message is answered with an error of JSON-RPC.
  case error(JSONRPCError)
  /// The request is refused as any other one would be.
  case problem(Problem)
}

extension AgentFault {
  /// Returns what `body` does; a problem refuses the request.
  static func asking<Result>(
    _ body: () throws(Problem) -> Result
  ) throws(AgentFault) -> Result {
    do throws(Problem) { return try body() } catch { throw .problem(error) }
  }

  /// An error of parameters of a method.
  static func invalidParams(_ message: String) -> AgentFault {
    .error(.invalidParams(message))
  }
}

/// The frame of the answers to one request of an agent.
struct AgentReply: Sendable {
  let id: JSON
  let revision: AgentRevision
  /// The name of the application, and the version of menud.
  let serverInfo: JSON

  /// The message with a result.
  ///
  /// - Parameter age: The milliseconds for which clients may keep it, for themselves; nil if it is none to keep.
  func message(_ result: JSONObject, keptFor age: Int64? = nil) -> JSON {
    var members = result
    if revision.isStateless {
      members["resultType"] = "complete"
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
  /// The name of the application and the version of menud, as agents are told them.
  var agentInfo: JSON {
    let version = dependencies.version
    let name = dependencies.application.isEmpty ? "menud" : dependencies.application
    return [
      "name": .string(name), "title": .string(name),
      "version": .string(version.isEmpty ? "0" : version),
    ]
  }
}
