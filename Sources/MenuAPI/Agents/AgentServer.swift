import JSONText
import MicroHTTP

/// One side of menud as agents see it: a session, or all that administrators may do.
protocol AgentServer {
  /// The capabilities that it declares.
  var capabilities: JSONObject { get }
  /// True if it has notifications, for which clients open an event stream.
  var opensStreams: Bool { get }
  /// The advice that models are given.
  var instructions: String { get }

  /// Refuses an agent that may not ask this server anything.
  func admit(_ call: Call) throws(Problem)

  /// Returns the result of a method other than those that every server has; nil if it has no such method.
  func result(of method: AgentMethod, _ request: AgentRequest) throws(AgentFault) -> AgentResult?

  /// Notes that a client does not wait for the answer to a request any more.
  func cancel(_ id: JSON, of call: Call)
}

/// A request of an agent.
struct AgentRequest {
  let call: Call
  let revision: AgentRevision
  /// The id, a string or an integer.
  let id: JSON
  let params: JSONObject
}

/// The result of a method.
enum AgentResult {
  /// The members of the result.
  case members(JSONObject)
  /// The members of a result that clients may keep for as many milliseconds, for themselves.
  case kept(JSONObject, milliseconds: Int64)
  /// The result and fields of the response.
  case withFields(JSONObject, Headers)
  /// A stream that ends with the result.
  case stream
}

extension AgentRequest {
  /// The frame of its answers.
  var reply: AgentReply {
    AgentReply(id: id, revision: revision, serverInfo: call.service.agentInfo)
  }

  /// A parameter that is a string.
  func string(_ name: String) throws(AgentFault) -> String {
    switch params[name] {
    case .string(let text)?: return text
    case nil: throw .invalidParams("The parameter '\(name)' is missing.")
    case let other?:
      throw .invalidParams("The parameter '\(name)' is a string, not \(other.shown).")
    }
  }

  /// A parameter that is an object; without members if it is not there.
  func object(_ name: String) throws(AgentFault) -> JSONObject {
    switch params[name] {
    case .object(let object)?: return object
    case nil: return JSONObject()
    case let other?:
      throw .invalidParams("The parameter '\(name)' is an object, not \(other.shown).")
    }
  }

  /// The cursor of a list, if one is given.
  func cursor() throws(AgentFault) -> String? {
    params["cursor"] == nil ? nil : try string("cursor")
  }

  /// Refuses a cursor for a list that has one page.
  func checkNoCursor() throws(AgentFault) {
    if try cursor() != nil { throw .invalidParams("The cursor is none that this list has.") }
  }
}
