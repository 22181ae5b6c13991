import JSONText
import MenuEngine

/// A request for the grant of a new token (T1).
struct TokenRequest {
  /// The maximum number of rights, pointers and commands.
  private static let longestList = 256

  private let principal: Principal
  /// The rights; nil for the default rights of the kind.
  private let rights: [Right]?
  private let pointers: [JSONPointer]?
  private let commands: [CommandPattern]?
  private let expiry: Int64?

  /// Reads a request; nil with faults in the log.
  ///
  /// - Parameters:
  ///   - kind: The default kind; nil if it is required.
  ///   - rights: The default rights. Nil stands for an agent's rights to read items and to perform; other kinds must
  ///     then name their rights.
  init?(_ reader: inout ObjectReader, kind: Principal.Kind? = nil, rights: [Right]? = nil) {
    let faults = reader.log.faults.count
    let named: Principal.Kind? =
      kind == nil ? reader.required("kind", Read.word) : reader.member("kind", Read.word)
    let label = reader.required("label", Read.label)
    let listed: [Right]? = reader.list("rights", Read.word)
    pointers = reader.list("pointers", Read.pointer)
    commands = reader.list("commands", Read.commandPattern)
    for (name, count) in [
      ("rights", listed?.count), ("pointers", pointers?.count), ("commands", commands?.count),
    ] where (count ?? 0) > Self.longestList {
      reader.log.note(
        .expected(.arrayUpTo(Self.longestList), found: reader.json(name) ?? .null),
        at: reader.place(of: name))
    }
    expiry = reader.member("expires", Read.time)
    self.rights = listed ?? rights ?? (named == .agent ? [.items, .perform] : nil)
    if self.rights == nil, reader.json("rights") == nil {
      reader.log.note(.missingMember("rights"), at: reader.pointer)
    }
    guard reader.log.faults.count == faults, let kind = named ?? kind, let label,
      let principal = Principal(kind, label)
    else { return nil }
    self.principal = principal
  }

  /// Returns the grant, with the maker's limits where the request has none.
  ///
  /// - Parameters:
  ///   - own: The grant of the maker, which the new grant cannot exceed (T2).
  ///   - time: The present time.
  func grant(within own: Grant, at time: Int64) throws(Problem) -> Grant {
    let rights = rights ?? []
    if pointers != nil, !rights.contains(.patch) {
      throw Problem(
        .invalidBody, "Pointers limit the right 'patch', which is not among the rights.",
        at: JSONPointer(["pointers"]))
    }
    if let expiry, expiry <= time {
      throw Problem(
        .invalidBody,
        "The token would have expired at \(InternetTimestamp(milliseconds: expiry).text), before now.",
        at: JSONPointer(["expires"]))
    }
    let grant = Grant(
      Rights(rights), to: principal,
      pointers: pointers ?? (rights.contains(.patch) ? own.pointers : nil),
      commands: commands ?? own.commands, expiry: expiry ?? own.expiry)
    if let excess = grant.excess(over: own) { throw .moreThanOwn(excess, rights: rights, grant) }
    return grant
  }
}

extension GrantedTokens {
  /// Returns true if another token can be added at a time.
  func hasRoom(at time: Int64) -> Bool {
    all.count < Self.most || all.count { ($0.grant.expiry ?? .max) > time } < Self.most
  }
}

extension Problem {
  fileprivate static func moreThanOwn(
    _ excess: Grant.Excess, rights: [Right], _ grant: Grant
  ) -> Problem {
    let (sentence, place): (String, [String]) =
      switch excess {
      case .right(let right):
        (
          "the right '\(right.rawValue)'",
          ["rights"]
            + (rights.firstIndex { Rights([$0]).contains(right) }.map { ["\($0)"] } ?? [])
        )
      case .kind:
        ("the kind '\(grant.principal.kind.rawValue)'", ["kind"])
      case .pointer(let index):
        (
          "patching the state at \(quoted(grant.pointers?[index].description ?? ""))",
          ["pointers", "\(index)"]
        )
      case .command(let index):
        ("the commands \(quoted(grant.commands?[index].text ?? "*"))", ["commands", "\(index)"])
      case .expiry: ("being valid so long", ["expires"])
      }
    return Problem(
      .moreThanOwn, "The token would have more than the one that makes it: \(sentence).",
      at: JSONPointer(place))
  }

  /// The problem of a new token when there are too many.
  static let tooManyTokens = Problem(
    .limitReached, "There are \(GrantedTokens.most) tokens, and no more may be; revoke some.")

  /// Returns the problem of a token that does not exist, or is not a descendant of the request's token.
  static func unknownToken(_ number: String) -> Problem {
    Problem(.unknownToken, "There is no token with the number \(quoted(number)) here.")
  }
}
