import JSONText
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
}
