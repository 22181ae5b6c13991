/// A token that was granted by another one (T2).
package struct GrantedToken: Equatable, Codable, Sendable {
  /// Its number, from 1, never reused in its session.
  package internal(set) var id: Int
  package let digest: TokenDigest
  package let grant: Grant
  /// The number of the token that granted it; nil for the session's first token or an administrator's.
  package let maker: Int?

  /// Creates a token. Adding it to a collection assigns its number.
  package init(_ grant: Grant, digest: TokenDigest, madeBy maker: Int?) {
    (id, self.digest, self.grant, self.maker) = (0, digest, grant, maker)
  }
}

/// The tokens granted by other tokens, for one session or for work in all sessions.
package struct GrantedTokens: Equatable, Codable, Sendable {
  /// The maximum number of tokens at a time.
  package static let most = 256

  /// The tokens in the order of their numbers.
  package private(set) var all: [GrantedToken] = []
  private var last = 0

  private enum CodingKeys: String, CodingKey {
    case all = "tokens"
    case last
  }

  init() {}

  /// Returns the token with a digest; nil if there is none.
  package subscript(digest: TokenDigest) -> GrantedToken? {
    // Compare all of them, so that the time does not reveal which one matches.
    all.reduce(nil) { found, token in token.digest == digest ? token : found }
  }

  package subscript(id: Int) -> GrantedToken? { all.first { $0.id == id } }

  /// Returns true if a token has this number, or is a descendant of the token that has it.
  package func isOf(_ id: Int, line ancestor: Int?) -> Bool {
    guard let ancestor else { return self[id] != nil }
    var next: Int? = id
    while let id = next, let token = self[id] {
      if id == ancestor { return true }
      next = token.maker
    }
    return false
  }

  /// Adds a token, and removes expired ones.
  ///
  /// - Returns: Its number; nil if there is no room, or if its granting token no longer exists.
  package mutating func add(_ token: GrantedToken, at time: Int64) -> Int? {
    all.removeAll { ($0.grant.expiry ?? .max) <= time }
    guard all.count < Self.most, token.maker.map({ self[$0] != nil }) ?? true else { return nil }
    last += 1
    var token = token
    token.id = last
    all.append(token)
    return last
  }

  /// Revokes a token and its descendants; returns false if there is none of the number.
  package mutating func remove(_ id: Int) -> Bool {
    guard self[id] != nil else { return false }
    let line = Set(all.map(\.id).filter { isOf($0, line: id) })
    all.removeAll { line.contains($0.id) }
    return true
  }
}
