import JSONText
import Randomness
import Testing

@testable import MenuEngine
@testable import RandomSessions

/// Applying the changes of an answer to a session's document gives the next document, to the byte,
/// and the same menu, through thousands of random requests of all kinds (E1, E2).
@Suite struct MirrorTests {
  private static let length = 200

  /// The sources of random mutations.
  private enum Source: String, CaseIterable {
    /// Storyboards, containers, undo and late responders.
    case systems
    /// The state, handlers, registrations and proxies, under rules.
    case rules
    /// Coordinators, messages, keys and invocations.
    case talks

    /// Returns the figures of one sequence.
    func figures(seed: UInt64) throws -> MirroredSession.Figures {
      switch self {
      case .systems:
        let stage = try SystemsSession.open(hasManagers: seed.isMultiple(of: 2))
        var random = RandomMutations(seed: seed, isExact: false)
        return try MirrorTests.play(stage.session, stage.catalog, seed: seed) {
          random.next(for: $0)
        }
      case .rules:
        var random = RandomPlans(seed: seed)
        let stage = try random.open()
        return try MirrorTests.play(stage.session, stage.catalog, seed: seed) {
          try random.mutation(of: $0)
        }
      case .talks:
        var random = RandomTalks(seed: seed)
        let stage = try random.open()
        return try MirrorTests.play(stage.session, stage.catalog, seed: seed) {
          try random.mutation(of: $0, in: stage.catalog)
        }
      }
    }
  }

  /// Sends random mutations, some by routes of their own and some in lists.
  private static func play(
    _ first: Session, _ catalog: Catalog, seed: UInt64, _ next: (Session) throws -> Mutation
  ) throws -> MirroredSession.Figures {
    var mirrored = try MirroredSession(first, in: catalog)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<length {
      let session = try #require(mirrored.session)
      let isList = Int.random(in: 0..<4, using: &generator) == 0
      let number = isList ? Int.random(in: 1...3, using: &generator) : 1
      let mutations = try (0..<number).map { _ in try next(session) }
      try mirrored.send(mutations, asList: isList)
    }
    return mirrored.figures
  }

  private static func report(_ title: String, _ figures: MirroredSession.Figures) {
    print(
      """
      mirror, \(title): \(figures.operations) operations (\(figures.refused) refused), \
      \(figures.documents) documents (\(figures.bytes) bytes) and \(figures.menus) menus compared
      """)
  }

  @Test func `E2: the changes of thousands of operations of all kinds are complete`() async throws {
    var all = MirroredSession.Figures()
    try await withThrowingTaskGroup(of: (Source, MirroredSession.Figures).self) { group in
      for source in Source.allCases {
        group.addTask {
          var figures = MirroredSession.Figures()
          for seed in Seeds.first(5) { figures += try source.figures(seed: seed) }
          return (source, figures)
        }
      }
      for try await (source, figures) in group {
        Self.report(source.rawValue, figures)
        #expect(figures.operations - figures.refused > figures.operations / 4, "\(source)")
        all += figures
      }
    }
    Self.report("all", all)
    let words = all.words.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("mirror, mutations: \(words.joined(separator: ", "))")
    #expect(all.operations >= 3000)
    #expect(all.documents == all.operations)
    #expect(all.menus > all.operations / 2)
    for op in Mutation.ops {
      #expect(all.words[op] != nil, "no '\(op)' was sent")
    }
    // Tokens come and go by routes of their own.
    for kind in Mutation.labels where kind != "tokens" {
      #expect(all.accepted[kind] != nil, "no '\(kind)' was accepted")
    }
  }
}
