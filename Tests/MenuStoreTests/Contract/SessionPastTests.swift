import JSONText
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
    for value in 1...3 { try store.set("a", to: Int64(value)) }
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
    #expect(try store.close("a"))
    try store.open(place.session("a"))
    #expect(try #require(store.read("a").session).opening.number != opening)
  }

  @Test(arguments: StoreBed.kept)
  func `E5: after a start the last changes are known, and those that nobody followed since`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    let (store, opening) = try restarted(place)
    try store.set("a", to: 4)
    let follower = store.follow(.session("a")) {}
    let past = follower.past
    let revisions = past.map(\.session.session.revision)
    #expect(revisions == [0, 1, 2, 3, 4])
    #expect(past.dropFirst().allSatisfy { $0.outcomes.count == 1 })
    #expect(past.dropFirst().allSatisfy { $0.session.opening.number == opening })
    #expect(Set(past.map(\.session.number)).count == revisions.count)
    guard case .commits(let commits, .session?) = follower.news(after: past[3].session.number)
    else {
      Issue.record("What was committed since is not known.")
      return
    }
    #expect(commits.map(\.revision) == [4])
    #expect(store.follow(.session("b")) {}.past.isEmpty)
    #expect(store.follow(.catalog) {}.past.isEmpty)
    place.pass(60_000)
    store.forgetUnfollowed()
    // Processes that share a journal keep it, for those who followed others.
    #expect(follower.past.isEmpty == !store.isShared)
  }

  @Test(arguments: StoreBed.alone.filter(\.isKept))
  func `E5: after a start the last 500 changes of a session are known, wherever it ended`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    var store = try place.store()
    try store.open(place.session("a"))
    var value: Int64 = 0
    // The journal replaces records by states at other places each time.
    for count in [620, 130, 640, 90] {
      for _ in 0..<count {
        value += 1
        try store.submit("a", to: value)
      }
      store.close()
      store = try place.store()
      let past = store.follow(.session("a")) {}.past
      #expect(past.last?.session.session.revision == Int(value))
      #expect(try #require(past.first).session.session.revision <= Int(value) - 500)
    }
  }

  /// The revisions of the catalogue and of the session at each moment.
  private func moments(_ past: [PastMoment]) -> [[Int]] {
    past.map { [$0.catalog.catalog.revision, $0.session.session.revision] }
  }

  @Test(arguments: StoreBed.kept)
  func `E5: changes of the catalogue are steps of the past, of quiet sessions too`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    let start = store.catalogEdition.catalog.revision
    try store.open(place.session("a"))
    try store.open(place.session("quiet"))
    try store.set("a", to: 1)
    try store.declare("one:")
    try store.set("a", to: 2)
    try store.declare("two:")
    store.close()
    let again = try place.store()
    let followers = [again.follow(.session("a")) {}, again.follow(.session("quiet")) {}]
    guard !again.isShared else {
      // Processes that share a journal know what was under the last catalogue.
      #expect(followers.map { $0.past.isEmpty } == [true, true])
      return
    }
    let expected = [
      [[0, 0], [0, 1], [1, 1], [1, 2], [2, 2]], [[0, 0], [1, 0], [2, 0]],
    ].map { $0.map { [start + $0[0], $0[1]] } }
    #expect(followers.map { moments($0.past) } == expected)
    let past = followers[0].past
    #expect(past.map(\.outcomes.count) == [0, 1, 0, 1, 0])
    #expect(past.last?.catalog === again.catalogEdition)
    #expect(past.last?.session === again.read("a").session)
  }

  @Test(arguments: StoreBed.kept)
  func `E5: a change of the catalogue after a start hides nothing that was before it`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    let (store, _) = try restarted(place)
    let before = store.catalogEdition
    try store.declare("one:")
    let past = store.follow(.session("a")) {}.past
    guard !store.isShared else {
      #expect(past.isEmpty)
      return
    }
    #expect(moments(past).map { $0[1] } == [0, 1, 2, 3, 3])
    #expect(past.dropLast().allSatisfy { $0.catalog === before })
    #expect(past.last?.catalog === store.catalogEdition)
  }

  @Test func `E5: of many changes of the catalogue the last eight are known`() throws {
    let place = try StorePlace(#require(StoreBed.kept.first))
    let store = try place.store()
    try store.open(place.session("a"))
    for number in 1...10 {
      try store.set("a", to: Int64(number))
      try store.declare("c\(number):")
    }
    store.close()
    let again = try place.store()
    let past = again.follow(.session("a")) {}.past
    let last = again.catalogEdition.catalog.revision
    #expect(moments(past).first == [last - 8, 2])
    #expect(moments(past).last == [last, 10])
  }

  @Test(arguments: StoreBed.alone.filter(\.isKept))
  func `E5: more changes than are kept hide the first of them only`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    try store.open(place.session("a"))
    for value: Int64 in 1...20 { try store.set("a", to: value) }
    store.close()
    var bounds = Follower.Bounds()
    bounds.count = 8
    let again = try place.store(following: bounds)
    let follower = again.follow(.session("a")) {}
    #expect(moments(follower.past).map { $0[1] } == Array(12...20))
    for value: Int64 in 21...24 { try again.set("a", to: value) }
    #expect(moments(follower.past).map { $0[1] } == Array(16...24))
    // The states that those commits led to are not kept.
    for value: Int64 in 25...29 { try again.set("a", to: value) }
    #expect(follower.past.isEmpty)
  }

  @Test(arguments: StoreBed.alone.filter(\.isKept))
  func `E5: each moment of the past has its catalogue, however few commits are kept`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    let start = store.catalogEdition.catalog.revision
    try store.open(place.session("a"))
    for number in 1...5 {
      try store.set("a", to: Int64(number))
      try store.declare("c\(number):")
    }
    store.close()
    var bounds = Follower.Bounds()
    bounds.count = 2
    let past = try place.store(following: bounds).follow(.session("a")) {}.past
    let known = moments(past).map { [$0[0] - start, $0[1]] }
    #expect(known == [[3, 3], [3, 4], [4, 4], [4, 5], [5, 5]])
  }

  @Test func `a store that begins has no past`() throws {
    let place = try StorePlace(StoreBed.all[0])
    let store = try place.store()
    try store.open(place.session("a"))
    try store.set("a", to: 1)
    #expect(store.follow(.session("a")) {}.past.isEmpty)
  }
}
