import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

struct ToolCallTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private func declare(_ id: String, _ parameters: String?, _ perform: String) throws {
    let member = parameters.map { #","parameters":\#($0)"# } ?? ""
    #expect(
      try sample.send(
        .put, "/commands/\(id)", #"{"title":"T","action":"\#(id)"\#(member)}"#
      ).status == .created)
    #expect(
      try sample.send(
        .put, "/sessions/demo/responders/photoGrid/handlers/\(id)", #"{"perform":\#(perform)}"#
      ).status == .created)
  }

  @Test func `a call performs, and says what changed`() throws {
    let result = try sample.call("applyFiveStarRating-")
    #expect(result.firstText == "Performed '★★★★★' (off). Now it is on.\n/rating: 5")
    #expect(result[JSONPointer(["content", "1"])] == nil)
    #expect(result[JSONPointer(["isError"])] == nil)
    let structured = try #require(result[JSONPointer(["structuredContent"])])
    #expect(structured[JSONPointer(["performed"])] == true)
    #expect(structured[JSONPointer(["revision"])] == 1)
    #expect(
      structured[JSONPointer(["changes", "0"])]
        == ["change": "state", "op": "replace", "path": "/rating", "value": 5])
    #expect(
      structured[JSONPointer(["item"])] == [
        "before": ["title": "★★★★★", "state": "off", "enabled": true],
        "after": ["title": "★★★★★", "state": "on", "enabled": true],
      ])
    #expect(structured[JSONPointer(["cut"])] == nil)
    #expect(try sample.send(.get, "/sessions/demo").value("/state/rating") == 5)
  }

  @Test func `arguments that are as deep as a body may be are performed and told like others`()
    throws
  {
    try declare(
      "keep:", #"{"type":"object"}"#,
      #"[{"op":"add","path":"/kept","value":"{'in': parameters.a}"}]"#)
    let deep = String(repeating: "[", count: 123) + String(repeating: "]", count: 123)
    let answer = try sample.send(
      .post, "/sessions/demo/mcp",
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"keep-","arguments":{"a":\#(deep)}}}"#
    )
    #expect(answer.text.contains(#""text":"Performed 'T'."#), "\(answer.text)")
    #expect(answer.text.contains(#""structuredContent":{"performed":true"#))
  }

  @Test func `an integer that no route takes is refused here too`() throws {
    let answer = try sample.send(
      .post, "/sessions/demo/mcp",
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy-","arguments":{"i":12345678901234567890}}}"#
    )
    #expect(try answer.value("/error/code") == -32700)
    #expect(
      try answer.value("/error/message") == """
        The body is not JSON. Line 1, column 89: the integer has more digits than 64 bits and a double hold; \
        write it as a string, or with an exponent if it may be rounded. (Byte 88 of it.)
        """)
  }

  @Test func `arguments are parameters, and each fault is told`() throws {
    let schema =
      #"{"type":"object","properties":{"width":{"type":"integer","minimum":16},"fit":{"enum":["crop","pad"]}},"required":["width"],"additionalProperties":false}"#
    try declare("resize:", schema, #"[{"op":"add","path":"/size","value":"parameters"}]"#)
    let result = try sample.call("resize-", #"{"width":640,"fit":"crop"}"#)
    #expect(result[JSONPointer(["isError"])] == nil)
    #expect(try sample.send(.get, "/sessions/demo").value("/state/size/width") == 640)
    let wrong = try sample.call("resize-", #"{"width":8,"fit":"crap"}"#)
    #expect(wrong[JSONPointer(["isError"])] == true)
    #expect(
      wrong.firstText == """
        'resize-' was not performed: its arguments do not fit its schema.
        /arguments/width: Expected a number that is at least 16, found the number 8.
        /arguments/fit: Expected 'crop' or 'pad', found the string 'crap'; did you mean 'crop'?
        """)
    let structured = try #require(wrong[JSONPointer(["structuredContent"])])
    #expect(structured[JSONPointer(["type"])] == "/problems/invalid-body")
    #expect(structured[JSONPointer(["pointer"])] == "/arguments/width")
    #expect(structured[JSONPointer(["errors", "1", "pointer"])] == "/arguments/fit")
    #expect(try sample.send(.get, "/sessions/demo").value("/state/size/width") == 640)
    let single = try sample.call("resize-", #"{"width":640,"fit":"crap"}"#)
    #expect(
      single.firstText == """
        'resize-' was not performed: its arguments do not fit its schema.
        /arguments/fit: Expected 'crop' or 'pad', found the string 'crap'; did you mean 'crop'?
        """)
    let missing = try sample.call("resize-")
    #expect(
      missing.firstText == """
        'resize-' was not performed: its arguments do not fit its schema.
        /arguments: The member 'width' is missing.
        """)
    let surplus = try sample.call("copy-", #"{"a":1}"#)
    #expect(surplus[JSONPointer(["isError"])] == true)
    #expect(surplus.firstText?.hasPrefix("'copy-' was not performed") == true)
  }

  @Test func `a command that is disabled is refused with its reason`() throws {
    let result = try sample.call("delete-")
    #expect(result[JSONPointer(["isError"])] == true)
    #expect(result[JSONPointer(["structuredContent", "reason"])] == "ruleFalse")
    #expect(result.firstText?.isEmpty == false)
    let none = try sample.call("separate")
    #expect(none[JSONPointer(["structuredContent", "reason"])] == "noAction")
  }

  @Test func `a tool that there is not is an error of the protocol, with a hint`() throws {
    let response = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copi-"}}"#)
    #expect(response.status == .ok)
    #expect(try response.errorCode == -32602)
    #expect(try response.value("/error/message") == "Unknown tool: 'copi-'; did you mean 'copy-'?")
    let capital = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Copy-"}}"#)
    #expect(try capital.errorCode == -32602)
    let new = try sample.stateless("tools/call", #","name":"copi-""#, name: "copi-")
    #expect(new.status == .badRequest)
    #expect(try new.errorCode == -32602)
    for params in ["{}", #"{"name":7}"#, #"{"name":"copy-","arguments":7}"#] {
      let response = try sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(params)}"#)
      #expect(try response.errorCode == -32602, "\(params)")
    }
  }

  @Test func `a text that a handler answers is the text`() throws {
    try declare("greet:", nil, #"[{"op":"answer","value":"'Hello'"}]"#)
    let result = try sample.call("greet-")
    #expect(result.firstText == "Hello")
    #expect(result[JSONPointer(["structuredContent", "result"])] == "Hello")
  }

  @Test(
    arguments: [
      (#"{'content': []}"#, #"{"content":[]}"#),
      (
        #"{'content': [{'type': 'image', 'data': 'aGk=', 'mimeType': 'image/png'}]}"#,
        #"{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}"#
      ),
      (
        #"{'content': [{'type': 'resource_link', 'uri': 'https://example.org/a.png', 'name': 'a'}], 'isError': true}"#,
        #"{"content":[{"type":"resource_link","uri":"https://example.org/a.png","name":"a"}],"isError":true}"#
      ),
      (
        #"{'content': [{'type': 'resource', 'resource': {'uri': 'a:b', 'text': 't'}}], 'structuredContent': {'a': 1}}"#,
        #"{"content":[{"type":"resource","resource":{"uri":"a:b","text":"t"}}],"structuredContent":{"a":1}}"#
      ),
    ])
  func `content blocks that a handler answers are passed on`(rule: String, result: String) throws {
    try declare("show:", nil, #"[{"op":"answer","value":"\#(rule)"}]"#)
    #expect(try sample.call("show-").text() == result)
  }

  @Test(arguments: ["'yes'", "1", "null", "[true]"])
  func `an isError that is neither true nor false is a fault that is named`(isError: String) throws
  {
    let block = "{'type': 'text', 'text': 'Saved.'}"
    try declare(
      "show:", nil, #"[{"op":"answer","value":"{'content': [\#(block)], 'isError': \#(isError)}"}]"#
    )
    let result = try sample.call("show-")
    #expect(result[JSONPointer(["isError"])] == true)
    #expect(result[JSONPointer(["content", "1", "text"])] == "Saved.")
    let text = try #require(result.firstText)
    #expect(
      text.hasPrefix(
        "'show-' was performed, but what it answered is malformed: its member 'isError' is true or false, not "
      ))
  }

  @Test func `structured content of any kind is passed on since 2026-07-28`() throws {
    let rule = "{'content': [], 'structuredContent': [1, 'two']}"
    try declare("show:", nil, #"[{"op":"answer","value":"\#(rule)"}]"#)
    #expect(try sample.call("show-").text() == #"{"content":[]}"#)
    let new = try sample.stateless("tools/call", #","name":"show-""#, name: "show-")
    #expect(try new.value("/result/structuredContent") == [1, "two"])
  }

  @Test(
    arguments: [
      #"{'content': 7}"#, #"{'content': [7]}"#, #"{'content': [{'type': 'image'}]}"#,
      #"{'content': [{'type': 'video', 'data': '', 'mimeType': ''}]}"#,
      #"{'content': [{'type': 'resource', 'resource': {'uri': 'a:b'}}]}"#,
    ])
  func `anything else that a handler answers is a result`(rule: String) throws {
    try declare("show:", nil, #"[{"op":"answer","value":"\#(rule)"}]"#)
    let result = try sample.call("show-")
    #expect(result.firstText?.hasPrefix("Performed 'T'.\nIt answered {\"content\":") == true)
    #expect(result[JSONPointer(["structuredContent", "result", "content"])] != nil)
  }

  @Test func `an effect that fails is refused, and changes nothing`() throws {
    try declare("fail:", nil, #"[{"op":"replace","path":"/nothing/there","value":"1"}]"#)
    let result = try sample.call("fail-")
    #expect(result[JSONPointer(["isError"])] == true)
    #expect(result[JSONPointer(["structuredContent", "type"])] == "/problems/effect-failed")
    #expect(try sample.send(.get, "/sessions/demo").value("/revision") == 1)
  }

  @Test func `undo is a tool like any other`() throws {
    _ = try sample.send(.put, "/commands/undo:", #"{"title":"Undo","action":"undo:"}"#)
    _ = try sample.call("applyFiveStarRating-")
    let tools = try sample.result(of: "tools/list")
    #expect(tools[JSONPointer(["tools", "5", "title"])] == "Undo ★★★★★")
    let result = try sample.call("undo-")
    #expect(result[JSONPointer(["structuredContent", "performed"])] == true)
    #expect(try sample.send(.get, "/sessions/demo").value("/state/rating") == 0)
  }

  @Test func `a call with a key is carried out once`() throws {
    let call =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"applyFiveStarRating-"}}"#
    let key = [("Idempotency-Key", "k1")]
    let first = try sample.post(call, headers: key)
    #expect(first.headers["idempotent-replayed"] == nil)
    let again = try sample.post(call, headers: key)
    #expect(again.headers["idempotent-replayed"] == "true")
    #expect(again.text == first.text)
    #expect(try sample.send(.get, "/sessions/demo").value("/revision") == 1)
    let other = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy-"}}"#, headers: key)
    #expect(other.status == .unprocessableContent)
    #expect(try other.value("/type") == "/problems/idempotency-key-reused")
  }

  @Test func `If-Match holds for a call`() throws {
    let response = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"copy-"}}"#,
      headers: [("If-Match", "\"other\"")])
    #expect(response.status == .preconditionFailed)
  }
}
