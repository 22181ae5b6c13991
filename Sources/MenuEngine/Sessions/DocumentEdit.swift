public import JSONText

/// An operation on the document of a session, as GET answers it.
public struct DocumentEdit: Equatable, Sendable {
  /// The operation.
  public let operation: JSONPatch.Operation
  /// The position of an added member in its object; nil for behind all others.
  public let position: Int?

  init(_ operation: JSONPatch.Operation, position: Int? = nil) {
    self.operation = operation
    self.position = position
  }
}

extension Session {
  /// The tokens of a coordinator's registrations by their selectors, as the document of a session has
  /// them.
  static func tokens(of coordinator: MenuCoordinator) -> JSONObject {
    var tokens = JSONObject()
    for registration in coordinator.registrations {
      tokens[registration.selector.rawValue] = .int(Int64(registration.token))
    }
    return tokens
  }

  /// Visits the tokens of each coordinator's registrations, in the order in which their hosts joined.
  package func visitRegistrations(_ visit: (ResponderID, JSON) -> Void) {
    let responders = graph.responders
    for position in responders.indices {
      guard let coordinator = responders[position].coordinator else { continue }
      visit(responders[position].id, .object(Self.tokens(of: coordinator)))
    }
  }
}
