import JSONText
import MenuStore
import MicroHTTP
import Randomness
import Testing

@testable import MenuAPI
@testable import MenuEngine

/// A model of who may what, and random tokens, requests and restarts, on one service or several (T1 to T3).
struct TokenModelTests {
  /// A token as the model has it.
  private struct Token {
    let made: TokenSample.Made
    let wish: Wish
    let maker: Int?
    var isRevoked = false

    var rights: Rights { Rights(wish.rights) }
  }

  /// A token as a request asks for it. What is nil is not limited.
  private struct Wish {
    var rights: [Right]
    var kind: Principal.Kind
    var commands: [String]?
    var pointers: [String]?
    var expiry: Int?

    /// The members of the request beside rights and kind.
    func members(_ tokens: TokenSample) -> String {
      var more = ""
      if let commands { more += ",\"commands\":\(commands)" }
      if let pointers { more += ",\"pointers\":\(pointers)" }
      if let expiry { more += ",\"expires\":\"\(tokens.moment(expiry))\"" }
      return more
    }

    /// The same, with the maker's limits where the request says nothing.
    func within(_ maker: Wish?) -> Wish {
      var wish = self
      wish.commands = commands ?? maker?.commands
      wish.expiry = expiry ?? maker?.expiry
      if rights.contains(.patch) { wish.pointers = pointers ?? maker?.pointers }
      return wish
    }

    /// True if it allows no more than the maker's.
    func isAtMost(_ maker: Wish?) -> Bool {
      guard let maker else { return kind.isGiven(by: .person) }
      return kind.isGiven(by: maker.kind) && Rights(rights).isSubset(of: Rights(maker.rights))
        && (maker.expiry).map { (expiry ?? .max) <= $0 } ?? true
        && TokenModelTests.isWithin(commands, maker.commands)
        && (!rights.contains(.patch) || allowsNoMorePlaces(than: maker))
    }

    private func allowsNoMorePlaces(than maker: Wish) -> Bool {
      guard maker.pointers != nil else { return true }
      return pointers?.allSatisfy(maker.allowsPatch) ?? false
    }

    /// True if it may patch the state at a place.
    func allowsPatch(at place: String) -> Bool {
      pointers?.contains { place == $0 || place.hasPrefix($0 + "/") } ?? true
    }
  }

  /// The service, the model, and the present second.
  private struct World {
    let tokens: TokenSample
    var model: [Int: Token] = [:]
    var now = 0
    var random: SeededGenerator

    /// True if a token is valid by the model.
    func isValid(_ token: Token) -> Bool {
      !token.isRevoked && (token.wish.expiry ?? .max) > now
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
  private static let pointers = [nil, ["/zoom"], ["/zoom", "/selection"], ["/selection/0"]]

  @Test(arguments: Seeds.first(6))
  func `T3 nobody gets more than the model says`(seed: UInt64) throws {
    var world = World(
      tokens: try TokenSample(storage: MemoryJournal.Storage()),
      random: SeededGenerator(seed: seed))
    for _ in 0..<250 {
      switch Int.random(in: 0..<10, using: &world.random) {
      case 0, 1: try make(in: &world)
      case 2: try revoke(in: &world)
      case 3:
        world.now += 10
        world.tokens.pass(10)
      case 4: try mutate(in: &world)
      default: try request(in: &world)
      }
      guard Int.random(in: 0..<60, using: &world.random) == 0 else { continue }
      let services = world.tokens.sample.replicas.services.indices
      try world.tokens.restart(services.randomElement(using: &world.random) ?? 0)
    }
  }

  private func make(in world: inout World) throws {
    let maker = world.anyone()
    let asked = wish(in: &world)
    let response = try world.tokens.ask(
      asked.rights, kind: asked.kind.rawValue, more: asked.members(world.tokens),
      by: world.fields(maker))
    let own = maker.flatMap { world.model[$0] }
    if let own, !world.isValid(own) {
      #expect(response.status == .unauthorized)
      return
    }
    let wish = asked.within(own?.wish)
    let isWithin = wish.isAtMost(own?.wish)
    #expect(response.status == (isWithin ? .created : .forbidden), "\(response.text)")
    guard isWithin else { return }
    let made = try TokenSample.made(response)
    world.model[made.number] = Token(made: made, wish: wish, maker: maker)
  }

  private func wish(in world: inout World) -> Wish {
    var wish = Wish(
      rights: Right.allCases.filter { _ in Bool.random(using: &world.random) },
      kind: Principal.Kind.allCases.randomElement(using: &world.random) ?? .agent)
    wish.commands = Self.commands.randomElement(using: &world.random) ?? nil
    if wish.rights.contains(.patch) {
      wish.pointers = Self.pointers.randomElement(using: &world.random) ?? nil
    }
    if Bool.random(using: &world.random) {
      wish.expiry = world.now + Int.random(in: 5..<100, using: &world.random)
    }
    return wish
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

  /// Mutations with the right that each needs, and the place that it patches.
  private static let mutations: [(right: Right, place: String?, text: String)] = [
    (.patch, "/zoom", #"{"op":"mergeState","patch":{"zoom":7}}"#),
    (.patch, "/selection", #"{"op":"mergeState","patch":{"selection":["owl"]}}"#),
    (
      .patch, "/selection/0",
      #"{"op":"patchState","patch":[{"op":"replace","path":"/selection/0","value":"lake"}]}"#
    ),
    (.focus, nil, #"{"op":"becomeFirstResponder","responder":"photoGrid"}"#),
    (.perform, nil, #"{"op":"perform","command":"copy:"}"#),
    (.declare, nil, #"{"op":"putResponder","responder":"new","value":{"kind":"view"}}"#),
  ]

  /// Sends a list of mutations, which needs the right of each of them; without one, nothing happens.
  private func mutate(in world: inout World) throws {
    let asker = world.anyone()
    let own = asker.flatMap { world.model[$0] }
    let list = (0..<Int.random(in: 1...3, using: &world.random)).compactMap { _ in
      Self.mutations.randomElement(using: &world.random)
    }
    let before = try revision(in: world)
    let response = try world.tokens.sample.send(
      .post, "/sessions/own/mutations",
      #"{"mutations":[\#(list.map(\.text).joined(separator: ","))]}"#, headers: world.fields(asker))
    // Among others, a merge patch may make something else of an object that it seems to keep.
    let isOfPatches = list.allSatisfy { $0.right == .patch }
    let refused = list.first { mutation in
      guard let own else { return false }
      let isWhole = mutation.text.contains("mergeState") && !isOfPatches
      let place = isWhole ? "" : mutation.place
      return !own.rights.contains(mutation.right)
        || place.map { !own.wish.allowsPatch(at: $0) } ?? false
    }
    if let own, !world.isValid(own) {
      #expect(response.status == .unauthorized)
    } else if let refused {
      // One that is limited to commands may be refused another mutation, be it since it sees no such command.
      let isLimited = own?.wish.commands != nil
      #expect(response.status == .forbidden || isLimited && response.status == .notFound)
      #expect(
        try isLimited || response.value("/right") == .string(refused.right.rawValue),
        "\(list) \(response.text)")
    } else {
      // A token that is limited to commands performs and declares nothing else.
      #expect(response.status != .unauthorized)
      #expect(response.status != .forbidden || own?.wish.commands != nil, "\(response.text)")
      return
    }
    #expect(try revision(in: world) == before)
  }

  private func revision(in world: World) throws -> JSON? {
    try world.tokens.sample.send(
      .get, "/sessions/own", headers: SampleService.administrator
    ).value("/revision")
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
      .filter { !Self.withOwnRules.contains($0.id) }
      .randomElement(using: &world.random)
    guard let route else { return }
    let response = try world.tokens.send(route, as: world.fields(asker))
    if let own, !world.isValid(own) {
      #expect(response.status == .unauthorized, "\(route.id)")
      return
    }
    #expect(response.status != .unauthorized)
    guard case .right(let right) = route.requiredAccess else { return }
    let isAllowed = own?.rights.contains(right) ?? true
    if !isAllowed {
      #expect(response.status == .forbidden, "\(route.id)")
      #expect(try response.value("/right") == .string(right.rawValue))
    } else if response.status == .forbidden {
      // A token that is limited to commands performs nothing else, nor does an agent's; one that is limited to places
      // patches no others.
      let isLimited =
        (own?.wish.commands != nil || own?.wish.kind == .agent) && right == .perform
        || own?.wish.pointers != nil && right == .patch
      #expect(isLimited, "\(route.id) \(response.text)")
    }
    guard let commands = own?.wish.commands, isAllowed, response.status.rawValue < 300 else {
      return
    }
    // Documents tell of the session as it is.
    guard right == .items || right == .perform else { return }
    for hidden in ["paste:", "delete:", "sortByDate"] where !commands.contains("*") {
      #expect(
        !response.text.contains("\"\(hidden)\""), "\(route.id) tells of \(hidden)")
    }
  }
}
