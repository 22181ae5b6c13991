import JSONText
import MicroHTTP
import Testing

struct SearchRouteTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `commands are found, with place, key and what matches`() throws {
    let response = try sample.send(
      .post, "/commands/search", #"{"session":"demo","query":"★★★★★","limit":1}"#)
    #expect(response.status == .ok)
    #expect(try response.value("/session") == "demo")
    #expect(try response.value("/items/0/command") == "applyFiveStarRating:")
    #expect(try response.value("/items/0/menus") == ["Image", "Rating"])
    #expect(try response.value("/items/0/key") == ["input": "5", "modifiers": ["command"]])
    #expect(try response.value("/items/0/ranges") == [[0, 5]])
    #expect(try response.value("/items/0/reason") == "enabled")
    #expect(try response.value("/items/1") == nil)
  }

  @Test func `a title of signs is found by the words of its selector`() throws {
    let response = try sample.send(
      .post, "/commands/search", #"{"session":"demo","query":"5 star"}"#)
    #expect(try response.value("/items/0/command") == "applyFiveStarRating:")
    #expect(try response.value("/items/0/ranges") == [])
    #expect(try response.value("/items/1") == nil)
  }

  @Test func `disabled ones are found when they are wanted`() throws {
    let body = #"{"session":"demo","query":"separate""#
    #expect(try sample.send(.post, "/commands/search", body + "}").value("/items") == [])
    let all = try sample.send(.post, "/commands/search", body + #","disabled":true}"#)
    #expect(try all.value("/items/0/reason") == "noAction")
  }

  @Test func `what was performed comes first, of this session only`() throws {
    try sample.openPhone()
    _ = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","command":"applyFiveStarRating:"}"#)
    let first = try sample.send(.post, "/commands/search", #"{"session":"demo","query":""}"#)
    #expect(try first.value("/items/0/command") == "applyFiveStarRating:")
    let other = try sample.send(
      .post, "/commands/search", #"{"session":"phone","query":"","disabled":true}"#)
    #expect(try other.value("/items/0/command") != "applyFiveStarRating:")
  }

  @Test func `an answer tells the total, and where the next page begins`() throws {
    func page(_ offset: Int, _ limit: Int) throws -> Response {
      try sample.send(
        .post, "/commands/search",
        #"{"session":"demo","query":"","disabled":true,"offset":\#(offset),"limit":\#(limit)}"#)
    }
    let first = try page(0, 3)
    guard case .int(let total)? = try first.value("/total") else {
      Issue.record("no total")
      return
    }
    #expect(total > 3)
    #expect(try first.value("/next") == 3)
    let second = try page(1, 2)
    #expect(try second.value("/next") == 3)
    #expect(try second.value("/items/1/command") == first.value("/items/2/command"))
    let last = try page(Int(total) - 1, 100)
    #expect(try last.value("/next") == nil)
    #expect(try last.value("/items/0/command") != nil)
    let beyond = try page(1_000_000, 1)
    #expect(try beyond.value("/total") == .int(total))
    #expect(try beyond.value("/items") == [])
    #expect(try beyond.value("/next") == nil)
  }

  @Test func `an answer that is known is not sent again`() throws {
    let body = #"{"session":"demo","query":"copy"}"#
    let tag = try #require(try sample.send(.post, "/commands/search", body).headers["etag"])
    let again = try sample.send(
      .post, "/commands/search", body, headers: [("If-None-Match", tag)])
    #expect(again.status == .notModified)
    let other = try sample.send(
      .post, "/commands/search", #"{"session":"demo","query":"paste"}"#,
      headers: [("If-None-Match", tag)])
    #expect(other.status == .ok)
  }

  @Test func `what is not a search is refused`() throws {
    try sample.refuses(
      .post, "/commands/search", #"{"session":"demo","query":"a","limit":101}"#,
      with: """
        422 /problems/invalid-body
        /limit
        Expected an integer from 1 to 100, found the number 101.
        """)
    try sample.refuses(
      .post, "/commands/search", #"{"session":"demo","query":"a","offset":-1}"#,
      with: """
        422 /problems/invalid-body
        /offset
        Expected an integer from 0 to 1000000, found the number -1.
        """)
    try sample.refuses(
      .post, "/commands/search", #"{"session":"nobody","query":"a"}"#,
      with: """
        404 /problems/unknown-session
        /session
        No session 'nobody' is open; POST /sessions opens one.
        """)
  }
}
