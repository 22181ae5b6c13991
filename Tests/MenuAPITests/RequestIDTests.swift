import MicroHTTP
import Testing

@testable import MenuAPI

struct RequestIDTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test(arguments: ["a", "0af7-65.1_~:+/=", String(repeating: "x", count: 128)])
  func `a request keeps the name that it has`(id: String) throws {
    let response = try sample.send(.get, "/nowhere", headers: [("x-request-id", id)])
    #expect(response.headers.values(of: "x-request-id") == [id])
  }

  @Test(
    .inOneProcess("Each process counts its requests."),
    arguments: [
      "", "a b", "a\u{2028}b", "a\"b", "é", String(repeating: "x", count: 129), "<script>",
    ])
  func `what is no name is left aside, and each request gets another one`(id: String) throws {
    let ids = try (0..<2).map { _ in
      try sample.send(.get, "/health", headers: [("X-Request-Id", id)]).headers["x-request-id"]
    }
    #expect(ids == ["run1-1", "run1-2"])
    #expect(try sample.send(.get, "/health").headers["x-request-id"] == "run1-3")
  }
}

extension RequestIDTests {
  @Test(.inOneProcess("Each process counts its requests."))
  func `a request without a name gets none when no log tells of it`() throws {
    let sample = try SampleService(namesRequests: false)
    #expect(try sample.send(.get, "/health").headers["x-request-id"] == nil)
    #expect(try sample.send(.get, "/nowhere").headers["x-request-id"] == nil)
    let named = try sample.send(.get, "/health", headers: [("X-Request-Id", "job-7")])
    #expect(named.headers["x-request-id"] == "job-7")
    let misnamed = try sample.send(.get, "/health", headers: [("X-Request-Id", "a b")])
    #expect(misnamed.headers["x-request-id"] == "run1-1")
  }
}

/// W3C Trace Context, 3.2.
struct TraceParentTests {
  static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  static let parent = "00f067aa0ba902b7"

  @Test(arguments: [
    ("00-\(trace)-\(parent)-01", true), ("00-\(trace)-\(parent)-00", false),
    ("00-\(trace)-\(parent)-ff", true), ("cc-\(trace)-\(parent)-01", true),
    ("cc-\(trace)-\(parent)-01-what-the-future-will-be-like", true),
  ])
  func `a valid field is read, those of later versions as far as they are known`(
    field: String, isSampled: Bool
  ) {
    let read = TraceParent(["traceparent": field])
    #expect(read?.traceID == Self.trace)
    #expect(read?.parentID == Self.parent)
    #expect(read?.isSampled == isSampled)
  }

  @Test(arguments: [
    "", "00", "00-\(trace)-\(parent)-01-more", "00-\(trace)-\(parent)-01.",
    "ff-\(trace)-\(parent)-01", "00-\(trace.uppercased())-\(parent)-01",
    "00-\(String(repeating: "0", count: 32))-\(parent)-01",
    "00-\(trace)-0000000000000000-01", "00-\(trace)-\(parent)-1", "00-\(trace)-\(parent)-0x",
    "00_\(trace)-\(parent)-01", "cc-\(trace)-\(parent)-01.what", "0é-\(trace)-\(parent)-01",
  ])
  func `an invalid one is as none`(field: String) {
    #expect(TraceParent(["traceparent": field]) == nil)
  }

  @Test func `two of them are as none`() {
    let field = "00-\(Self.trace)-\(Self.parent)-01"
    #expect(TraceParent(["traceparent": field, "Traceparent": field]) == nil)
    #expect(TraceParent([:]) == nil)
  }
}
