import JSONText
import MicroHTTP
import Testing

struct ServiceRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test func `a path that leads nowhere says where to look`() throws {
    try sample.refuses(
      .get, "/nowhere",
      with: #"""
        404 /problems/unknown-path
        There is nothing at '/nowhere'; GET /openapi.json lists what there is.
        """#)
  }

  @Test func `a slash at the end is another path`() throws {
    try sample.refuses(
      .get, "/commands/",
      with: #"""
        404 /problems/unknown-path
        There is nothing at '/commands/'; GET /openapi.json lists what there is.
        """#)
  }

  @Test func `an empty name is none`() throws {
    try sample.refuses(
      .get, "/commands//x",
      with: #"""
        404 /problems/unknown-path
        There is nothing at '/commands//x'; GET /openapi.json lists what there is.
        """#)
  }

  @Test func `a method that a path does not have is refused with those that it has`() throws {
    try sample.refuses(
      .post, "/commands/copy:", #"{}"#,
      with: #"""
        405 /problems/method-not-allowed
        POST is not among the methods here: GET, HEAD, PUT, DELETE, OPTIONS.
        """#)
  }

  @Test func `a body of another type is refused with the way out`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"{}"#, type: "text/plain",
      with: #"""
        415 /problems/unsupported-media-type
        The body has the content type 'text/plain', but application/json is read here; with curl, use --json '…' in place of -d '…'.
        """#)
  }

  @Test func `a compressed body is refused`() throws {
    let fields = [("Content-Encoding", "gzip")]
    try sample.refuses(
      .post, "/commands/validate", #"{"session":"demo"}"#, headers: fields,
      with: #"""
        415 /problems/unsupported-media-type
        The body has the content encoding 'gzip', but only plain bodies are read.
        """#)
    let response = try sample.send(.post, "/commands/validate", #"{}"#, headers: fields)
    #expect(response.headers["accept-encoding"] == "identity")
  }

  @Test func `a body without a type is refused`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"{}"#, type: nil,
      with: #"""
        415 /problems/unsupported-media-type
        The body has no content type, but application/json is read here; with curl, use --json '…' in place of -d '…'.
        """#)
  }

  @Test func `a patch of another type is refused with those that are read`() throws {
    try sample.refuses(
      .patch, "/sessions/demo/state", #"{}"#,
      with: #"""
        415 /problems/unsupported-media-type
        The body has the content type 'application/json', but application/json-patch+json or application/merge-patch+json is read here; with curl, use -H 'content-type: application/json-patch+json'.
        """#)
  }

  @Test func `malformed JSON is refused with its place`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"{"session": demo}"#,
      with: #"""
        400 /problems/malformed-json
        The body is not JSON. Line 1, column 13: a value is expected here. (Byte 12 of it.)
        """#)
  }

  @Test func `an empty body where one is needed is malformed`() throws {
    try sample.refuses(
      .post, "/commands/validate", "",
      with: #"""
        400 /problems/malformed-json
        The body is not JSON. Line 1, column 1: the text ends before the value is complete. (Byte 0 of it.)
        """#)
  }

  @Test func `JSON that is too deep is refused`() throws {
    try sample.refuses(
      .post, "/commands/validate", String(repeating: "[", count: 200),
      with: #"""
        400 /problems/malformed-json
        The body is not JSON. Line 1, column 129: arrays and objects are nested more than 128 deep. (Byte 128 of it; see limits.bodyDepth.)
        """#)
    let refused = try sample.send(
      .post, "/commands/validate", String(repeating: "[", count: 200))
    #expect(try refused.value("/limit") == "limits.bodyDepth")
    #expect(try refused.value("/maximum") == 128)
  }

  @Test func `a body that is no object is refused`() throws {
    try sample.refuses(
      .post, "/commands/validate", #"[]"#,
      with: #"""
        422 /problems/invalid-body

        Expected an object, found an empty array.
        """#)
  }

  @Test func `an unknown name in the query is refused`() throws {
    try sample.refuses(
      .get, "/commands?page=2",
      with: #"""
        400 /problems/invalid-query
        There is no 'page' in the query here; nothing is read from it.
        """#)
  }

  @Test func `an unknown name in the query is refused with those that are known`() throws {
    try sample.refuses(
      .get, "/sessions/demo/menu?form=photoGrid",
      with: #"""
        400 /problems/invalid-query
        There is no 'form' in the query here; known are 'menu', 'kind', 'modifiers', 'from', 'window' and 'explain'.
        """#)
  }

  @Test func `a name that is twice in the query is refused`() throws {
    try sample.refuses(
      .get, "/sessions/demo/menu?from=a&from=b",
      with: #"""
        400 /problems/invalid-query
        'from' is there twice in the query.
        """#)
  }

  @Test func `a flag in the query is true or false`() throws {
    try sample.refuses(
      .get, "/sessions/demo/menu?explain=yes",
      with: #"""
        400 /problems/invalid-query
        'explain' in the query is true or false, not 'yes'.
        """#)
  }
}
