import CSimulatedDisk
import JSONText
import MenuEngine
import Randomness

@testable import MenuStore

/// A store, its writer and its journal under a scheduler with a seed: one thread, virtual time, and a
/// disk that fails, is killed and loses power at any operation, or a log in memory that fails and is killed.
///
/// The scheduler decides at random who goes on: a client by one small step, or the writer by one
/// batch. At each operation of the disk, and whenever the writer waits, clients go on too. What they read, and the
/// recovered state, are compared with the history. The same seed leads to the same steps.
final class Simulation: @unchecked Sendable {
  /// The place of the journal.
  enum Log: String, CaseIterable { case memory, disk }

  let log: Log
  let seed: UInt64
  let plant: PlantedDefect?
  let isTracing: Bool
  var random: SeededGenerator
  let conditions: Conditions
  let application: SmallApplication
  /// Nil if the journal is in memory.
  let disk: Disk?
  let memory = MemoryJournal.Storage()

  static let names: [SessionID] = ["a", "b", "c", "d"]

  var history = History()
  var now: Int64 = 0
  var stepNumber = 0
  var figures = Figures()
  var failure: Failure?

  var store: SessionStore?
  var journal: SimulatedJournal?
  var worker: SimulatedWorker?
  var clients: [SimulatedClient]
  var followers: [SimulatedFollower] = []
  var repeats: [SimulatedClient.Request] = []
  var requests = 0
  var started: Int64 = 0
  /// True from the end of the process or of the power on.
  var isDown = false
  var isPausing = false
  /// True if the journal was found to be damaged, as it may be.
  var isOver = false
  var operations = 0
  /// The operation at which everything ends; nil if none.
  var end: Int?
  var spell: FaultSpell?
  /// True if the power failed since the last start that succeeded.
  var hasLostPower = false

  private init(_ seed: UInt64, on log: Log, plant: PlantedDefect?, isTracing: Bool) throws {
    self.log = log
    self.seed = seed
    self.plant = plant
    self.isTracing = isTracing
    random = SeededGenerator(seed: seed &* 0x2545_F491_4F6C_DD1D)
    conditions = Conditions(&random)
    clients = (0..<conditions.clients).map { SimulatedClient($0) }
    application = try SmallApplication.shared.get()
    disk = log == .disk ? try Disk() : nil
    disk?.decide = { [unowned self] in decide($0, $1) }
  }

  /// Runs the schedule of a seed.
  ///
  /// - Throws: `Failure` if something is wrong.
  static func run(
    seed: UInt64, on log: Log, plant: PlantedDefect? = nil, isTracing: Bool = false
  ) throws -> Figures {
    try Simulation(seed, on: log, plant: plant, isTracing: isTracing).run()
  }

  private func run() throws -> Figures {
    trace("\(conditions)")
    if !conditions.isNew, let disk { begin(disk) }
    for _ in 0..<conditions.lives where failure == nil && !isOver {
      figures.lives += 1
      live()
      restart()
    }
    if failure == nil, !isOver {
      (end, spell) = (nil, nil)
      open()
      tearDown()
    }
    if let failure { throw failure }
    figures.steps = stepNumber
    return figures
  }

  /// Begins with a journal that has a catalogue and nothing else.
  private func begin(_ disk: Disk) {
    disk.copy(application.disk)
    let catalog = application.catalog
    let record = JournalRecord(.opened, .catalog, revision: Int64(catalog.revision))
    _ = history.add([JournalWrite(record: record, state: catalog.journalState)], at: 0)
  }
}
