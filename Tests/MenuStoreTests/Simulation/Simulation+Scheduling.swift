import MenuEngine

@testable import MenuStore

/// The scheduler: it decides which client, follower or batch goes on, and with which request.
extension Simulation {
  func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  /// Lets clients go on, as other threads may at this moment.
  func pause() {
    guard !isDown, !isPausing, store != nil, chance(conditions.interleaving) else { return }
    isPausing = true
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      if chance(20) { stepFollower() } else { stepClient() }
    }
    isPausing = false
  }

  func stepClient() {
    guard let store, failure == nil else { return }
    stepNumber += 1
    let index = Int.random(in: 0..<clients.count, using: &random)
    figures.mix(index)
    clients[index].step(in: self, on: store)
  }

  /// Lets somebody begin or stop to follow, or a follower go on.
  func stepFollower() {
    guard let store, failure == nil else { return }
    if followers.isEmpty || chance(10) {
      let index = Int.random(in: 0...Self.names.count, using: &random)
      let subject: Follower.Subject =
        index < Self.names.count ? .session(Self.names[index]) : .catalog
      followers.append(SimulatedFollower(subject, of: store))
      return
    }
    let index = Int.random(in: 0..<followers.count, using: &random)
    if chance(5) {
      followers.remove(at: index)
    } else {
      followers[index].step(in: self, atMost: [1, 3, 256][Int.random(in: 0..<3, using: &random)])
    }
  }

  /// One life of the process.
  func live() {
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
      expect(history.faultOfUnclaimed)
    }
    for index in followers.indices where !isDown && failure == nil {
      followers[index].step(in: self, atMost: .max)
    }
  }

  func turn() {
    stepNumber += 1
    let choice = Int.random(in: 0..<100, using: &random)
    figures.mix(choice)
    if spell != nil, chance(15) { spell = nil }
    switch choice {
    case 0..<4: if conditions.hasFaults { spell = FaultSpell(&random) }
    case 4..<6: store?.forgetUnfollowed()
    case 6..<12: now += chance(10) ? 61_000 : Int64.random(in: 1...1500, using: &random)
    case 12..<26: stepFollower()
    case 26..<65: stepClient()
    default:
      if let worker, worker.isDue { step(worker) } else { stepClient() }
    }
  }

  private func step(_ worker: SimulatedWorker) {
    trace("the writer goes on")
    worker.step()
    expect(history.faultOfUnclaimed)
    if store?.fault == nil, let fault = journal?.lastFault {
      expect("the store says nothing of \(fault)")
    }
  }

  /// The next request of a client: a new one, or one with a key whose outcome nobody knows.
  func nextRequest() -> SimulatedClient.Request {
    if !repeats.isEmpty, chance(50) { return repeats.removeFirst() }
    requests += 1
    let kinds: [SimulatedClient.Request.Kind] = [
      .open, .open, .change, .change, .change, .close, .expire, .changeCatalog, .read, .read,
    ]
    let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
    let request = SimulatedClient.Request(
      number: requests, kind: kind,
      session: Self.names[Int.random(in: 0..<Self.names.count, using: &random)],
      key: kind != .expire && chance(40) ? Array("k\(requests)".utf8) : nil,
      isRemade: chance(50))
    // Another client, or a proxy, sends it as well.
    if request.key != nil, chance(10) { repeats.append(request) }
    return request
  }

  /// Some change of a catalogue.
  func mutation(of catalog: Catalog) -> CatalogMutation {
    let command = application.commands[
      Int.random(in: 0..<application.commands.count, using: &random)]
    return catalog.command(command.id) == nil
      ? .declareCommand(command) : .removeCommand(command.id)
  }
}
