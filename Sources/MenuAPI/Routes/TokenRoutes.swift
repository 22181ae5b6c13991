import JSONText
import MenuEngine
import MenuStore
import MicroHTTP

/// The tokens granted by tokens of a session (T2).
enum TokenRoutes {
  static let all = [
    Route(
      .post, at: "/sessions/{session}/tokens", needing: .token, id: "makeToken",
      "Makes a token of the session, with at most the rights, places, commands and lifetime of the token of the request. Only this answer has its text.",
      body: .json(
        "TokenRequest",
        #"{"kind":"agent","label":"Assistant","rights":["items","perform"],"commands":["*Rating:"],"expires":"2027-01-01T00:00:00.000Z"}"#
      ),
      answers: [
        .created("TokenMade", "The token.", headers: ["Location", "ETag"], newName: "number"),
        .ok("TokenMade", "The token that would be made, with `dryRun`.", headers: ["ETag"]),
      ],
      problems: [.moreThanOwn], answeredBy: post),
    Route(
      .get, at: "/sessions/{session}/tokens", needing: .token, id: "listTokens",
      "The tokens of the session that others made, in the order in which they were made: all for the session's first token, and for another one itself and those made by way of it.",
      answers: .tagged("Tokens", "The tokens, without their texts."), answeredBy: list),
    Route(
      .delete, at: "/sessions/{session}/tokens/{number}", needing: .token, id: "revokeToken",
      "Revokes a token, and those made by way of it; their streams end, and their tickets are invalid.",
      answers: [.ok("TokensRevoked", "The tokens are revoked.", headers: ["ETag"])],
      problems: [.unknownToken], answeredBy: delete),
  ]

  private static func post(_ call: Call) throws(Problem) -> Response {
    let maker = try call.maker
    let (request, options) = try call.objectAndOptions({ TokenRequest(&$0) })
    let id = try call.session
    let secret = call.newSecret
    return try call.change(id, isDry: options.isDry, hiding: secret) { (change) throws(Problem) in
      let time = call.service.steadyTime
      let grant = try request.grant(within: call.access.grant(in: change.base.opening), at: time)
      let text = TokenText(of: id, secret: secret.text, first: change.session.token).text
      let token = GrantedToken(grant, digest: TokenDigest(of: text), madeBy: maker)
      guard change.session.tokens.hasRoom(at: time) else { throw .tooManyTokens }
      let outcome = try change.applyToTokens(.grant(token, at: time))
      return call.answer(
        options.isDry ? .ok : .created, secret: options.isDry ? nil : text, tag: call.tag(change),
        location: options.isDry ? nil : "/sessions/\(id)/tokens/\(outcome.token ?? 0)"
      ) { writer in
        writer.members(change)
        writer.members(token, numbered: outcome.token ?? 0)
        if options.isExplaining { writer.member("trace", outcome.wholeTrace) }
      }
    }
  }

  private static func list(_ call: Call) throws(Problem) -> Response {
    let maker = try call.maker
    let snapshot = try call.snapshot()
    let tokens = snapshot.session.tokens
    return call.answer(about: snapshot, "t\(maker ?? 0)") { writer in
      writer.member("tokens", tokens.all.filter { tokens.isOf($0.id, line: maker) })
    }
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let maker = try call.maker
    let options = try ChangeOptions(call)
    let number = Int(call.parameters[1])
    let end: @Sendable () -> Void = { [service = call.service] in service.endRevokedLeases() }
    return try call.change(try call.session, isDry: options.isDry, whenPublished: end) {
      (change) throws(Problem) in
      let tokens = change.session.tokens
      guard let number, tokens.isOf(number, line: maker) else {
        throw .unknownToken(call.parameters[1])
      }
      let outcome = try change.applyToTokens(.revokeToken(number))
      let revoked = tokens.all.map(\.id).filter { tokens.isOf($0, line: number) }
      return call.answer(tag: call.tag(change)) { writer in
        writer.members(change)
        writer.member("revoked", .array(revoked.map { .int(Int64($0)) }))
        if options.isExplaining { writer.member("trace", outcome.wholeTrace) }
      }
    }
  }
}

/// The tokens for work in all sessions, which administrators grant (T2).
enum WorkerTokenRoutes {
  static let all = [
    Route(
      .post, at: "/tokens", needing: .administrator, id: "makeWorkerToken",
      "Makes a token for work in all sessions, by default with the right `work` alone. Only this answer has its text.",
      body: .json(
        "WorkerTokenRequest",
        #"{"label":"Exporter","rights":["work","patch"],"pointers":["/exported"],"commands":["copy:"]}"#
      ),
      answers: [
        .created("Token", "The token.", headers: ["Location"], newName: "number")
      ],
      problems: [.moreThanOwn], answeredBy: post),
    Route(
      .get, at: "/tokens", needing: .administrator, id: "listWorkerTokens",
      "The tokens for work in all sessions.",
      answers: .tagged("WorkerTokens", "The tokens, without their texts."), answeredBy: list),
    Route(
      .delete, at: "/tokens/{number}", needing: .administrator, id: "revokeWorkerToken",
      "Revokes a token for work in all sessions.", answers: [.noContent("The token is revoked.")],
      problems: [.unknownToken], answeredBy: delete),
  ]

  private static let part = CatalogPart(title: "The list of tokens") { catalog in
    .list("tokens", catalogRevision: catalog.revision)
  }

  private static func post(_ call: Call) throws(Problem) -> Response {
    let request = try call.object { TokenRequest(&$0, kind: .worker, rights: [.work]) }
    let time = call.service.steadyTime
    let most = Grant(Rights([.work, .patch]), to: call.actor)
    let grant = try request.grant(within: most, at: time)
    let secret = call.newSecret
    let token = GrantedToken(grant, digest: TokenDigest(of: secret.text), madeBy: nil)
    guard call.store.catalogEdition.catalog.tokens.hasRoom(at: time) else { throw .tooManyTokens }
    return try call.changeCatalog(
      .catalogChanges, part, by: { (_) throws(Problem) in .grantToken(token, at: time) },
      hiding: secret, refusal: { error, _ in Problem(error.fault) },
      answer: { _, catalog in
        let number = catalog.tokens.all.last?.id ?? 0
        return call.answer(.created, secret: secret.text, location: "/tokens/\(number)") {
          $0.members(token, numbered: number)
        }
      })
  }

  private static func list(_ call: Call) throws(Problem) -> Response {
    let catalog = call.store.catalogEdition.catalog
    return call.answer(about: catalog, "tokens") { $0.member("tokens", catalog.tokens.all) }
  }

  private static func delete(_ call: Call) throws(Problem) -> Response {
    let name = call.parameters[0]
    guard let number = Int(name), call.store.catalogEdition.catalog.tokens[number] != nil else {
      throw .unknownToken(name)
    }
    return try call.changeCatalog(
      .catalogChanges, part, by: .revokeToken(number),
      refusal: { error, _ in Problem(error.fault) },
      answer: { _, _ in Response(status: .noContent) })
  }
}

extension Call {
  /// The number of the token that grants, lists or revokes tokens; nil for a session's first token, an
  /// administrator's, or none.
  fileprivate var maker: Int? {
    get throws(Problem) {
      switch access {
      case .session(_, _, let held): return held.number
      case .everything, .administrator: return nil
      case .worker, .tickets, .nothing:
        throw .forbidden("The token is for work in all sessions, and of none; it makes no tokens.")
      }
    }
  }

  /// Answers with a token's text, which is not stored.
  fileprivate func answer(
    _ status: Status, secret: String?, tag: EntityTag? = nil, location: String?,
    _ write: (inout JSONWriter) -> Void
  ) -> Response {
    var answer = answer(status, tag: tag, location: location) { writer in
      write(&writer)
      writer.optionalMember("token", secret)
    }
    if secret != nil { answer.headers.append("Cache-Control", "no-store") }
    return answer
  }
}

extension SessionChange {
  /// Applies a change of tokens. It requires no right of its own: the granted rights are checked.
  fileprivate mutating func applyToTokens(_ mutation: Mutation) throws(Problem) -> Outcome {
    do throws(MutationFault) {
      return try apply(mutation)
    } catch {
      throw Problem(error, at: nil)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ tokens: [GrantedToken]) {
    member(name)
    beginArray()
    for token in tokens {
      beginObject()
      members(token, numbered: token.id)
      endObject()
    }
    endArray()
  }

  fileprivate mutating func members(_ token: GrantedToken, numbered number: Int) {
    let grant = token.grant
    member("number", number)
    member("kind", grant.principal.kind.rawValue)
    member("label", grant.principal.label)
    member("rights", .array(grant.rights.list.map { .string($0.rawValue) }))
    if let pointers = grant.pointers {
      member("pointers", .array(pointers.map { .string($0.description) }))
    }
    if let commands = grant.commands {
      member("commands", .array(commands.map { .string($0.text) }))
    }
    if let expiry = grant.expiry {
      member("expires", InternetTimestamp(milliseconds: expiry).text)
    }
    if let maker = token.maker { member("maker", maker) }
  }
}
