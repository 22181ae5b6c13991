package import MicroHTTP

/// One thing that can be asked of the service: where, how it is described, and what answers it.
package struct Route: Sendable {
  /// The method; a GET is also answered to HEAD.
  package let method: Method
  /// The path.
  package let path: PathTemplate
  /// What the OpenAPI document says of it.
  package let operation: Operation
  /// What answers.
  let respond: @Sendable (Call) throws(Problem) -> Response

  /// Whether it changes nothing. What is no GET changes something unless its operation says that it only
  /// asks, so that a route which is forgotten is guarded: it heeds `If-Match` and `Idempotency-Key`.
  package var isQuestion: Bool { method == .get || operation.isQuestion }

  /// A route.
  init(
    _ method: Method, _ path: PathTemplate, _ operation: Operation,
    _ respond: @escaping @Sendable (Call) throws(Problem) -> Response
  ) {
    self.method = method
    self.path = path
    self.operation = operation
    self.respond = respond
  }
}
