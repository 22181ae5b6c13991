import MenuEngine
import StoreSupport
import Testing

@testable import MenuStore

/// The contract of the store: what followers from before a restart are told.
@Suite struct SessionPastTests {
  /// A store that was started again after a session had three changes, and the number of its opening before.
  private func restarted(_ place: StorePlace) throws -> (store: SessionStore, opening: Int?) {
    let store = try place.store()
    try store.open(place.session("a"))
    for value in 1...3 { #expect(try store.set("a", to: Int64(value)).wait() == .durable) }
    let opening = store.read("a").session?.opening.number
    store.close()
    return (try place.store(), opening)
  }

  @Test(arguments: StoreBed.kept)
  func `E3: a restart keeps the number of an opening`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let (store, opening) = try restarted(place)
    let session = try #require(store.read("a").session)
    #expect(session.opening.number == opening)
    #expect(session.session.openingNumber == opening)
    // Another opening has another number.
    #expect(try #require(try store.close("a")).wait() == .durable)
    #expect(try store.open(place.session("a"))?.ticket.wait() == .durable)
    #expect(try #require(store.read("a").session).opening.number != opening)
  }

  @Test(arguments: StoreBed.kept)
  func `E5: after a start the last changes are known, and those that nobody followed since`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    let (store, opening) = try restarted(place)
    #expect(try store.set("a", to: 4).wait() == .durable)
    let follower = store.follow(.session("a")) {}
    let past = try #require(follower.past)
    #expect(past.first.session.revision == 0)
    // Processes that share a journal know each of the later ones too, for those who followed others.
    let revisions = past.steps.map(\.session.session.revision)
    #expect(revisions == (store.sharedPosition == nil ? [1, 2, 3] : [1, 2, 3, 4]))
    #expect(past.steps.allSatisfy { $0.outcomes.count == 1 })
    #expect(past.steps.allSatisfy { $0.session.opening.number == opening })
    let numbers = Set(past.steps.map(\.session.number) + [past.first.number])
    #expect(numbers.count == revisions.count + 1)
    guard case .commits(let commits, .session?) = follower.news(after: past.steps[2].session.number)
    else {
      Issue.record("What was committed since is not known.")
      return
    }
    #expect(commits.map(\.revision) == [4])
    #expect(store.follow(.session("b")) {}.past == nil)
    #expect(store.follow(.catalog) {}.past == nil)
    place.pass(60_000)
    store.forgetUnfollowed()
    // Processes that share a journal keep it, for those who followed others.
    #expect((follower.past == nil) == (store.sharedPosition == nil))
  }

  @Test(arguments: StoreBed.kept)
  func `nothing is known from under another catalogue`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let (store, _) = try restarted(place)
    let base = store.catalogEdition
    let ticket = try store.commit(
      .changeCatalog(base, by: .editMenus([]), to: base.catalog)
    ).ticket()
    #expect(ticket.wait() == .durable)
    #expect(store.follow(.session("a")) {}.past == nil)
  }

  @Test func `a store that begins has no past`() throws {
    let place = try StorePlace(StoreBed.all[0])
    let store = try place.store()
    try store.open(place.session("a"))
    try store.set("a", to: 1)
    #expect(store.follow(.session("a")) {}.past == nil)
  }
}
