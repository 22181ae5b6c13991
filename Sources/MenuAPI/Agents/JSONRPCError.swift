import JSONText
import MicroHTTP

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
