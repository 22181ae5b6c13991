import MicroHTTP
import Testing

@testable import MenuAPI

/// Requests with large bodies, of which nothing is read but the head.
@Suite(.inOneProcess("The head is looked at by the process that has the connection."))
struct AdmissionTests {
  private func refusal(
    _ sample: SampleService, _ method: MicroHTTP.Method, _ target: String, _ headers: Headers = [:]
  ) throws -> Int? {
    try sample.service.refusal(byHeadOf: Request(method, target, headers: headers))?
      .status.rawValue
  }

  @Test func `a body that would be refused is not read`() throws {
    let sample = try SampleService(authorization: .closed)
    let bearer = try sample.openWithToken("tablet")[0].1
    let patch = "/sessions/tablet/state"
    let administrator: Headers = ["Authorization": "Bearer adminadminadmin1"]
    #expect(try refusal(sample, .patch, patch) == 401)
    #expect(try refusal(sample, .patch, patch, ["Authorization": "Bearer unknown1unknown1"]) == 401)
    #expect(try refusal(sample, .patch, patch, ["Authorization": bearer]) == nil)
    #expect(try refusal(sample, .patch, patch, administrator) == nil)
    #expect(try refusal(sample, .post, "/sessions", ["Authorization": bearer]) == 403)
    #expect(try refusal(sample, .post, "/nowhere", administrator) == 404)
    #expect(try refusal(sample, .put, "/sessions", administrator) == 405)
    #expect(try refusal(sample, .patch, patch, ["Host": "elsewhere.example"]) == 421)
  }

  @Test func `a repetition of what closed the session of its token is read`() throws {
    let sample = try SampleService(authorization: .closed)
    let headers: Headers = ["Authorization": "Bearer unknown1unknown1", "Idempotency-Key": "a"]
    #expect(try refusal(sample, .post, "/commands/perform", headers) == nil)
  }

  @Test func `without tokens the origin decides`() throws {
    let sample = try SampleService()
    let patch = "/sessions/demo/state"
    #expect(try refusal(sample, .patch, patch) == nil)
    #expect(try refusal(sample, .patch, patch, ["Origin": "https://elsewhere.example"]) == 403)
  }

  @Test func `a refusal by the head is counted with its route`() throws {
    let sample = try SampleService(authorization: .closed)
    _ = try refusal(sample, .patch, "/sessions/demo/state")
    let page = String(decoding: sample.service.metricsPage, as: UTF8.self)
    #expect(
      page.contains(
        #"menud_http_requests_total{route="/sessions/{session}/state",method="PATCH",status="401"} 1"#
      ))
  }

  @Test func `OPTIONS * tells the methods of the server`() throws {
    let sample = try SampleService()
    let response = sample.service.respond(to: try Request(.options, "*"))
    #expect(response.status == .noContent)
    #expect(response.headers["allow"] == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
  }

  @Test func `the host of an absolute target counts, and Host does not`() throws {
    let sample = try SampleService()
    let answer = { (target: String, host: String) throws in
      sample.service.respond(to: try Request(.get, target, headers: ["Host": host])).status
    }
    #expect(try answer("http://localhost:8080/sessions/demo", "elsewhere.example") == .ok)
    #expect(try answer("http://elsewhere.example/sessions/demo", "localhost").rawValue == 421)
  }
}
