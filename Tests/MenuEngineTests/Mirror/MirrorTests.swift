import Foundation
import JSONText
import Testing

@testable import MenuEngine

/// Whoever applies the changes that answers tell to a session's document has the next one, to the byte,
/// through long random sequences of requests of all kinds (E1, E2).
///
/// `MENUD_SEEDS` is the number of sequences of each kind; the default is small.
@Suite struct MirrorTests {
  private static let seeds = UInt64(ProcessInfo.processInfo.environment["MENUD_SEEDS"] ?? "") ?? 3

  /// Sends random mutations, some by routes of their own and some in lists.
  private func play(
    _ mirrored: inout MirroredSession, _ count: Int, seed: UInt64,
    _ next: (Session) throws -> Mutation
  ) throws {
    var generator = SeededGenerator(seed: seed)
    for step in 0..<count {
      let session = try #require(mirrored.session)
      if Int.random(in: 0..<4, using: &generator) == 0 {
        let number = Int.random(in: 1...3, using: &generator)
        let list = try (0..<number).map { _ in try next(session) }
        try mirrored.send(SessionRequest(list))
      } else {
        try mirrored.send(SessionRequest(try next(session)))
      }
      if step % 20 == 19 { try mirrored.compareMenus() }
    }
  }

  private func report(_ title: String, _ figures: MirroredSession.Figures) {
    print(
      """
      mirror, \(title): \(figures.operations) operations (\(figures.refused) refused), \
      \(figures.documents) documents (\(figures.bytes) bytes) and \(figures.menus) menus compared
      """)
  }

  @Test func `E2: the changes of storyboards, containers, undo and late responders are complete`()
    throws
  {
    var figures = MirroredSession.Figures()
    for seed in 1...Self.seeds {
      let stage = try SystemsStage.stage(hasManagers: seed.isMultiple(of: 2))
      var mirrored = try MirroredSession(stage.session, in: stage.catalog)
      var random = RandomMutations(seed: seed, isExact: false)
      try play(&mirrored, 150, seed: seed) { random.next(for: $0) }
      figures += mirrored.figures
    }
    report("systems", figures)
    #expect(figures.operations - figures.refused > figures.operations / 4)
    #expect(figures.menus > 0)
  }

  @Test func `E2: the changes of the state, handlers, registrations and proxies are complete`()
    throws
  {
    var figures = MirroredSession.Figures()
    for seed in 1...Self.seeds {
      var random = RandomPlans(seed: seed)
      let stage = try random.stage()
      var mirrored = try MirroredSession(stage.session, in: stage.catalog)
      try play(&mirrored, 150, seed: seed) { try random.mutation(of: $0) }
      figures += mirrored.figures
    }
    report("rules", figures)
    #expect(figures.operations - figures.refused > figures.operations / 3)
    #expect(figures.menus > 0)
  }
}
