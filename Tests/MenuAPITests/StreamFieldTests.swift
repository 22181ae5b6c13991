import MicroHTTP
import Testing

@testable import MenuAPI

/// The fields that keep proxies and caches from holding up streams.
struct StreamFieldTests {
  @Test(arguments: [
    "/sessions/demo/events", "/sessions/demo/events?document=true", "/events?sessions=demo",
    "/sessions/demo/mcp",
  ])
  func `a stream tells proxies not to buffer it`(path: String) throws {
    let sample = try SampleService()
    let answer = StreamedAnswer(sample.replicas.answer(to: try Request(.get, path)))
    #expect(answer.headers["content-type"] == "text/event-stream")
    #expect(answer.headers["x-accel-buffering"] == "no")
    #expect(answer.headers["cache-control"] == "no-store")
  }

  @Test func `the stream of an agent's call and of its subscription tell it, too`() throws {
    let export = try ExportSample()
    let call = try export.request()
    let body =
      #"{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{\#(SampleService.meta),"notifications":{}}}"#
    let listen = try Request(
      .post, "/sessions/demo/mcp",
      headers: [
        "Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "subscriptions/listen",
      ], body: Array(body.utf8))
    for request in [call, listen] {
      let answer = StreamedAnswer(export.sample.replicas.answer(to: request))
      #expect(answer.headers["content-type"] == "text/event-stream")
      #expect(answer.headers["x-accel-buffering"] == "no")
    }
  }
}
