import MenuEngine

@testable import MenuStore

/// The notes that clients and the journal make.
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
  func withoutFolder(_ text: String) -> String {
    text.replacing(disk.prefix, with: "")
  }

  func check(_ look: StoreSnapshot, at id: SessionID) { expect(history.fault(of: look, at: id)) }

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
    tickets[number] = ticket
    ticket.whenSettled { [self] outcome in
      guard !isDown else { return }
      trace("write \(number) is settled: \(outcome)")
      history.settle(number, outcome)
      pause()
    }
  }

  /// True if a write is durable.
  func isDurable(_ number: Int) -> Bool { tickets[number]?.isDurable ?? true }

  func noteTakenBack(_ number: Int) {
    guard !isDown else { return }
    trace("write \(number) is taken back")
    worker?.isGathering = false
    expect(history.takeBack(number))
  }
}
