/// The outcome of a schedule.
extension Simulation {
  /// Something that is not as it must be.
  struct Failure: Error, CustomStringConvertible {
    let seed: UInt64
    let step: Int
    let plant: PlantedDefect?
    let log: Simulation.Log
    let reason: String

    var description: String {
      let planted = plant.map { " MENUD_PLANT=\($0)" } ?? ""
      return "\(log), seed \(seed), step \(step): \(reason). Its steps: "
        + "MENUD_SEED=\(seed) MENUD_LOG=\(log)\(planted) swift test --filter SimulationTests"
    }
  }

  /// The figures of a schedule.
  struct Figures: Equatable {
    var lives = 0
    var steps = 0
    var operations = 0
    var writes = 0
    var faults = 0
    var losses = 0
    /// The number of times that a follower started anew, since commits that it did not know of were
    /// dropped.
    var drops = 0
    /// Differs if anything does.
    var digest: UInt64 = 0

    mutating func mix(_ value: Int) {
      digest = (digest ^ UInt64(truncatingIfNeeded: value)) &* 0x100_0000_01B3
    }
  }
}
