import JSONText
import MenuStore
import MicroHTTP
import Randomness
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MenuEngine
@testable import RandomSessions

/// A client that begins with `reset` and applies each `change` holds what GET answers, to the byte (E1), however
/// slowly it reads and however often its connection breaks.
@Suite struct EventMirrorTests {
  private static let length = 150

  /// A selection of a session, with a name.
  private static func named(
    _ name: String, _ parts: EventSubscription? = nil, in session: SessionID = "s",
    _ select: (inout EventSubscription) -> Void = { _ in }
  ) -> EventSubscription {
    var selection = parts ?? EventSubscription(session)
    selection.name = EventSubscription.Name(name)
    select(&selection)
    return selection
  }

  private static func play(
    _ first: Session, _ catalog: Catalog, seed: UInt64, _ next: (Session) throws -> Mutation
  ) throws -> (changes: Int, resets: Int) {
    let service = try Service.ofOne(first, in: catalog)
    var whole = EventSubscription(first.id)
    whole.hasDocument = true
    whole.menu = EventSubscription.MenuQuestion(id: Menu.rootIdentifier, kind: .main)
    whole.commands = catalog.commands.map(\.id)
    var held = whole
    (held.hasDocument, held.modifiers) = (false, KeyModifiers.Name.shift.modifier)
    func channel(_ subscription: EventSubscription) -> EventChannel {
      EventChannel(
        subscription, of: service.store,
        beside: service.sessions.live(first.id, of: service.store),
        in: service.events.environment)
    }
    let present = PresentAnswers(of: service)
    // One stream tells all of these.
    var several = EventMirror(
      channel(whole), channel(named("held", held)),
      channel(named("context") { $0.menu = .init(id: Menu.rootIdentifier, kind: .context) }),
      channel(named("open") { $0.deliveries = [.open] }),
      channel(named("keys") { $0.keys = .other }), channel(named("tools") { $0.hasTools = true }),
      channel(named("work") { $0.deliveries = [.claimed, .replied, .failed, .cancelled] }),
      comparedWith: present)
    // The first three share a channel.
    let shared = channel(whole)
    var steady = EventMirror(shared, comparedWith: present)
    var breaking = EventMirror(shared, comparedWith: present)
    var lagging = EventMirror(shared, comparedWith: present)
    var slow = EventMirror(channel(whole), comparedWith: present)
    var other = EventMirror(channel(held), comparedWith: present)
    var generator = SeededGenerator(seed: seed)
    for turn in 0..<length {
      let session = try #require(service.store.session("s"))
      let isList = Int.random(in: 0..<4, using: &generator) == 0
      let mutations = try (0..<(isList ? 3 : 1)).map { _ in try next(session) }
      let request = isList ? SessionRequest(mutations) : SessionRequest(mutations[0])
      let headers: Headers = request.body == nil ? [:] : ["Content-Type": request.type]
      _ = service.respond(
        to: try Request(
          request.method, request.target, headers: headers, body: Array((request.body ?? "").utf8)))
      present.forget()
      lazy var comment = "seed \(seed), turn \(turn), after \(request)"
      try steady.read()
      try steady.compare(comment)
      if Int.random(in: 0..<3, using: &generator) == 0 {
        breaking.reconnect()
        try breaking.read()
        try breaking.compare("broken: \(comment)")
      }
      if turn % 37 == 36 {
        try lagging.read()
        try lagging.compare("lagging: \(comment)")
      }
      if turn.isMultiple(of: 10) {
        try slow.read()
        try slow.compare("slow: \(comment)")
      }
      try other.read()
      try other.compare("held: \(comment)")
      // Its connection breaks wherever it is, between two events of one revision too.
      if Int.random(in: 0..<4, using: &generator) == 0 {
        try several.read(atMost: Int.random(in: 0..<4, using: &generator))
        several.reconnect()
      }
      if turn % 5 != 4 {
        try several.read()
        try several.compare("several: \(comment)")
      }
    }
    #expect(several.resets == 7)
    // One event is a reset, for a position that is no longer kept; all others are changes.
    #expect(steady.resets == 1)
    #expect(breaking.resets == 1)
    #expect(lagging.resets <= 1)
    // Many events are told as one.
    #expect(lagging.changes < max(steady.changes, 17))
    return (steady.changes, breaking.resets + slow.resets)
  }

  @Test func `E1: subscribers hold what GET answers, whatever happens to the session`() throws {
    var changes = 0
    for seed in Seeds.first(2) {
      let systems = try SystemsSession.open(hasManagers: seed.isMultiple(of: 2))
      var mutations = RandomMutations(seed: seed, isExact: false)
      changes += try Self.play(systems.session, systems.catalog, seed: seed) {
        mutations.next(for: $0)
      }.changes
      var plans = RandomPlans(seed: seed)
      let ruled = try plans.open()
      changes += try Self.play(ruled.session, ruled.catalog, seed: seed) {
        try plans.mutation(of: $0)
      }.changes
      var talks = RandomTalks(seed: seed)
      let talking = try talks.open()
      changes += try Self.play(talking.session, talking.catalog, seed: seed) {
        try talks.mutation(of: $0, in: talking.catalog)
      }.changes
    }
    print("events: \(changes) changes were told")
    #expect(changes > 200)
  }
}
