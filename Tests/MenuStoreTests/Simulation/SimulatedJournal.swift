import Glibc

@testable import MenuStore

/// A journal that tells a simulation each batch and how it ends.
///
/// Everything here runs on the one thread of its simulation. A log in memory fails as the simulation says; of SQLite the
/// disk does.
final class SimulatedJournal: Journal, @unchecked Sendable {
  private let journal: any Journal
  private unowned let simulation: Simulation
  /// The entries that were recovered.
  private(set) var entries: [IdempotencyEntry] = []
  private(set) var recovery = JournalRecovery()
  /// The reason why the last batch failed; nil if it did not.
  private(set) var lastFault: JournalFault?
  /// The batch that was written to the log in memory and not flushed.
  private var unflushed: [JournalWrite] = []

  init(_ journal: any Journal, in simulation: Simulation) {
    (self.journal, self.simulation) = (journal, simulation)
  }

  var clock: RetentionClock { journal.clock }
  var figures: JournalFigures { journal.figures }

  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    recovery = try journal.recover(
      reading: { (item) throws(JournalFault) in
        if case .entry(let entry) = item { entries.append(entry) }
        try read(item)
      }, stateOf: state)
    return recovery
  }

  var histories: any Histories { journal.histories }

  func beginAgain(with beginnings: [JournalRecord]) throws(JournalFault) {
    try journal.beginAgain(with: beginnings)
  }

  func probe() throws(JournalFault) -> JournalFault? {
    lastFault = try journal.probe()
    return lastFault
  }

  func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    let plant = writes.isEmpty ? nil : simulation.plant
    simulation.history.begin(writes)
    if plant == .earlyPublication { publish() }
    do throws(JournalFault) {
      if plant == .tornBatch, writes.count > 1 { _ = try add([writes[0]]) {} }
      let rest = plant == .tornBatch && writes.count > 1 ? Array(writes[1...]) : writes
      let hasMore = try add(rest) {
        simulation.noteDurable(writes)
        if plant != .earlyPublication, plant != .missingPublication { publish() }
      }
      simulation.pause()
      if plant == .refusalOfDurable, simulation.chance(5) { throw .noRoom(path: "planted") }
      lastFault = nil
      return hasMore
    } catch {
      simulation.trace("\(writes.count) writes fail: \(error)")
      if plant == .publishedRefusal { publish() }
      lastFault = error
      throw error
    }
  }

  private func add(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    guard simulation.disk == nil else {
      return try journal.append(writes, whenDurable: publish)
    }
    if let fault = simulation.faultOfBatch() {
      if case .unflushed = fault, !writes.isEmpty { unflushed = writes }
      throw fault
    }
    let hasMore = try journal.append(writes) {
      unflushed = []
      // It may end before anybody is told.
      if simulation.goOn() { publish() }
    }
    guard !simulation.isDown else { throw .closed }
    return hasMore
  }

  func close() {
    // The next start finds it or not.
    if !unflushed.isEmpty, simulation.chance(50) { _ = try? journal.append(unflushed) {} }
    journal.close()
  }
}

/// Carries out the steps of a writer when the simulation says so.
final class SimulatedWorker: WriterWorker, @unchecked Sendable {
  private unowned let simulation: Simulation
  private var writer: Writer?
  /// True if a job waits.
  var isGathering = true
  private var lastStep: Int64 = 0

  init(in simulation: Simulation) { self.simulation = simulation }

  func start(_ writer: Writer) { self.writer = writer }

  func finish() {
    while let writer, writer.step(waiting: .zero) {}
    writer = nil
  }

  /// Does nothing more, since the process is killed.
  func abandon() { writer = nil }

  func sleep(for time: Duration) {
    simulation.now += simulation.isDown ? 1000 : Int64(time / .milliseconds(1))
    simulation.pause()
  }

  var now: Duration { .milliseconds(simulation.now) }

  /// True if there is a step to do by now.
  var isDue: Bool {
    guard let writer else { return false }
    return isGathering
      || writer.patience.map { lastStep + Int64($0 / .milliseconds(1)) <= simulation.now } ?? false
  }

  func step() {
    isGathering = false
    lastStep = simulation.now
    _ = writer?.step(waiting: .zero)
  }
}
