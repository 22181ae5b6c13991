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
    try store.commit(.open(place.session("a"), as: store.newOpening(), under: before.catalog))
    let opened = store.read("a")
    #expect(opened.count == 1 && opened.catalog === before.catalog)
    let edition = try #require(opened.session)
    #expect(edition.number > before.catalog.number)
    try store.set("a", to: 1)
    let changed = try #require(store.read("a").session)
    #expect(changed.number > edition.number && changed.opening === edition.opening)
    #expect(changed.session.revision == 1 && edition.session.revision == 0)
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
    #expect(try store.commit(proposal).isCommitted)
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
    _ = try store.commit(store.proposal(changing: "a", to: 1, entry: first))
    let second = IdempotencyEntry.sample("key", status: 201, expiry: .max)
    let result = try store.commit(store.proposal(changing: "a", to: 2, entry: second))
    guard case .repeated(first) = result else {
      Issue.record("It is carried out twice.")
      return
    }
    #expect(store.session("a")?.state[JSONPointer(["value"])] == 1)
    #expect(store.answer(under: first.key) == first)
  }

  @Test(arguments: StoreBed.kept)
  func `whatever is durable is there after a restart, with the answers`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    for id: SessionID in ["a", "b", "c"] { try store.open(place.session(id)) }
    try store.set("a", to: 1)
    try store.close("b")
    let entry = IdempotencyEntry.sample("key", expiry: .max)
    _ = try store.commit(store.proposal(changing: "c", to: 3, entry: entry))
    let stored = try ["a", "c"].map { try store.session($0)?.stored() }
    store.close()
    let recovered = try place.store()
    #expect(recovered.sessionIDs == ["a", "c"])
    #expect(try ["a", "c"].map { try recovered.session($0)?.stored() } == stored)
    // Processes that share a journal read answers when they are asked for.
    #expect(recovered.refresh([], keys: [entry.key]).wait() == .durable)
    #expect(recovered.answer(under: entry.key) == entry)
    #expect(try store.catalog.stored() == recovered.catalog.stored())
  }

  @Test(arguments: StoreBed.failing)
  func `nothing is shown before it is durable, and nothing is left of what cannot be`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    for id: SessionID in ["a", "gone"] { try store.open(place.session(id)) }
    let (before, gone) = (store.read("a"), store.read("gone"))
    place.become(.held)
    let entry = IdempotencyEntry.sample("key", expiry: .max)
    let closing = Proposal.close(try #require(gone.session), under: gone.catalog)
    let opening = Proposal.open(
      try place.session("new"), as: store.newOpening(), under: gone.catalog)
    let pending = [
      try store.submit(store.proposal(changing: "a", to: 1, entry: entry)),
      try store.submit("a", to: 2), try store.submit(closing), try store.submit(opening),
    ]
    func expectNothing() {
      #expect(store.read("a").session === before.session)
      #expect(store.read("gone").session === gone.session)
      #expect(store.read("new").session == nil && store.count == 2)
      #expect(store.answer(under: entry.key) == nil)
    }
    expectNothing()
    #expect(pending.allSatisfy { $0.outcome == nil })
    place.become(.failing)
    for commit in pending { #expect(commit.fault() != nil) }
    expectNothing()
    #expect(store.fault != nil)
    place.become(.well)
    try store.set("a", to: 3)
    let after = try #require(store.read("a").session)
    #expect(after.session.revision == 1)
    #expect(after.number > before.session?.number ?? .max)
    #expect(store.fault == nil)
  }

  @Test(arguments: StoreBed.failing)
  func `a batch's later changes stand on its earlier ones, which nobody else sees`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    try store.open(place.session("a"))
    place.become(.held)
    let remade = store.figures.remade.value
    let pending = try (1...5).map { try store.submit("a", to: $0) }
    #expect(store.read("a").session?.session.revision == 0)
    place.become(.well)
    for commit in pending { #expect(try commit.wait().get().isCommitted) }
    #expect(store.session("a")?.revision == 5)
    #expect(store.session("a")?.state[JSONPointer(["value"])] == 5)
    #expect(store.figures.remade.value == remade + 4)
  }
}
