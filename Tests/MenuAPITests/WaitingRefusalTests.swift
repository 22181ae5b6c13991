import JSONText
import MenuStore
import MicroHTTP
import Testing

@testable import MenuAPI

/// A request that waited, and whose change is rolled back in the end.
@Suite(.inOneProcess("The test says when its journal writes, and what fails."))
struct WaitingRefusalTests {
  private let journal = ScriptedJournal()

  @Test func `a claim that waited and cannot be kept is refused with the fields of every answer`()
    throws
  {
    var authorization = Authorization()
    authorization.origins = Origins(["https://menus.example.org"])
    let sample = try SampleService(
      authorization: authorization, journal: journal,
      runLater: { job in
        job()
        return true
      })
    journal.succeed()
    let handler = #"{"perform":[{"op":"deliver","value":"'paper'"}]}"#
    let put = try sample.ask(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:", handler)
    journal.succeed()
    #expect(put.status == .ok)
    let claimed = try sample.ask(
      .post, "/sessions/demo/deliveries/claim", "{}",
      headers: [
        ("Prefer", "wait=10"), ("Origin", "https://menus.example.org"), ("X-Request-Id", "mine"),
      ])
    #expect(claimed.response == nil)
    let performed = try sample.ask(
      .post, "/commands/perform", #"{"session":"demo","command":"copy:"}"#)
    journal.succeed()
    #expect(performed.status == .ok)
    #expect(claimed.response == nil)
    journal.fail()
    let response = try #require(claimed.response)
    #expect(response.status == .insufficientStorage)
    #expect(response.headers["x-request-id"] == "mine")
    #expect(response.headers["access-control-allow-origin"] == "https://menus.example.org")
    #expect(response.headers["vary"] == "Origin")
  }

  @Test func `D2: claims that wait keep their order while one of them is made durable`() throws {
    let sample = try SampleService(
      journal: journal,
      runLater: { job in
        job()
        return true
      })
    journal.succeed()
    _ = try sample.ask(
      .put, "/sessions/demo/responders/photoGrid/handlers/copy:",
      #"{"perform":[{"op":"deliver","value":"'paper'"}]}"#)
    journal.succeed()
    func claim() throws -> Asked {
      try sample.ask(
        .post, "/sessions/demo/deliveries/claim", "{}", headers: [("Prefer", "wait=10")])
    }
    func deliver() throws {
      _ = try sample.ask(.post, "/commands/perform", #"{"session":"demo","command":"copy:"}"#)
      journal.succeed()
    }
    var claims = try (0..<3).map { _ in try claim() }
    try deliver()
    // The first claim is being made durable.
    claims.append(try claim())
    for answered in 1...4 {
      #expect(claims.count { $0.status == nil } == 5 - answered)
      journal.succeed()
      #expect(claims.prefix(answered).allSatisfy { $0.status == .ok })
      if answered < 4 { try deliver() }
    }
    #expect(
      try claims.map { try $0.response?.value("/delivery/id") } == [1, 2, 3, 4])
  }
}
