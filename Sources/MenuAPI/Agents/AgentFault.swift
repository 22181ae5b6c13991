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
