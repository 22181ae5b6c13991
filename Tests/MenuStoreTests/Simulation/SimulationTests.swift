import Foundation
import Randomness
import Testing

@testable import MenuStore

/// Store, writer and journal under a scheduler with seeds (`Simulation`).
///
/// `MENUD_SEEDS` is the number of blocks of schedules; `MENUD_SEED` runs one schedule and prints its steps, over the
/// log of `MENUD_LOG`, with the defect of `MENUD_PLANT` in it if that is said.
@Suite struct SimulationTests {
  /// The number of schedules in a block: many more run in the time where there is no disk.
  private static func schedules(on log: Simulation.Log) -> UInt64 { log == .disk ? 100 : 500 }

  @Test(.disabled(if: Replay.asked != nil), arguments: Seeds.first(2), Simulation.Log.allCases)
  func
    `whatever fails and whoever goes first, what was answered stays and what was refused does not`(
      block: UInt64, log: Simulation.Log
    ) throws
  {
    let count = Self.schedules(on: log)
    var digest: UInt64 = 0
    let time = try ContinuousClock().measure {
      for seed in (block - 1) * count..<block * count {
        digest ^= try Simulation.run(seed: seed, on: log).digest
      }
    }
    print("\(log), block \(block): \(Int(Double(count) / (time / .seconds(1)))) schedules a second")
    #expect(digest != 0)
  }

  @Test(
    .disabled(if: Replay.asked != nil), arguments: PlantedDefect.allCases, Simulation.Log.allCases)
  func `a planted defect is found, and again by its seed`(
    plant: PlantedDefect, log: Simulation.Log
  ) throws {
    guard log == .disk || plant.isInStore else { return }
    for seed in 0..<2000 as Range<UInt64> {
      do {
        _ = try Simulation.run(seed: seed, on: log, plant: plant)
      } catch let failure as Simulation.Failure {
        print("\(plant): \(failure)")
        _ = try Simulation.run(seed: seed, on: log)
        let again = #expect(throws: Simulation.Failure.self) {
          try Simulation.run(seed: seed, on: log, plant: plant)
        }
        #expect(again?.description == failure.description)
        return
      }
    }
    Issue.record("\(plant) is not found.")
  }

  @Test(.disabled(if: Replay.asked != nil), arguments: Simulation.Log.allCases)
  func `some followers fall behind and start anew`(log: Simulation.Log) throws {
    let isFound = try (0..<2000 as Range<UInt64>).contains { seed in
      try Simulation.run(seed: seed, on: log).drops > 0
    }
    #expect(isFound)
  }

  @Test(arguments: [5, 6, 7] as [UInt64], Simulation.Log.allCases)
  func `a seed leads to the same steps whenever it is run`(
    seed: UInt64, log: Simulation.Log
  ) throws {
    #expect(try Simulation.run(seed: seed, on: log) == Simulation.run(seed: seed, on: log))
  }

  @Test(.enabled(if: Replay.asked != nil))
  func `the schedule that is asked for`() throws {
    let seed = try #require(Replay.asked)
    print(try Simulation.run(seed: seed, on: Replay.log, plant: Replay.plant, isTracing: true))
  }

  /// The schedule that somebody wants to see.
  private enum Replay {
    private static let environment = ProcessInfo.processInfo.environment
    static let asked = environment["MENUD_SEED"].flatMap(UInt64.init)
    static let log = environment["MENUD_LOG"].flatMap(Simulation.Log.init) ?? .disk
    static let plant = environment["MENUD_PLANT"].flatMap(PlantedDefect.init)
  }
}
