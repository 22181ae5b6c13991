import Dispatch
import JSONText
import Locks
import MenuEngine
import StoreSupport
import Testing

@testable import MenuStore

/// The contract of the store: what following costs, and when followers are woken.
@Suite struct FollowingBoundsTests {
  @Test(arguments: StoreBed.all)
  func `commits beyond the bound of bytes are dropped, but for the last one`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    var bounds = Follower.Bounds()
    bounds.size = 10_000
    let store = try place.store(following: bounds)
    let opened = try #require(try store.open(place.session("a")))
    func reader(_ commits: Int) -> FollowingReader {
      FollowingReader(of: .session("a"), in: store, after: opened.number + commits)
    }
    let readers = (0...2).map(reader)
    try store.set("a", to: 1)
    try store.fill("a", with: 9000)
    #expect(readers[0].read() == ["session at 2"])
    #expect(readers[1].read() == ["something else"])
    try store.fill("a", with: 20_000)
    try store.set("a", to: 4)
    let late = reader(3)
    #expect(late.read() == ["value 4 at 4"])
    #expect(readers[2].read() == ["session at 4"])
  }

  @Test(arguments: StoreBed.all)
  func `a commit that is larger than the bound is there until the next one`(bed: StoreBed) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    let opened = try #require(try store.open(place.session("a")))
    let readers = (0..<2).map { _ in
      FollowingReader(of: .session("a"), in: store, after: opened.number)
    }
    try store.fill("a", with: 200_000, times: 3)
    #expect(readers[0].read() == ["something else"])
    try store.set("a", to: 1)
    #expect(readers[0].read() == ["value 1 at 4"])
    #expect(readers[1].read() == ["session at 4"])
  }

  @Test func `what handlers computed counts as well`() throws {
    let bed = try StorePlace(.withoutJournal)
    var bounds = Follower.Bounds()
    bounds.size = 10_000
    let store = try bed.store(following: bounds)
    let opened = try #require(try store.open(bed.session("a")))
    let reader = FollowingReader(of: .session("a"), in: store, after: opened.number)
    let large = JSON.string(String(repeating: "x", count: 9000))
    let place = JSONPointer(["large"])
    let handler = Handler(perform: { _ in [.state(.add(path: place, value: large))] })
    let responder = try #require(store.session("a")?.graph.ids.first)
    try store.change("a") { change in
      _ = try change.apply(.putHandler(handler, for: "grow:", of: responder))
    }
    for _ in 0..<2 {
      try store.change("a") { change in
        _ = try change.apply(
          .perform(ActionRequest(.action("grow:"), to: .responder(responder), when: 0)))
      }
    }
    #expect(reader.read() == ["session at 3"])
  }

  @Test func `a commit that is dropped is not released under the lock`() throws {
    let place = try StorePlace(.withoutJournal)
    var bounds = Follower.Bounds()
    bounds.count = 2
    let store = try place.store(following: bounds)
    try store.open(place.session("a"))
    let responder = try #require(store.session("a")?.graph.ids.first)
    let follower = store.follow(.session("a")) {}
    let isLocked = Lock<[Bool]>([])
    for _ in 0..<12 {
      let witness = ReleaseWitness { [weak store] in
        guard let isFound = store?.isLocked else { return }
        isLocked.withLock { $0.append(isFound) }
      }
      let handler = Handler(perform: { _ in
        withExtendedLifetime(witness) {}
        return []
      })
      try store.change("a") { change in
        _ = try change.apply(.putHandler(handler, for: "act:", of: responder))
      }
    }
    withExtendedLifetime(follower) {}
    let found = isLocked.withLock(\.self)
    #expect(found.count >= 8 && !found.contains(true))
  }

  @Test(arguments: StoreBed.all)
  func `what nobody follows for a minute is forgotten, although nothing happens to it`(
    bed: StoreBed
  ) throws {
    let place = try StorePlace(bed)
    let store = try place.store()
    try store.open(place.session("a"))
    var follower: Follower? = store.follow(.session("a")) {}
    let other = store.follow(.catalog) {}
    place.pass(61_000)
    store.forgetUnfollowed()
    #expect(store.followedSubjects == [.catalog, .session("a")])
    withExtendedLifetime(follower) {}
    follower = nil
    place.pass(60_000)
    store.forgetUnfollowed()
    #expect(store.followedSubjects == [.catalog, .session("a")])
    place.pass(1)
    store.forgetUnfollowed()
    #expect(store.followedSubjects == [.catalog])
    withExtendedLifetime(other) {}
  }
}

extension StoreBed {
  fileprivate static let withoutJournal = all[0]
}

extension SessionStore {
  /// Sets members of a session's state to texts of a length, in one commit.
  fileprivate func fill(_ id: SessionID, with count: Int, times: Int = 1) throws {
    let mutations = (0..<times).map { number in
      let text = String(repeating: number.isMultiple(of: 2) ? "x" : "y", count: count)
      return Mutation.mergeState(["text": .string(text)])
    }
    try #require(try change(id) { _ = try $0.apply(mutations) })
  }

  /// The subjects whose commits are kept.
  fileprivate var followedSubjects: Set<Follower.Subject> { withWorld { Set($0.rings.keys) } }

  /// True if the world is locked, also by this thread.
  fileprivate var isLocked: Bool {
    let look = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      _ = self.count
      look.signal()
    }
    return look.wait(timeout: .now() + 1) == .timedOut
  }
}

/// Tells when it is released.
private final class ReleaseWitness: Sendable {
  private let note: @Sendable () -> Void

  init(_ note: @escaping @Sendable () -> Void) { self.note = note }

  deinit { note() }
}
