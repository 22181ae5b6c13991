import JSONText
import Locks
import RandomSessions
import Randomness
import Testing

@testable import MenuEngine
@testable import RandomSessions

/// Long random sequences of mutations of all systems together: segues, ways back, instances, shows,
/// presentations, selections, collapses, deletions, late registrations, focus, commands with effects on
/// the state, undo (R8, R9, L, V3, V6, V9, A8, U1–U3).
@Suite struct RandomSystemsTests {
  /// A sequence of mutations, each with true if it was accepted.
  private struct Play {
    let first: StoryboardStage
    var stage: StoryboardStage
    var mutations: [Mutation] = []
    var outcomes: [Outcome?] = []

    /// Each mutation leaves the session sound, and one that is refused as it was, to the byte.
    private init(playing seed: UInt64, isExact: Bool) throws {
      stage = StoryboardStage(try SystemsSession.open(hasManagers: !isExact))
      first = stage
      var random = RandomMutations(seed: seed, isExact: isExact)
      // The document of the present revision, if that is known.
      var document: String?
      for step in 0..<150 {
        let mutation = random.next(for: stage.session)
        let before = stage.session
        mutations.append(mutation)
        do throws(MutationFault) {
          outcomes.append(try stage.session.apply(mutation, in: stage.catalog))
        } catch {
          outcomes.append(nil)
          let text = document ?? before.document.text()
          #expect(stage.session.document.text() == text)
          document = text
          continue
        }
        if stage.session.revision == before.revision {
          #expect(stage.session.document.text() == document ?? before.document.text())
        } else {
          #expect(stage.session.revision == before.revision + 1)
          document = nil
        }
        stage.session.expectSound(in: stage.catalog, after: mutation)
        stage.session.expectFocusOnScreen(since: before, in: stage.catalog, after: mutation)
        if step % 20 == 0 { try stage.session.graph.expectSameAsFresh() }
      }
    }

    /// The sequence of a seed, which is played once for all tests.
    init(seed: UInt64, isExact: Bool) throws {
      let name = "\(seed) \(isExact)"
      self = try Self.known.withLock { known in
        if let play = known[name] { return play }
        let play = try Self(playing: seed, isExact: isExact)
        known[name] = play
        return play
      }
    }

    private static let known = Lock<[String: Self]>([:])

    var accepted: Int { outcomes.count { $0 != nil } }
  }

  private func go(_ mutation: Mutation, _ stage: inout StoryboardStage) throws -> Int {
    var count = 0
    while try stage.apply(mutation).isUndone { count += 1 }
    return count
  }

  @Test(arguments: Seeds.first(5))
  func
    `U1: whatever happens, undo of everything gives the first state, redo of everything the last`(
      seed: UInt64
    ) throws
  {
    let play = try Play(seed: seed, isExact: true)
    #expect(play.accepted > 60)
    var stage = play.stage
    while stage.session.undoManager(ownedBy: nil)?.groupingLevel ?? 0 > 0 {
      try stage.apply(.endUndoGrouping())
    }
    try stage.apply(.mergeState(["answer": 0]))
    _ = try go(.redo(), &stage)
    let last = stage.session.state.text()
    for _ in 0..<2 {
      let count = try go(.undo(), &stage)
      #expect(stage.session.state.text() == play.first.session.state.text())
      #expect(try go(.redo(), &stage) == count)
      #expect(stage.session.state.text() == last)
    }
  }

  @Test(arguments: Seeds.first(5))
  func `R9: whatever happens, with several undo managers too, the session is sound`(
    seed: UInt64
  ) throws {
    #expect(try Play(seed: seed, isExact: false).accepted > 60)
  }

  /// A mutation that is refused the first time is refused again.
  @Test func `the same mutations, read from documents, give the same session and tell the same`()
    throws
  {
    var accepted: Set<String> = []
    for number: UInt64 in 2..<12 {
      let (isExact, seed) = (number.isMultiple(of: 2), number / 2)
      let play = try Play(seed: seed, isExact: isExact)
      var copy = try SystemsSession.open(hasManagers: !isExact)
      for (mutation, outcome) in zip(play.mutations, play.outcomes) {
        let same = try FaultLog.collecting {
          Mutation(reading: mutation.json, at: .root, log: $0, in: copy.catalog)
        }
        #expect((try? copy.session.apply(same, in: copy.catalog)) == outcome)
        guard outcome != nil, case .string(let op)? = mutation.json.object?["op"] else { continue }
        accepted.insert(op)
      }
      #expect(copy.session.document.text() == play.stage.session.document.text())
    }
    #expect(Self.ops.filter { !accepted.contains($0) } == [])
  }

  /// The operations of the sequences.
  private static let ops = [
    "performSegue", "unwind", "instantiate", "setDelegate", "message", "pushViewController",
    "popViewController", "popToViewController", "popToRootViewController", "setViewControllers",
    "selectViewController", "present", "dismiss", "removeFromParent", "collapse", "expand",
    "perform", "undo", "redo", "beginUndoGrouping", "endUndoGrouping", "setUndoActionName",
    "prepareWithInvocationTarget", "disableUndoRegistration", "enableUndoRegistration",
    "setLevelsOfUndo", "removeAllUndoActions", "putResponder", "removeResponder",
    "becomeFirstResponder", "resignFirstResponder", "makeKeyWindow", "mergeState",
    "registerLateResponder", "deregisterLateResponder",
  ]
}
