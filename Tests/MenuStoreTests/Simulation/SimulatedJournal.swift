import Synchronization

@testable import MenuStore

/// A journal that tells a simulation each write and its outcome.
///
/// Everything here runs on the one thread of its simulation.
final class SimulatedJournal: Journal, @unchecked Sendable {
  private let journal: SQLiteJournal
  private unowned let simulation: Simulation
  /// The entries that were recovered.
  private(set) var entries: [IdempotencyEntry] = []
  private(set) var recovery = JournalRecovery()
  private var undos: [@Sendable () -> Void] = []

  init(_ journal: SQLiteJournal, in simulation: Simulation) {
    self.journal = journal
    self.simulation = simulation
  }

  var fault: JournalFault? { journal.fault }
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

  func append(_ write: JournalWrite) throws(JournalFault) -> Ticket {
    let number = simulation.nextWrite
    var noted = write
    noted.undo = { [self] in takeBack(number, write.undo) }
    if simulation.plant == .rollbackInWrongOrder { undos.append(write.undo) }
    let ticket = try journal.append(noted)
    simulation.note(write, ticket)
    return simulation.plant == .earlyAcknowledgement ? .durable : ticket
  }

  func startWriting() { journal.startWriting() }

  func close() { journal.close() }

  private func takeBack(_ number: Int, _ undo: () -> Void) {
    simulation.pause()
    if simulation.plant == .rollbackInWrongOrder {
      for undo in undos.suffix(simulation.pendingWrites) { undo() }
      undos = []
    } else {
      undo()
    }
    simulation.noteTakenBack(number)
    simulation.pause()
  }
}

/// The steps of a group commit, which a simulation carries out in its own time.
final class SimulatedWorker: CommitWorker, @unchecked Sendable {
  private unowned let simulation: Simulation
  private var commits: GroupCommit?
  /// True if something waits to be committed.
  var isGathering = false
  private var lastStep: Int64 = 0

  init(in simulation: Simulation) { self.simulation = simulation }

  func start(_ commits: GroupCommit) { self.commits = commits }

  func finish() {
    while let commits, commits.step(waiting: .zero) {}
    commits = nil
  }

  func sleep(for time: Duration) {
    simulation.advance(by: Int64(time / .milliseconds(1)))
    simulation.pause()
  }

  var now: Duration { .milliseconds(simulation.now) }

  /// The time of the next step; nil if there is nothing to do.
  var next: Int64? {
    guard let commits else { return nil }
    if isGathering { return 0 }
    return commits.patience.map { lastStep + Int64($0 / .milliseconds(1)) }
  }

  func step() {
    isGathering = false
    lastStep = simulation.now
    _ = commits?.step(waiting: .zero)
  }
}
