import Foundation
import JSONText
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MenuEngine
@testable import MenuStore

/// One table says what right each route and each operation needs (T3), and it holds.
struct RightsTableTests {
  /// The rights that a token has, which is to have no others.
  private static let single = Right.allCases.map { [$0] }
  private static let allButOne = Right.allCases.map { left in Right.allCases.filter { $0 != left } }

  @Test(arguments: single + allButOne)
  func `T3 each route is open for those with its right, and says which one is missing`(
    rights: [Right]
  ) throws {
    var tokens = try TokenSample()
    var token = try tokens.make(rights)
    // True once the session is closed, or the token revoked.
    var isOver = false
    for route in Service.routes {
      // Metrics are refused without looking up what others have opened.
      if route.isAboutService { tokens.sample.replicas.settle() }
      defer { if ["closeSession", "revokeToken"].contains(route.id) { isOver = true } }
      if isOver {
        tokens = try TokenSample()
        token = try tokens.make(rights)
        isOver = false
      }
      let response = try tokens.send(route, as: token.fields)
      let missing = try? response.value("/right")
      switch route.requiredAccess {
      case .open, .token:
        // The examples move focus and patch the state, give the rights of an agent, ask for a delivery, and cancel it.
        guard !["mutate", "makeToken", "getDelivery", "cancelDelivery"].contains(route.id) else {
          break
        }
        #expect(response.status != .forbidden, "\(route.id)")
      case .administrator, .monitoring, .workInAll:
        #expect(response.status == .forbidden, "\(route.id)")
        #expect(missing == .none)
      case .right(let right):
        // The example of a reply patches the state.
        let isReply = route.id == "replyToDelivery"
        if isReply, !Rights(rights).contains(.patch), rights.contains(.work) {
          #expect(missing == "patch")
          break
        }
        let isAllowed = Rights(rights).contains(right)
        #expect(
          (response.status == .forbidden) == !isAllowed, "\(route.id) \(rights)")
        #expect(missing == (isAllowed ? nil : .string(right.rawValue)))
        guard !isAllowed else { break }
        #expect(
          response.headers["www-authenticate"]
            == #"Bearer realm="menud", error="insufficient_scope", scope="\#(right.rawValue)""#)
      }
    }
  }

  @Test(arguments: single)
  func `T3 what a token lacks a right for is refused alike, whatever session it names`(
    rights: [Right]
  ) throws {
    let tokens = try TokenSample()
    let token = try tokens.make(rights)
    for route in Service.routes {
      guard case .right(let right) = route.requiredAccess, !Rights(rights).contains(right) else {
        continue
      }
      let answers = try ["own", "demo", "nobody"].map { session in
        try tokens.send(route, session: session, as: token.fields).text
      }
      #expect(Set(answers).count == 1, "\(route.id)")
    }
  }

  /// A mutation of each operation, from the journal that has them all, with the session and the catalogue at the time.
  private struct Example {
    let mutation: Mutation
    let session: Session
    let catalog: Catalog
  }

  private static func examples() throws -> [String: Example] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../MenuEngineTests/Fixtures/every-operation.json").standardized
    var examples: [String: Example] = [:]
    for run in try JSON(parsing: Array(Data(contentsOf: file)))[JSONPointer(["runs"])]?.items ?? []
    {
      func part<Value: Codable>(_ json: JSON, _ name: String) throws -> Value {
        try StoredFormat.value(from: try #require(json[JSONPointer([name])]).bytes)
      }
      var session: Session = try part(run, "opened")
      let catalog: Catalog = try part(run, "catalog")
      for step in run[JSONPointer(["steps"])]?.items ?? [] {
        let record: SessionRecord = try part(step, "record")
        for mutation in record.mutations where examples[mutation.op] == nil {
          examples[mutation.op] = Example(mutation: mutation, session: session, catalog: catalog)
        }
        // Some are refused.
        if let done = try? record.replayed(on: session, in: catalog) { session = done.session }
      }
    }
    return examples
  }

  @Test func `T3 each operation is open for those with its right, and says which one is missing`()
    throws
  {
    let examples = try Self.examples()
    for operation in OperationDescription.mutations {
      let example = try #require(examples[operation.op], "\(operation.op)")
      for right in Right.allCases {
        let response = try Self.send(example, with: [right])
        let isAllowed = Rights(example.mutation.rights).isSubset(of: Rights([right]))
        #expect((response.status == .forbidden) == !isAllowed, "\(operation.op) \(right)")
        if example.mutation.rights == [operation.right], !isAllowed {
          #expect(try response.value("/right") == .string(operation.right.rawValue))
          #expect(try response.value("/pointer") == "/mutations/0")
        }
      }
      #expect(try Self.send(example, with: Right.allCases).status != .forbidden)
    }
  }

  /// Sends a mutation with a token of these rights.
  private static func send(_ example: Example, with rights: [Right]) throws -> Response {
    var session = example.session
    session.openingNumber = nil
    let store = SessionStore(catalog: example.catalog)
    _ = session.tokens.add(
      GrantedToken(
        Grant(Rights(rights), to: .session),
        digest: TokenDigest(of: TokenText(of: session.id, secret: "s", first: nil).text),
        madeBy: nil), at: 0)
    try store.open(session)
    let service = Service(
      store: store,
      Service.Dependencies(
        now: { 1_795_250_000_123 }, newSessionID: { "copy" }, newToken: { "token" }, nonce: "n"),
      authorization: .closed)
    let body: JSON = ["mutations": [example.mutation.json]]
    let text = TokenText(of: session.id, secret: "s", first: session.token).text
    return service.respond(
      to: try Request(
        .post, "/sessions/\(session.id)/mutations",
        headers: ["Content-Type": "application/json", "Authorization": "Bearer \(text)"],
        body: body.bytes))
  }

  @Test func `T3 a list needs the right of each of its members, and nothing happens without one`()
    throws
  {
    let tokens = try TokenSample()
    let token = try tokens.make([.read, .patch])
    let list =
      #"{"mutations":[{"op":"mergeState","patch":{"zoom":7}},{"op":"becomeFirstResponder","responder":"photoGrid"}]}"#
    let response = try tokens.sample.send(
      .post, "/sessions/own/mutations", list, headers: token.fields)
    #expect(
      try response.problem == """
        /problems/forbidden
        /mutations/1
        The token does not have the right 'focus', which this needs.
        """)
    #expect(
      try tokens.sample.send(.get, "/sessions/own", headers: token.fields).value("/revision") == 1)
  }

  @Test(arguments: [
    ("", nil), (#","by":"user""#, nil), (#","by":"code""#, "declare"), (#","id":"b""#, "declare"),
  ])
  func `T1 a segue by code, or to an id that the request gives, is not one by the user`(
    members: String, missing: JSON?
  ) throws {
    let tokens = try TokenSample()
    let token = try tokens.make([.perform])
    let requests = [
      ("segues/Go", #"{"source":"nobody"\#(members)}"#),
      (
        "mutations",
        #"{"mutations":[{"op":"performSegue","identifier":"Go","source":"nobody"\#(members)}]}"#
      ),
    ]
    for (path, body) in requests {
      let response = try tokens.sample.send(
        .post, "/sessions/own/\(path)", body, headers: token.fields)
      #expect(response.status.rawValue == (missing == nil ? 422 : 403), "\(response.text)")
      #expect(try response.value("/right") == missing)
      let whole = try tokens.sample.send(
        .post, "/sessions/own/\(path)", body, headers: tokens.own)
      #expect(whole.status.rawValue == 422, "\(whole.text)")
    }
  }

  @Test func `T3 the page on security has the table`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/security.md").standardized
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(text.contains(Self.table), "It would be:\n\(Self.table)")
  }

  /// The table of rights, as the page on security has it: for each right its routes, and then its mutations.
  private static var table: String {
    let names =
      Right.allCases.map(\.rawValue)
      + ["work for all sessions", "any token", "administrator", "none"]
    let rows = names.map { name in
      let routes = Service.routes.filter { Self.name(of: $0.requiredAccess) == name }
        .map { "\($0.method.rawValue) \($0.path.text)" }
      let operations = OperationDescription.mutations.filter { $0.right.rawValue == name }
        .map(\.op)
      return ([name] + wrapped(routes) + wrapped(operations)).joined(separator: "\n")
    }
    return "```text\n" + rows.joined(separator: "\n\n") + "\n```"
  }

  /// The name of an access in the table.
  private static func name(of access: RequiredAccess) -> String {
    switch access {
    case .open: "none"
    case .monitoring, .administrator: "administrator"
    case .token: "any token"
    case .right(let right): right.rawValue
    case .workInAll: "work for all sessions"
    }
  }

  /// Words in lines of at most a hundred characters, with commas between them.
  private static func wrapped(_ words: [String]) -> [String] {
    var lines: [String] = []
    for (index, word) in words.enumerated() {
      let word = index + 1 < words.count ? word + "," : word
      if let last = lines.last, last.utf8.count + word.utf8.count < 100, index > 0 {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append("  " + word)
      }
    }
    return lines
  }
}
