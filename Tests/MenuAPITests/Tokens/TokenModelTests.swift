import JSONText
import MicroHTTP
import Randomness
import Testing

@testable import MenuAPI
@testable import MenuEngine

/// A model of who may what, and random tokens and requests, on one service or several (T1 to T3).
struct TokenModelTests {
  /// A token as the model has it.
  private struct Token {
    let made: TokenSample.Made
    let rights: Rights
    let kind: Principal.Kind
    let commands: [String]?
    let expiry: Int?
    let maker: Int?
    var isRevoked = false
  }

  /// The service, the model, and the present second.
  private struct World {
    let tokens: TokenSample
    var model: [Int: Token] = [:]
    var now = 0
    var random: SeededGenerator

    /// True if a token is valid by the model.
    func isValid(_ token: Token) -> Bool {
      !token.isRevoked && (token.expiry ?? .max) > now
    }

    /// The number of a token, or nil for the session's first one.
    mutating func anyone() -> Int? {
      Bool.random(using: &random) ? model.keys.sorted().randomElement(using: &random) : nil
    }

    func fields(_ number: Int?) -> TokenSample.Fields {
      number.flatMap { model[$0]?.made.fields } ?? tokens.own
    }
  }

  private static let commands = [nil, ["*"], ["copy:"], ["apply*"], ["applyF*", "copy:"]]

  @Test(arguments: Seeds.first(6))
  func `T3 nobody gets more than the model says`(seed: UInt64) throws {
    var world = World(tokens: try TokenSample(), random: SeededGenerator(seed: seed))
    for _ in 0..<250 {
      switch Int.random(in: 0..<10, using: &world.random) {
      case 0, 1: try make(in: &world)
      case 2: try revoke(in: &world)
      case 3:
        world.now += 10
        world.tokens.pass(10)
      default: try request(in: &world)
      }
    }
  }

  private func make(in world: inout World) throws {
    let maker = world.anyone()
    let rights = Right.allCases.filter { _ in Bool.random(using: &world.random) }
    let kind = Principal.Kind.allCases.randomElement(using: &world.random) ?? .agent
    let commands = Self.commands.randomElement(using: &world.random) ?? nil
    let expiry =
      Bool.random(using: &world.random)
      ? world.now + Int.random(in: 5..<100, using: &world.random) : nil
    var more = ""
    if let commands { more += ",\"commands\":\(commands)" }
    if let expiry { more += ",\"expires\":\"\(world.tokens.moment(expiry))\"" }
    let response = try world.tokens.ask(
      rights, kind: kind.rawValue, more: more, by: world.fields(maker))
    let own = maker.flatMap { world.model[$0] }
    if let own, !world.isValid(own) {
      #expect(response.status == .unauthorized)
      return
    }
    let isWithin =
      kind.isGiven(by: own?.kind ?? .person)
      && Rights(rights).isSubset(of: own?.rights ?? .all)
      && (own?.expiry).map { (expiry ?? $0) <= $0 } ?? true
      && Self.isWithin(commands ?? own?.commands, own?.commands)
    #expect(response.status == (isWithin ? .created : .forbidden), "\(response.text)")
    guard isWithin else { return }
    let made = try TokenSample.made(response)
    world.model[made.number] = Token(
      made: made, rights: Rights(rights), kind: kind, commands: commands ?? own?.commands,
      expiry: expiry ?? own?.expiry, maker: maker)
  }

  /// True if the first patterns match no id that the others do not, of the patterns that there are here.
  private static func isWithin(_ new: [String]?, _ own: [String]?) -> Bool {
    guard let own, !own.contains("*") else { return true }
    guard let new else { return false }
    return new.allSatisfy { pattern in
      own.contains(pattern) || pattern == "applyF*" && own.contains("apply*")
    }
  }

  private func revoke(in world: inout World) throws {
    guard let victim = world.model.keys.sorted().randomElement(using: &world.random) else { return }
    let asker = world.anyone()
    let response = try world.tokens.sample.send(
      .delete, "/sessions/own/tokens/\(victim)", headers: world.fields(asker))
    if let own = asker.flatMap({ world.model[$0] }), !world.isValid(own) {
      #expect(response.status == .unauthorized)
      return
    }
    let isOwn = asker == nil || line(of: victim, in: world).contains(asker ?? 0)
    guard response.status == .ok else {
      // Expired tokens are removed when the next one is made.
      let isThere = world.model[victim].map(world.isValid) ?? false
      #expect(!isOwn || !isThere, "\(response.text)")
      #expect(response.status == .notFound)
      return
    }
    #expect(isOwn)
    for number in world.model.keys where line(of: number, in: world).contains(victim) {
      world.model[number]?.isRevoked = true
    }
  }

  /// The operations whose bodies need rights of their own, or that change the model.
  private static let withOwnRules = [
    "closeSession", "mutate", "replyToDelivery", "makeToken", "revokeToken",
  ]

  /// The token and its makers.
  private func line(of number: Int, in world: World) -> [Int] {
    var line = [number]
    while let maker = world.model[line[line.count - 1]]?.maker { line.append(maker) }
    return line
  }

  private func request(in world: inout World) throws {
    let asker = world.anyone()
    let own = asker.flatMap { world.model[$0] }
    let route = Service.routes.filter { $0.requiredAccess.isOfSessions }
      .filter { !Self.withOwnRules.contains($0.description.id) }
      .randomElement(using: &world.random)
    guard let route else { return }
    let response = try world.tokens.send(route, as: world.fields(asker))
    if let own, !world.isValid(own) {
      #expect(response.status == .unauthorized, "\(route.description.id)")
      return
    }
    #expect(response.status != .unauthorized)
    guard case .right(let right) = route.requiredAccess else { return }
    let isAllowed = own?.rights.contains(right) ?? true
    if !isAllowed {
      #expect(response.status == .forbidden, "\(route.description.id)")
      #expect(try response.value("/right") == .string(right.rawValue))
    } else if response.status == .forbidden {
      // A token that is limited to commands performs nothing else.
      #expect(own?.commands != nil && right == .perform, "\(route.description.id) \(response.text)")
    }
    guard let commands = own?.commands, isAllowed, response.status.rawValue < 300 else { return }
    // Documents tell of the session as it is.
    guard right == .items || right == .perform else { return }
    for hidden in ["paste:", "delete:", "sortByDate"] where !commands.contains("*") {
      #expect(
        !response.text.contains("\"\(hidden)\""), "\(route.description.id) tells of \(hidden)")
    }
  }
}
