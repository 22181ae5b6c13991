import JSONText
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI

/// The tests of the API on several services that share a journal, which `make test-replicas` runs.
@Suite(
  PostgreSQLServer.isNeeded,
  .enabled(if: Replicas.count > 1, "MENUD_TEST_REPLICAS is not set; 'make test-replicas' sets it."))
struct ReplicasTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `the services answer in turn, each with what the others have answered`() throws {
    var prefixes: Set<Substring?> = []
    for revision in 1...2 * Int64(Replicas.count) {
      let changed = try sample.send(
        .post, "/sessions/demo/mutations",
        #"{"mutations":[{"op":"mergeState","patch":{"n":\#(revision)}}]}"#)
      #expect(try changed.value("/revision") == .int(revision))
      // Each service names requests with a word of its own.
      prefixes.insert(changed.headers["x-request-id"]?.split(separator: "-").dropLast().last)
      for _ in 0..<Replicas.count {
        #expect(try sample.send(.get, "/sessions/demo").value("/state/n") == .int(revision))
      }
    }
    #expect(prefixes.count == Replicas.count)
  }

  @Test func `D2: of those who wait for something to claim each gets another delivery`() throws {
    let desk = try DeliveryService()
    let claims = try (0..<3).map { _ in try desk.ask(.post, "/sessions/desk/deliveries/claim") }
    for count in 1...3 {
      #expect(claims.count { $0.status == nil } == 4 - count)
      try desk.perform()
    }
    #expect(claims.allSatisfy { $0.status == 200 })
    #expect(try Set(claims.map { try $0.value("/delivery/id") }) == [1, 2, 3])
  }

  @Test func `D2: claims expire at a service that had let go of the session`() throws {
    let desk = try DeliveryService()
    try desk.perform()
    try desk.change("claim")
    desk.replicas.each { $0.store.unloadIdle(forMoreThan: -1) }
    // None of them finds a delivery.
    desk.wait(1)
    #expect(try desk.states() == [#""claimed""#])
    desk.wait(30_000)
    #expect(try desk.states() == [#""open""#])
  }
}
