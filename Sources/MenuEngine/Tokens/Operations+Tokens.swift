import JSONText

/// Operations on the tokens of a session (T2). They have no documents, since clients cannot name digests.
extension Operations {
  static let ofTokens: [any AnyOperation] = [grantToken, revokeToken]

  static let grantToken = Operation(
    "grantToken", needs: .declare, about: "Adds a token, and removes those that have expired (T2).",
    Member("token", .stored("GrantedToken")), Member("at", .stored("Time")), uses: .mutation,
    traits: [.isInternal, .changesTokens]
  ) { (performer: inout Performer, token: GrantedToken, time: Int64) throws(MutationFault) in
    guard let id = performer.session.tokens.add(token, at: time) else {
      throw .tooLarge(limit: GrantedTokens.most)
    }
    performer.outcome.token = id
  }

  static let revokeToken = Operation(
    "revokeToken", needs: .declare, about: "Removes a token, and those that it made (T2).",
    Member("token", MemberType<Int>.token), uses: .mutation, traits: [.isInternal, .changesTokens]
  ) { (performer: inout Performer, id) throws(MutationFault) in
    guard performer.session.tokens.remove(id) else {
      throw .tooLarge(limit: GrantedTokens.most)
    }
  }
}

extension Mutation {
  /// Adds a token at a time, in milliseconds since 1970-01-01T00:00:00Z (T2).
  package static func grant(_ token: GrantedToken, at time: Int64) -> Mutation {
    Mutation(Operations.grantToken, token, time)
  }

  /// Revokes a token and its descendants (T2).
  package static func revokeToken(_ id: Int) -> Mutation { Mutation(Operations.revokeToken, id) }
}

extension MemberType where Value: Codable {
  /// A value that is written in journals only.
  fileprivate static func stored(_ schema: String) -> MemberType {
    MemberType(schema, read: { _, _, _ in nil }, write: { _ in nil })
  }
}
