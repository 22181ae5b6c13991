import Foundation
import Randomness
import Testing

@testable import MenuStore

/// Store, group commit and journal under a scheduler with seeds (`Simulation`).
///
/// `MENUD_SEEDS` is the number of blocks of schedules; `MENUD_SEED` runs one schedule and prints its steps,
/// with the defect of `MENUD_PLANT` in it if that is said.
@Suite struct SimulationTests {
  private static let schedulesInBlock: UInt64 = 100

  @Test(.disabled(if: Replay.asked != nil), arguments: Seeds.first(3))
  func
    `whatever fails and whoever goes first, what was answered stays and what was refused does not`(
      block: UInt64
    ) throws
  {
    var digest: UInt64 = 0
    for seed in (block - 1) * Self.schedulesInBlock..<block * Self.schedulesInBlock {
      digest ^= try Simulation.run(seed: seed).digest
    }
    #expect(digest != 0)
  }

  @Test(.disabled(if: Replay.asked != nil), arguments: PlantedDefect.allCases)
  func `a planted defect is found, and again by its seed`(plant: PlantedDefect) throws {
    for seed in 0..<2000 as Range<UInt64> {
      do {
        _ = try Simulation.run(seed: seed, plant: plant)
      } catch let failure as Simulation.Failure {
        print("\(plant): \(failure)")
        _ = try Simulation.run(seed: seed)
        let again = #expect(throws: Simulation.Failure.self) {
          try Simulation.run(seed: seed, plant: plant)
        }
        #expect(again?.description == failure.description)
        return
      }
    }
    Issue.record("\(plant) is not found.")
  }

  @Test(.disabled(if: Replay.asked != nil))
  func `some followers fall behind and start anew`() throws {
    let isFound = try (0..<2000 as Range<UInt64>).contains { seed in
      try Simulation.run(seed: seed).drops > 0
    }
    #expect(isFound)
  }

  @Test(arguments: [5, 6, 7] as [UInt64])
  func `a seed leads to the same steps whenever it is run`(seed: UInt64) throws {
    #expect(try Simulation.run(seed: seed) == Simulation.run(seed: seed))
  }

  @Test(.enabled(if: Replay.asked != nil))
  func `the schedule that is asked for`() throws {
    let seed = try #require(Replay.asked)
    print(try Simulation.run(seed: seed, plant: Replay.plant, isTracing: true))
  }

  /// The schedule that somebody wants to see.
  private enum Replay {
    static let asked = ProcessInfo.processInfo.environment["MENUD_SEED"].flatMap(UInt64.init)
    static let plant = ProcessInfo.processInfo.environment["MENUD_PLANT"]
      .flatMap(PlantedDefect.init)
  }
}
