import JSONText
import MicroHTTP

/// The capabilities of a client that menud uses.
struct ClientCapabilities: Equatable, Sendable {
  /// True if the client can ask its user by forms (elicitation).
  var answersForms = false
  /// True if the client follows tasks (SEP-2663).
  var followsTasks = false

  static let ofTasks = "io.modelcontextprotocol/tasks"
}

extension ClientCapabilities {
  /// Reads a client's declared capabilities; unknown ones are ignored.
  init(_ declared: JSON?) {
    guard case .object(let capabilities)? = declared else { return }
    if case .object(let elicitation)? = capabilities["elicitation"] {
      // The default mode is forms.
      answersForms = elicitation["form"] != nil || elicitation["url"] == nil
    }
    if case .object(let extensions)? = capabilities["extensions"],
      case .object? = extensions[Self.ofTasks]
    {
      followsTasks = true
    }
  }

  /// Reads the capabilities from a client's name, in which `initialize` stored them.
  init(named name: String?) {
    answersForms = name?.utf8.reversed().starts(with: Self.mark) ?? false
  }

  /// Returns the name of a client with its capabilities, so that every replica knows them, after a restart too.
  func name(from token: String) -> String { answersForms ? token + "~form" : token }

  private static let mark = Array("~form".utf8.reversed())
}

extension AgentRequest {
  /// The capabilities that the client declares: in this request, or in its handshake.
  var capabilities: ClientCapabilities {
    guard revision.isStateless else {
      return ClientCapabilities(named: call.request.headers["mcp-session-id"])
    }
    guard case .object(let meta)? = params["_meta"] else { return ClientCapabilities() }
    return ClientCapabilities(meta[AgentHeaders.capabilitiesKey])
  }
}
