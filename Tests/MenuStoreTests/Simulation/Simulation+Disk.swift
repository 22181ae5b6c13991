import CSimulatedDisk

@testable import MenuStore

/// The fate of each access to the disk.
extension Simulation {
  func decide(_ access: Disk.Access, _ file: () -> String) -> SimulatedVerdict {
    let (operation, count) = (access.operation, access.count)
    guard !isDown else { return .down }
    operations += 1
    figures.operations += 1
    figures.mix(Int(operation.rawValue) << 20 | count)
    if operation != .read { pause() }
    if operations == end {
      trace("everything ends at operation \(operations), \(operation) of \(file())")
      isDown = true
      var verdict = SimulatedVerdict.down
      verdict.taken = Int32.random(in: 0...Int32(count), using: &random)
      return verdict
    }
    if let verdict = spell?.verdict(of: access, &random) {
      trace("\(operation) of \(file()) fails: \(verdict.code)")
      faults += 1
      figures.faults += 1
      return verdict
    }
    if operation == .flush, plant == .flushThatDoesNothing { return .lie }
    return SimulatedVerdict()
  }
}
