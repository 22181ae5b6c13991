import CSimulatedDisk
import JSONText
import MenuEngine
import Randomness

@testable import MenuStore

/// A store, its group commit and its journal under a scheduler with a seed: one thread, virtual time, and a
/// disk that fails, is killed and loses power at any operation.
///
/// The scheduler decides at random who goes on: a client by one small step, or the journal by one batch.
/// At each operation of the disk, and wherever other threads may run while a batch is taken back, clients
/// go on too. What they are told and what is recovered is compared with the line of history. The same seed
/// leads to the same steps.
final class Simulation: @unchecked Sendable {
  let seed: UInt64
  let plant: PlantedDefect?
  private let isTracing: Bool
  private var random: SeededGenerator
  private let conditions: Conditions
  private let application: SmallApplication
  private let disk: Disk

  var history = History()
  private(set) var now: Int64 = 0
  private(set) var stepNumber = 0
  private(set) var figures = Figures()
  private var failure: Failure?

  private var store: SessionStore?
  private var journal: SimulatedJournal?
  private var worker: SimulatedWorker?
  private var clients: [SimulatedClient]
  private var repeats: [SimulatedClient.Request] = []
  private var requests = 0
  private var started: Int64 = 0
  /// Writes during a start, which come behind what is recovered.
  private var early: [(write: JournalWrite, ticket: Ticket)]?

  /// True from the end of the process or of the power on.
  private var isDown = false
  private var isPausing = false
  /// True if the journal was found to be damaged, as it may be.
  private var isOver = false
  private var operations = 0
  /// The operation at which everything ends; nil if none.
  private var end: Int?
  private var spell: FaultSpell?
  private var faults = 0
  /// True if the power failed since the last start that succeeded.
  private var hasLostPower = false

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

// MARK: Noting

extension Simulation {
  /// Ends the schedule if something is wrong.
  func expect(_ fault: String?) {
    guard let fault, failure == nil, !isDown else { return }
    failure = Failure(seed: seed, step: stepNumber, plant: plant, reason: withoutFolder(fault))
    trace("FAILURE: \(fault)")
  }

  func trace(_ text: @autoclosure () -> String) {
    guard isTracing else { return }
    print("seed \(seed), step \(stepNumber), \(now) ms: \(withoutFolder(text()))")
  }

  /// The text as it is in every run.
  private func withoutFolder(_ text: String) -> String {
    text.replacing(disk.prefix, with: "")
  }

  func check(_ look: Look, at id: SessionID) { expect(history.fault(of: look, at: id)) }

  /// The number that the next write gets.
  var nextWrite: Int { history.lastNumber + 1 + (early?.count ?? 0) }

  /// The number of writes that are not durable.
  var pendingWrites: Int { history.lines.count { $0.number > history.floor } }

  /// Notes what the journal took.
  func note(_ write: JournalWrite, _ ticket: Ticket) {
    if early != nil {
      early?.append((write, ticket))
      return
    }
    figures.writes += 1
    let now = store?.retentionClock.now ?? 0
    expect(history.add(write, at: now))
    worker?.isGathering = true
    let number = history.lastNumber
    ticket.whenSettled { [self] outcome in
      guard !isDown else { return }
      trace("write \(number) is settled: \(outcome)")
      history.settle(number, outcome)
      pause()
    }
  }

  func noteTakenBack(_ number: Int) {
    guard !isDown else { return }
    trace("write \(number) is taken back")
    worker?.isGathering = false
    expect(history.takeBack(number))
  }
}

// MARK: Scheduling

extension Simulation {
  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  /// Lets clients go on, as other threads may at this moment.
  func pause() {
    guard !isDown, !isPausing, store != nil, chance(conditions.interleaving) else { return }
    isPausing = true
    for _ in 0..<Int.random(in: 1...4, using: &random) { stepClient() }
    isPausing = false
  }

  func advance(by milliseconds: Int64) { now += milliseconds }

  private func stepClient() {
    guard let store, failure == nil else { return }
    stepNumber += 1
    let index = Int.random(in: 0..<clients.count, using: &random)
    figures.mix(index)
    clients[index].step(in: self, on: store)
  }

  /// One life of the process.
  private func live() {
    let longest = chance(50) ? 60 : 400
    end = chance(80) ? Int.random(in: 1...longest, using: &random) : nil
    if conditions.hasFaults, chance(10) { spell = FaultSpell(&random) }
    open()
    for _ in 0..<Int.random(in: 5...conditions.steps, using: &random) {
      if isDown || failure != nil { break }
      turn()
    }
    if !isDown, failure == nil, chance(30) {
      trace("it is stopped")
      store?.close()
    }
  }

  private func turn() {
    stepNumber += 1
    let choice = Int.random(in: 0..<100, using: &random)
    figures.mix(choice)
    if spell != nil, chance(15) { spell = nil }
    switch choice {
    case 0..<4: if conditions.hasFaults { spell = FaultSpell(&random) }
    case 4..<6:
      let patience = Int64.random(in: 0...3000, using: &random)
      if let store { trace("idle sessions closed: \(store.closeIdle(forMoreThan: patience))") }
    case 6..<12: now += Int64.random(in: 1...1500, using: &random)
    case 12..<55: stepClient()
    default:
      if let worker, let next = worker.next, next <= now {
        trace("the journal goes on")
        worker.step()
      } else {
        stepClient()
      }
    }
  }

  /// The next request of a client: a new one, or one with a key whose outcome nobody knows.
  func nextRequest() -> SimulatedClient.Request {
    if !repeats.isEmpty, chance(50) { return repeats.removeFirst() }
    requests += 1
    let kinds: [SimulatedClient.Request.Kind] = [
      .open, .open, .change, .change, .change, .close, .changeCatalog, .read, .read,
    ]
    let request = SimulatedClient.Request(
      number: requests, kind: kinds[Int.random(in: 0..<kinds.count, using: &random)],
      session: names[Int.random(in: 0..<names.count, using: &random)],
      key: chance(40) ? Array("k\(requests)".utf8) : nil)
    // Another client, or a proxy, sends it as well.
    if request.key != nil, chance(10) { repeats.append(request) }
    return request
  }

  func end(_ request: SimulatedClient.Request, isRepeated: Bool) {
    if isRepeated, request.key != nil { repeats.append(request) }
  }

  /// Some change of a catalogue.
  func mutation(of catalog: Catalog) -> CatalogMutation {
    let command = application.commands[
      Int.random(in: 0..<application.commands.count, using: &random)]
    return catalog.command(command.id) == nil
      ? .declareCommand(command) : .removeCommand(command.id)
  }
}

private let names: [SessionID] = ["a", "b", "c", "d"]

// MARK: Starting and ending

extension Simulation {
  /// Starts on what is on the disk, as often as faults of the disk prevent it.
  private func open() {
    (isDown, operations, started) = (false, 0, now)
    while !isDown, failure == nil {
      let before = faults
      do throws(JournalFault) {
        try openOnce()
        return
      } catch {
        early = nil
        trace("it does not start: \(error)")
        if isDown { return }
        if hasLostPower, conditions.durability == .off, faults == before {
          // All that it promises is to notice that.
          figures.losses += 1
          (isOver, isDown) = (true, true)
          return
        }
        if faults == before { expect("it does not start: \(error)") }
        if chance(50) { spell = nil }
      }
    }
  }

  private func openOnce() throws(JournalFault) {
    var configuration = JournalConfiguration(path: disk.path)
    configuration.durability = conditions.durability
    configuration.snapshotEvery = conditions.snapshotEvery
    let clock = RetentionClock(retention: conditions.bounds.retention) { [unowned self] in
      now - started
    }
    let worker = SimulatedWorker(in: self)
    let journal = SimulatedJournal(
      try SQLiteJournal(configuration, clock: clock, worker: worker), in: self)
    early = []
    let store: SessionStore
    do throws(JournalFault) {
      store = try SessionStore(
        recovering: journal, catalog: application.catalog, keeping: conditions.bounds
      ) { [unowned self] in now - started }
    } catch {
      journal.close()
      throw error
    }
    (self.worker, self.journal, self.store) = (worker, journal, store)
    compare(store, journal)
    let early = self.early ?? []
    self.early = nil
    for (write, ticket) in early { note(write, ticket) }
    for name in names { check(store.read(name), at: name) }
  }

  private func compare(_ store: SessionStore, _ journal: SimulatedJournal) {
    let recovery = journal.recovery
    trace("it starts with \(recovery.last) records, \(recovery.notices)")
    var sessions: [String: [UInt8]] = [:]
    for edition in store.sessions {
      sessions[edition.session.id.rawValue] = (try? edition.session.stored()) ?? []
    }
    let found = Found(
      recovery: recovery, entries: journal.entries,
      catalog: recovery.last == 0 ? nil : (try? store.catalogEdition.catalog.stored()) ?? [],
      sessions: sessions)
    let mayLose = hasLostPower && conditions.durability != .full
    let result = history.recover(
      found, mayLose: mayLose, isDurable: conditions.durability == .full)
    expect(result.fault)
    if result.isLosing { figures.losses += 1 }
    for notice in recovery.notices {
      switch notice {
      case .created, .upgraded, .unfinishedWrite, .markUnreadable: continue
      case .acknowledgedMissing: if mayLose { continue }
      case .lastRecordDamaged, .recordsMissing:
        if hasLostPower, conditions.durability == .off { continue }
      }
      expect("it starts with a notice of loss: \(notice)")
    }
    history.keep(store.answers.map(\.key))
    hasLostPower = false
  }

  private func tearDown() {
    isDown = true
    for index in clients.indices { clients[index].abandon(in: self) }
    if let store { history.note(store.retentionClock.now) }
    store?.close()
    (store, journal, worker) = (nil, nil, nil)
    spell = nil
  }

  /// Ends the process or the power, and makes the disk what the next start finds.
  private func restart() {
    tearDown()
    let loss: Disk.Loss =
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: .none
      case 4: .everything
      case 5..<7: .end
      default: .some(percent: Int.random(in: 5...95, using: &random))
      }
    trace(loss == .none ? "it was killed" : "the power failed, leaving \(loss)")
    if loss != .none { hasLostPower = true }
    disk.restart(loss, seed: random.next())
    if loss != .none, chance(50) { disk.forgetMark() }
    now += Int64.random(in: 0...5000, using: &random)
  }
}

// MARK: The disk

extension Simulation {
  private func decide(_ access: Disk.Access, _ file: () -> String) -> SimulatedVerdict {
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
