import JSONText
import Randomness
import Testing

@testable import MenuEngine
@testable import RandomSessions

/// A session that is asked again and again, with a plan, says the same as one that was never asked.
@Suite struct RandomPlanTests {
  @Test(arguments: Seeds.first(3))
  func `whatever happens, a plan says what the session says, to the byte`(seed: UInt64) throws {
    var random = RandomPlans(seed: seed)
    var stage = PlanStage(Stage(try random.open()))
    try stage.ask()
    var other = stage.stage.session
    var accepted = 0
    for step in 0..<100 {
      for _ in 0...random.roll(3) {
        try? random.change(&stage.stage.catalog)
        let mutation = try random.mutation(of: stage.stage.session)
        let outcome = try? stage.stage.session.apply(mutation, in: stage.stage.catalog)
        if outcome != nil { accepted += 1 }
      }
      if random.roll(12) == 0 {
        stage.plan = stage.plan.forAnotherSession()
        (stage.stage.session, other) = (other, stage.stage.session)
      }
      for _ in 0..<random.roll(4) {
        try stage.ask(random.request(of: stage.stage.session), "seed \(seed), step \(step)")
      }
      if random.roll(3) == 0 {
        try stage.search(random.query(), "seed \(seed), step \(step)")
      }
    }
    #expect(accepted > 60)
  }

  @Test(arguments: Seeds.first(2))
  func `whatever happens to view controllers and undo managers, too`(seed: UInt64) throws {
    let play = try SystemsSession.open(hasManagers: seed.isMultiple(of: 2))
    var stage = PlanStage(try Stage())
    (stage.stage.catalog, stage.stage.session) = (play.catalog, play.session)
    var random = RandomMutations(seed: seed, isExact: false)
    var dice = SeededGenerator(seed: seed)
    for step in 0..<150 {
      let mutation = random.next(for: stage.stage.session)
      _ = try? stage.stage.session.apply(mutation, in: stage.stage.catalog)
      var request = ValidationRequest()
      switch Int.random(in: 0..<3, using: &dice) {
      case 0: request.from = stage.stage.session.graph.ids.randomElement(using: &dice)
      case 1: request.sender = SenderDescription(responder: "keeper")
      default: break
      }
      try stage.ask(request, "seed \(seed), step \(step)")
    }
  }
}

extension RandomPlans {
  private static let queries = ["", "a", "act", "act0", "ac one", "tilte", "five", "zz", "on"]

  /// A query for commands, often for parts of their titles.
  fileprivate mutating func query() -> CommandQuery {
    CommandQuery(
      Self.queries[roll(Self.queries.count)], limit: 1 + roll(20), offset: roll(3),
      includesDisabled: roll(2) == 0, window: [nil, nil, "window", "panel", "nobody"][roll(5)])
  }
}
