import Dispatch
import Foundation
import JSONText
import Locks
import MenuEngine
import Randomness
import StoreSupport
import Synchronization
import Testing

@testable import MenuStore

/// Sessions and the catalogue after a restart.
@Suite struct SessionStoreRecoveryTests {
  @Test(arguments: SampleApplication.names, Seeds.first(2))
  func `sessions, catalogue and answers are what they were, to the byte, after every restart`(
    name: String, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let application = try SampleApplication(name)
    let place = try Place(Bed.all[Int(seed % 2)])
    let snapshotEvery = seed % 4 < 2 ? 20 : 2
    var store = try place.store(application, snapshotEvery: snapshotEvery)
    var accepted = 0
    for _ in 0..<4 {
      for _ in 0..<60 where try store.doSomething(&random) { accepted += 1 }
      let recovered = try place.reopen(store, application, snapshotEvery: snapshotEvery)
      try Self.expectSame(recovered, store)
      store = recovered
    }
    #expect(accepted > 60, "\(accepted)")
  }

  @Test(arguments: SampleApplication.names)
  func `what happens after a restart is what would have happened without`(name: String) throws {
    let application = try SampleApplication(name)
    let place = try Place(Bed.all[0])
    let without = SessionStore(catalog: application.catalog)
    var with = try place.store(application, snapshotEvery: 7)
    var (left, right) = (SeededGenerator(seed: 9), SeededGenerator(seed: 9))
    for step in 0..<200 {
      if step % 20 == 19 { with = try place.reopen(with, application, snapshotEvery: 7) }
      #expect(try with.doSomething(&left) == without.doSomething(&right))
    }
    try Self.expectSame(with, without)
  }

  @Test func `a new journal has the catalogue that it was begun with`() throws {
    let application = try SampleApplication("photo-app")
    let place = try Place()
    let store = try place.store(application)
    #expect(store.recovery?.notices == [.created(path: place.path)])
    #expect(store.sessionIDs.isEmpty)
    let recovered = try place.reopen(store, SampleApplication("recipes"))
    #expect(recovered.catalog.commands.map(\.id) == application.catalog.commands.map(\.id))
  }

  @Test func `a catalogue that says the same changes nothing, another one does`() throws {
    let application = try SampleApplication("photo-app")
    let place = try Place()
    let store = try place.store(application)
    try store.changeCatalog(by: .removeCommand(try store.declareRemovableCommand()))
    #expect(!store.wouldChange(by: application.catalog))
    let recovered = try place.reopen(store, application)
    #expect(!recovered.wouldChange(by: application.catalog))
    #expect(recovered.wouldChange(by: try SampleApplication("recipes").catalog))
  }

  @Test func `what is committed is kept`() throws {
    let application = try SampleApplication("photo-app")
    let place = try Place()
    let store = try place.store(application)
    try store.open(application.session("demo"))
    let accepted = try store.change("demo") { change in
      (try? change.apply(.mergeState(["a": 1]))) != nil
    }
    #expect(accepted == true)
    let copy = try place.copy().store(application)
    #expect(copy.session("demo")?.revision == 1)
    #expect(copy.session("demo")?.state[JSONPointer(["a"])] == 1)
  }

  @Test func `the answer of a request is kept with its change`() throws {
    let application = try SampleApplication("photo-app")
    let place = try Place()
    let store = try place.store(application)
    try store.open(application.session("demo"))
    _ = try store.change("demo") { change in
      change.entry = .sample("k")
      return (try? change.apply(.mergeState(["a": 1]))) != nil
    }
    try store.keep(.sample("refused", status: 409))
    let recovered = try place.reopen(store, application)
    #expect(recovered.session("demo")?.revision == 1)
    #expect(Set(recovered.answers) == [.sample("k"), .sample("refused", status: 409)])
  }

  @Test func `a change that refuses or applies nothing is no record`() throws {
    let application = try SampleApplication("photo-app")
    let place = try Place()
    let store = try place.store(application)
    try store.open(application.session("demo"))
    #expect(throws: JournalFault.closed) {
      _ = try store.change("demo") { _ in throw JournalFault.closed }
    }
    _ = try store.change("demo") { change in
      (try? change.apply(.removeResponder("nobody"))) != nil
    }
    #expect(try place.reopen(store, application).recovery?.last == 2)
  }

  @Test func `a record that cannot be done again is refused with its place`() throws {
    let application = try SampleApplication("photo-app")
    let place = try Place()
    let model = try place.model()
    try model.open(.catalog, Array("[1,2]".utf8))
    model.close()
    let fault = #expect(throws: JournalFault.self) { try place.store(application) }
    #expect(
      fault?.description.hasPrefix(
        "The record 1 of the catalogue cannot be read, and so nothing was. What is stored cannot be "
          + "read.") == true, "\(String(describing: fault))")
  }

  private static func expectSame(_ store: SessionStore, _ other: SessionStore) throws {
    #expect(store.sessionIDs == other.sessionIDs)
    #expect(try store.catalog.stored() == other.catalog.stored())
    for id in store.sessionIDs {
      let (session, twin) = (try #require(store.session(id)), try #require(other.session(id)))
      #expect(session.revision == twin.revision)
      #expect(try session.stored() == twin.stored())
      #expect(session.answers(in: store.catalog) == twin.answers(in: other.catalog))
    }
  }
}

/// Changes that could not be kept: there is nothing left of them.
@Suite struct SessionStoreUndoingTests {
  @Test func `after the journal was closed nothing is accepted, and all is as it was`() throws {
    let application = try SampleApplication("photo-app")
    let place = try Place()
    let store = try place.store(application)
    try store.open(application.session("demo"))
    let removable = try store.declareRemovableCommand()
    let commands = store.catalog.commands.count
    store.close()
    let before = try store.session("demo")?.stored()
    #expect(throws: JournalFault.closed) { try store.open(application.session("late")) }
    #expect(throws: JournalFault.closed) { try store.close("demo") }
    #expect(throws: JournalFault.closed) {
      _ = try store.change("demo") { change in
        (try? change.apply(.mergeState(["a": 1]))) != nil
      }
    }
    let fault = #expect(throws: CatalogChangeFault.self) {
      try store.changeCatalog(by: .removeCommand(removable))
    }
    guard case .unkept(.closed)? = fault else {
      Issue.record("\(String(describing: fault))")
      return
    }
    #expect(store.sessionIDs == ["demo"])
    #expect(try store.session("demo")?.stored() == before)
    #expect(store.catalog.commands.count == commands)
  }

  @Test func `a catalogue that a new journal did not take comes before everything else`() throws {
    let application = try SampleApplication("photo-app")
    let journal = FailingJournal()
    let store = try SessionStore(recovering: journal, catalog: application.catalog)
    defer { store.close() }
    #expect(throws: JournalFault.noRoom(path: "nowhere")) {
      try store.open(application.session("a"))
    }
    journal.succeed()
    while (try? store.open(application.session("b"))) == nil {}
    #expect(journal.subjects == [.catalog, .session("b")])
  }

  @Test func `while nothing can be written nothing is opened, and nobody waits for another`()
    async throws
  {
    // Sessions with nothing in them, since opening them is not what is looked at.
    let catalog = try CatalogDocument([:]).catalog()
    let store = try SessionStore(recovering: FailingJournal(), catalog: catalog)
    defer { store.close() }
    await withTaskGroup(of: Void.self) { group in
      for client in 0..<4 {
        group.addTask {
          for number in 0..<200 {
            guard let id = SessionID("s\(client).\(number)"),
              let session = try? Session(id, opening: SessionTemplate(), in: catalog)
            else { continue }
            _ = try? store.open(session)
          }
        }
      }
    }
    #expect(store.sessionIDs == [])
    #expect(store.fault == .noRoom(path: "nowhere"))
  }
}

/// Sessions are seen, and opened, under the catalogue of the same moment.
@Suite struct CatalogMomentTests {
  private static func declare(_ number: Int, in store: SessionStore) throws {
    let declaration: JSON = ["title": "New", "action": "new\(number):"]
    let command = try FaultLog.collecting { log in
      Command(reading: declaration, at: .root, log: log)
    }
    try store.changeCatalog(by: .declareCommand(command))
  }

  @Test func `a session and the catalogue beside it are of one moment`() throws {
    let application = try SampleApplication("photo-app")
    let store = SessionStore(catalog: application.catalog)
    try store.open(application.session("demo"))
    let isOver = Flag()
    let writer = DispatchGroup()
    DispatchQueue.global().async(group: writer) {
      for number in 0..<300 {
        try? Self.declare(number, in: store)
        _ = try? store.change("demo") { change in
          let revision = Int64(change.catalog.revision)
          _ = try? change.apply(.mergeState(["seen": .int(revision)]))
        }
      }
      isOver.set()
    }
    var looks = 0
    while !isOver.isSet {
      let look = store.read("demo")
      let session = try #require(look.session?.session)
      guard case .int(let seen)? = session.state[JSONPointer(["seen"])] else { continue }
      // The catalogue changes first, and then the session sees it.
      #expect(0...1 ~= look.catalog.catalog.revision - Int(seen))
      looks += 1
    }
    writer.wait()
    #expect(looks > 0)
  }

  @Test func `a session that was made under an older catalogue is not opened`() throws {
    let application = try SampleApplication("photo-app")
    let store = SessionStore(catalog: application.catalog)
    let look = store.read("made")
    let session = try application.session("made")
    try Self.declare(1, in: store)
    let proposal = Proposal.open(session, as: store.newOpening(), under: look.catalog)
    #expect(try store.commit(proposal).isOutdated)
    #expect(store.sessionIDs == [])
  }

  @Test func `a session that was changed under an older catalogue or edition is not changed`()
    throws
  {
    let application = try SampleApplication("photo-app")
    let store = SessionStore(catalog: application.catalog)
    try store.open(application.session("demo"))
    func change() throws -> SessionChange {
      let look = store.read("demo")
      var change = SessionChange(
        of: try #require(look.session), under: look.catalog, store.figures)
      _ = try change.apply(.mergeState(["a": 1]))
      return change
    }
    let early = try #require(try change().proposal)
    try Self.declare(1, in: store)
    #expect(try store.commit(early).isOutdated)
    let (left, right) = (try #require(try change().proposal), try #require(try change().proposal))
    #expect(try !store.commit(left).isOutdated)
    #expect(try store.commit(right).isOutdated)
    #expect(store.session("demo")?.revision == 1)
  }
}

/// Something that one thread does once and others look for.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}

/// A journal that has no room for its first batches, and keeps what it is given behind them.
private final class FailingJournal: Journal {
  let figures = JournalFigures()
  let clock = RetentionClock { 0 }
  private let state = Lock<(isFailing: Bool, kept: [JournalSubject])>((true, []))

  let histories: any Histories = NoHistories()

  /// Takes everything from now on.
  func succeed() { state.withLock { $0.isFailing = false } }

  /// The subjects of the records that are durable, in order.
  var subjects: [JournalSubject] { state.withLock(\.kept) }

  func recover(
    reading read: (JournalItem) throws(JournalFault) -> Void,
    stateOf state: (JournalSubject) -> JournalState?
  ) throws(JournalFault) -> JournalRecovery {
    JournalRecovery()
  }

  func append(
    _ writes: [JournalWrite], whenDurable publish: () -> Void
  ) throws(JournalFault) -> Bool {
    try state.withLock { (state) throws(JournalFault) in
      if state.isFailing { throw .noRoom(path: "nowhere") }
      state.kept += writes.compactMap(\.record?.subject)
    }
    publish()
    return false
  }

  func close() {}
}

extension SessionStore {
  /// A command that stands in no menu, declared for it.
  fileprivate func declareRemovableCommand() throws -> CommandID {
    let declared = try FaultLog.collecting { log in
      Command(
        reading: ["title": "New", "action": "new:"], at: .root, log: log, id: CommandID("new:"))
    }
    try changeCatalog(by: .declareCommand(declared))
    return declared.id
  }
}

extension SampleApplication {
  func session(_ id: SessionID) throws -> Session {
    try Session(id, opening: catalog.template ?? SessionTemplate(), in: catalog)
  }
}

extension Place {
  /// Opens the journal, and makes a store of what is in it.
  func store(
    _ application: SampleApplication, snapshotEvery: Int = 50
  ) throws(JournalFault) -> SessionStore {
    try SessionStore(
      recovering: journal(snapshotEvery: snapshotEvery), catalog: application.catalog)
  }

  /// Closes the journal of a store and opens it again.
  func reopen(
    _ store: SessionStore, _ application: SampleApplication, snapshotEvery: Int = 50
  ) throws(JournalFault) -> SessionStore {
    store.close()
    return try self.store(application, snapshotEvery: snapshotEvery)
  }
}
