import CSimulatedDisk
import MenuEngine

@testable import MenuStore

/// The notes that clients and the journal make, and the fate of what is to be made durable.
extension Simulation {
  /// Ends the schedule if something is wrong.
  func expect(_ fault: String?) {
    guard let fault, failure == nil, !isDown else { return }
    failure = Failure(seed: seed, step: stepNumber, plant: plant, log: log, reason: stable(fault))
    trace("FAILURE: \(fault)")
  }

  func trace(_ text: @autoclosure () -> String) {
    guard isTracing else { return }
    print("seed \(seed), step \(stepNumber), \(now) ms: \(stable(text()))")
  }

  /// The text as it is in every run.
  private func stable(_ text: String) -> String {
    disk.map { text.replacing($0.prefix, with: "") } ?? text
  }

  func check(_ look: StoreSnapshot, at id: SessionID) { expect(history.fault(of: look, at: id)) }

  /// Notes that a batch is durable.
  func noteDurable(_ writes: [JournalWrite]) {
    guard !isDown else { return }
    trace("\(writes.count) writes are durable")
    figures.writes += writes.count
    expect(history.add(writes, at: store?.retentionClock.now ?? 0))
  }

  /// Notes what a client is told of its change.
  func settle(
    _ attempt: SimulatedClient.Attempt, _ result: Result<CommitResult, JournalFault>
  ) {
    guard !isDown else { return }
    trace("\(attempt.request): \(result)")
    attempt.result = result
    switch result {
    case .success(.committed):
      expect(history.acknowledge((try? attempt.proposal.record()) ?? nil))
      if let entry = attempt.proposal.entry { reply(with: entry) }
    case .success(.repeated(let entry)): reply(with: entry)
    case .success(.outdated), .success(.unchanged): return
    case .failure(let fault): history.refuse(fault)
    }
  }

  /// Notes an answer that a client gets.
  func reply(with entry: IdempotencyEntry) {
    expect(history.fault(of: entry))
    expect(history.reply(entry.key, entry.body))
  }

  /// Lets others go on before an operation, which ends everything if it is the last; answers whether it does not.
  func goOn() -> Bool {
    guard !isDown else { return false }
    operations += 1
    figures.operations += 1
    pause()
    if operations == end {
      trace("everything ends at operation \(operations)")
      isDown = true
    }
    return !isDown
  }

  /// The failure of a batch of the log in memory; nil if it succeeds.
  func faultOfBatch() -> JournalFault? {
    guard goOn() else { return .closed }
    guard let fault = spell?.fault(&random) else { return nil }
    figures.faults += 1
    return fault
  }

  /// The failure of an access to the disk.
  func decide(_ access: Disk.Access, _ file: () -> String) -> SimulatedVerdict {
    guard !isDown else { return .down(taking: 0) }
    figures.mix(Int(access.operation.rawValue) << 20 | access.count)
    guard goOn() else {
      return .down(taking: Int32.random(in: 0...Int32(access.count), using: &random))
    }
    if let verdict = spell?.verdict(of: access, &random) {
      trace("\(access.operation) of \(file()) fails: \(verdict.code)")
      figures.faults += 1
      return verdict
    }
    let isLie = access.operation == .flush && plant == .flushThatDoesNothing
    return isLie ? .lie : SimulatedVerdict()
  }
}
