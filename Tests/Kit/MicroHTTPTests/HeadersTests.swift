import Testing

@testable import MicroHTTP

struct HeadersTests {
  private let headers: Headers = ["Accept": "a", "X": " 1\t", "accept": "b", "Empty": ""]

  @Test func `the first of a name is found without regard to case`() {
    #expect(headers["ACCEPT"] == "a")
    #expect(headers["empty"] == "")
    #expect(headers["Accep"] == nil)
    #expect(headers["Accept-"] == nil)
  }

  @Test func `all of a name are found in their order`() {
    #expect(headers.values(of: "accept") == ["a", "b"])
    #expect(headers.values(of: "none") == [])
  }

  @Test func `fields keep their order and lose the spaces around values`() {
    let lines = headers.fields.map { "\($0.name):\($0.value)" }
    #expect(lines == ["Accept:a", "X:1", "accept:b", "Empty:"])
    #expect(headers.count == 4)
  }

  @Test func `a response's own fields take the place of the common ones`() {
    let common: Headers = ["EMPTY": "c", "X-Other": "c"]
    #expect(common.mayShareNames(with: headers))
    #expect(common.fields(besides: headers).map(\.name) == ["X-Other"])
    let response = Response(headers: headers)
    let text = String(decoding: response.bytes(at: .now, with: common), as: UTF8.self)
    #expect(text.contains("Empty: \r\nX-Other: c\r\n"))
    #expect(!text.contains("EMPTY"))
  }

  @Test func `no fields are none`() {
    #expect(Headers().fields.isEmpty)
    #expect(Headers()["a"] == nil)
  }

  // Under the thread sanitizer alone this can fail.
  @Test func `threads that read requests without fields share nothing that is written`() {
    let threads = (0..<2).map { _ in
      Background { for _ in 0..<1000 { _ = Headers(size: 0) { _ in }.fields.count } }
    }
    for thread in threads { thread.join() }
    #expect(Headers(size: 0) { _ in }.fields.isEmpty)
  }
}
