import JSONText
import MenuEngine
import StoreSupport
import Testing

@testable import MenuStore

/// The contract of the store: reading, committing, rolling back, recovering and keeping answers. Following has
/// tests of its own (`FollowingContractTests`).
@Suite struct StoreContractTests {
  @Test(arguments: StoreBed.all)
  func `a commit is read, and its edition is newer than those before`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    let before = store.read("a")
    #expect(before.session == nil && before.count == 0)
    let ticket = try store.commit(
      .open(place.session("a"), as: store.newOpening(), under: before.catalog)
    ).ticket()
    #expect(ticket.wait() == .durable)
    let opened = store.read("a")
    #expect(opened.count == 1 && opened.catalog === before.catalog)
    let edition = try #require(opened.session)
    #expect(edition.number > before.catalog.number)
    #expect(try store.set("a", to: 1).wait() == .durable)
    let changed = try #require(store.read("a").session)
    #expect(changed.number > edition.number && changed.opening === edition.opening)
    #expect(changed.session.revision == 1 && edition.session.revision == 0)
    #expect(changed.ticket.wait() == .durable)
  }

  @Test(arguments: StoreBed.all)
  func `of two commits that were made from one edition the second is outdated`(bed: StoreBed)
    throws
  {
    let place = try StorePlace(bed)
    let store = try place.store()
    let catalog = store.catalogEdition
    let opening = Proposal.open(
      try place.session("a"), as: store.newOpening(), under: catalog)
    try Self.expectSecondOutdated(of: opening, in: store)
    try Self.expectSecondOutdated(of: store.proposal(changing: "a", to: 1), in: store)
    let late = try store.proposal(changing: "a", to: 2)
    let declaration = Proposal.changeCatalog(
      catalog, by: .editMenus([]), to: catalog.catalog)
    try Self.expectSecondOutdated(of: declaration, in: store)
    #expect(try store.commit(late).isOutdated)
    #expect(try store.commit(opening).isOutdated)
    let closing = Proposal.close(
      try #require(store.read("a").session), under: store.catalogEdition)
    try Self.expectSecondOutdated(of: closing, in: store)
    #expect(store.count == 0)
  }

  private static func expectSecondOutdated(of proposal: Proposal, in store: SessionStore) throws {
    _ = try store.commit(proposal).ticket()
    #expect(try store.commit(proposal).isOutdated)
  }

  @Test(arguments: StoreBed.all)
  func `no more sessions are opened than a proposal allows`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    for id: SessionID in ["a", "b"] {
      let proposal = Proposal.open(
        try place.session(id), as: store.newOpening(), under: store.catalogEdition, atMost: 1)
      #expect(try store.commit(proposal).isOutdated == (id == "b"))
    }
    #expect(store.sessionIDs == ["a"])
  }

  @Test(arguments: StoreBed.all)
  func `a commit under the key of a kept answer changes nothing, and gets that answer`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    try store.open(place.session("a"))
    let first = IdempotencyEntry.sample("key", expiry: .max)
    _ = try store.commit(store.proposal(changing: "a", to: 1, entry: first)).ticket()
    let second = IdempotencyEntry.sample("key", status: 201, expiry: .max)
    let result = try store.commit(store.proposal(changing: "a", to: 2, entry: second))
    guard case .repeated(let kept, let ticket) = result else {
      Issue.record("It is carried out twice.")
      return
    }
    #expect(kept == first && ticket.wait() == .durable)
    #expect(store.session("a")?.state[JSONPointer(["value"])] == 1)
    #expect(store.answer(under: first.key)?.entry == first)
  }

  @Test(arguments: StoreBed.kept)
  func `whatever is durable is there after a restart, with the answers`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    for id: SessionID in ["a", "b", "c"] { try store.open(place.session(id)) }
    try store.set("a", to: 1)
    try store.close("b")
    let entry = IdempotencyEntry.sample("key", expiry: .max)
    _ = try store.commit(store.proposal(changing: "c", to: 3, entry: entry)).ticket()
    let stored = try ["a", "c"].map { try store.session($0)?.stored() }
    store.close()
    let recovered = try place.store()
    #expect(recovered.sessionIDs == ["a", "c"])
    #expect(try ["a", "c"].map { try recovered.session($0)?.stored() } == stored)
    #expect(recovered.answer(under: entry.key)?.entry == entry)
    let read = recovered.read("a")
    #expect(read.session?.ticket.isDurable == true && read.catalog.ticket.isDurable)
    #expect(try store.catalog.stored() == recovered.catalog.stored())
  }

  @Test(arguments: StoreBed.failing)
  func `a commit that cannot be made durable is rolled back, and nothing is left of it`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    for id: SessionID in ["a", "gone"] {
      #expect(try store.open(place.session(id))?.ticket.wait() == .durable)
    }
    let (before, gone) = (store.read("a"), store.read("gone"))
    place.become(.held)
    let entry = IdempotencyEntry.sample("key", expiry: .max)
    let tickets = [
      try store.commit(store.proposal(changing: "a", to: 1, entry: entry)).ticket(),
      try store.set("a", to: 2), try #require(try store.close("gone")),
      try #require(try store.open(place.session("new"))).ticket,
    ]
    let rolledBack = try #require(store.read("a").session)
    #expect(tickets.allSatisfy { $0.outcome == nil })
    place.become(.failing)
    for ticket in tickets { #expect(ticket.wait() != .durable) }
    #expect(store.read("a").session === before.session)
    #expect(store.read("gone").session === gone.session)
    #expect(store.read("new").session == nil && store.count == 2)
    #expect(store.answer(under: entry.key) == nil)
    #expect(store.fault != nil)
    place.become(.well)
    let ticket = try store.set("a", to: 3)
    #expect(ticket.wait() == .durable)
    let after = try #require(store.read("a").session)
    #expect(after.session.revision == 1 && after.number > rolledBack.number)
    #expect(store.fault == nil)
  }
}

extension CommitResult {
  fileprivate var isOutdated: Bool { if case .outdated = self { true } else { false } }
}
