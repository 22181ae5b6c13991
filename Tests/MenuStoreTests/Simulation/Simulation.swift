import CSimulatedDisk
import JSONText
import MenuEngine
import Randomness

@testable import MenuStore

/// A store, its group commit and its journal under a scheduler with a seed: one thread, virtual time, and a
/// disk that fails, is killed and loses power at any operation.
///
/// The scheduler decides at random who goes on: a client by one small step, or the journal by one
/// batch. At each operation of the disk, and wherever other threads may run while a batch is taken
/// back, clients go on too. Their answers, and the recovered state, are compared with the line of
/// history. The same seed leads to the same steps.
final class Simulation: @unchecked Sendable {
  let seed: UInt64
  let plant: PlantedDefect?
  let isTracing: Bool
  var random: SeededGenerator
  let conditions: Conditions
  let application: SmallApplication
  let disk: Disk

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
  /// The tickets of the writes of this process, by their numbers.
  var tickets: [Int: Ticket] = [:]
  var repeats: [SimulatedClient.Request] = []
  var requests = 0
  var started: Int64 = 0
  /// Writes during a start, which follow the recovered records.
  var early: [(write: JournalWrite, ticket: Ticket)]?

  /// True from the end of the process or of the power on.
  var isDown = false
  var isPausing = false
  /// True if the journal was found to be damaged, as it may be.
  var isOver = false
  var operations = 0
  /// The operation at which everything ends; nil if none.
  var end: Int?
  var spell: FaultSpell?
  var faults = 0
  /// True if the power failed since the last start that succeeded.
  var hasLostPower = false

  private init(seed: UInt64, plant: PlantedDefect?, isTracing: Bool) throws {
    self.seed = seed
    self.plant = plant
    self.isTracing = isTracing
    random = SeededGenerator(seed: seed &* 0x2545_F491_4F6C_DD1D)
    conditions = Conditions(&random)
    clients = (0..<conditions.clients).map { SimulatedClient($0) }
    application = try SmallApplication.shared.get()
    disk = try Disk()
    disk.decide = { [unowned self] in decide($0, $1) }
  }

  /// Runs the schedule of a seed.
  ///
  /// - Throws: `Failure` if something is wrong.
  static func run(
    seed: UInt64, plant: PlantedDefect? = nil, isTracing: Bool = false
  ) throws -> Figures {
    let simulation = try Simulation(seed: seed, plant: plant, isTracing: isTracing)
    return try simulation.run()
  }

  private func run() throws -> Figures {
    trace("\(conditions)")
    if !conditions.isNew { begin() }
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
  private func begin() {
    disk.copy(application.disk)
    let catalog = application.catalog
    let record = JournalRecord(.opened, .catalog, revision: Int64(catalog.revision))
    _ = history.add(JournalWrite(record: record, state: catalog.journalState), at: 0)
    history.tell(1)
  }
}
