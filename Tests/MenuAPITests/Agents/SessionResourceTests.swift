import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

struct SessionResourceTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  @Test(
    arguments: [
      ("menud://sessions/demo", "/sessions/demo"),
      ("menud://sessions/demo/menu", "/sessions/demo/menu"),
      ("menud://sessions/demo/diagnostics", "/sessions/demo/diagnostics"),
      ("menud://sessions/demo/deliveries", "/sessions/demo/deliveries"),
    ])
  func `a resource is what the API answers`(uri: String, target: String) throws {
    let result = try sample.result(of: "resources/read", #"{"uri":"\#(uri)"}"#)
    let text = try sample.send(.get, target).text
    #expect(
      result == [
        "contents": [["uri": .string(uri), "mimeType": "application/json", "text": .string(text)]]
      ])
    let listed = try sample.result(of: "resources/list")
    #expect(listed.text().contains("\"\(uri)\""))
  }

  @Test func `a command is a resource by a template, with the reasons`() throws {
    let templates = try sample.result(of: "resources/templates/list")
    #expect(
      templates[JSONPointer(["resourceTemplates", "0", "uriTemplate"])]
        == "menud://sessions/demo/commands/{command}")
    let result = try sample.result(
      of: "resources/read", #"{"uri":"menud://sessions/demo/commands/delete:"}"#)
    let text = result[JSONPointer(["contents", "0", "text"])]
    #expect(text?.text().contains(#"\"reason\":\"ruleFalse\""#) == true)
    #expect(text?.text().contains(#"\"trace\":"#) == true)
  }

  @Test(
    arguments: [
      "menud://sessions/demo/commands/delete%3A", "menud://sessions/demo/commands/delete%3a",
      "menud://sessions/demo/%63ommands/delete:", "menud://sessions/%64emo/commands/delete:",
    ])
  func `a template is read as clients expand it, which encodes colons`(uri: String) throws {
    let result = try sample.result(of: "resources/read", #"{"uri":"\#(uri)"}"#)
    #expect(result[JSONPointer(["contents", "0", "uri"])] == .string(uri))
    #expect(
      result[JSONPointer(["contents", "0", "text"])]?.text().contains(#"\"command\":\"delete:\""#)
        == true)
    let completed = try sample.result(
      of: "completion/complete",
      #"{"ref":{"type":"ref/resource","uri":"\#(uri)"},"argument":{"name":"x","value":""}}"#)
    #expect(completed[JSONPointer(["completion", "total"])] == 0)
  }

  @Test func `a resource that there is not is an error, by the code of the revision`() throws {
    for uri in [
      "", "menud://sessions/other", "menud://sessions/demo/", "menud://sessions/demo/commands/",
      "menud://sessions/demo/commands/nobody",
      "menud://sessions/demo/commands/delete%3", "menud://sessions/demo/commands/delete%00",
      "menud://sessions/demo%2Fmenu", "menud://sessions%2Fdemo",
      "menud://sessions/demo/commands/%FF", "file:///etc/passwd", "menud://sessions/demo/../x",
    ] {
      let old = try sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"\#(uri)"}}"#)
      #expect(try old.errorCode == -32002, "\(uri)")
      #expect(try old.value("/error/data/uri") == .string(uri))
      let new = try sample.stateless("resources/read", #","uri":"\#(uri)""#, name: uri)
      #expect(try new.errorCode == -32602, "\(uri)")
      #expect(new.status == .badRequest)
    }
    let missing = try sample.post(#"{"jsonrpc":"2.0","id":1,"method":"resources/read"}"#)
    #expect(try missing.errorCode == -32602)
  }

  @Test func `since 2026-07-28 what is read says how long it holds`() throws {
    let uri = "menud://sessions/demo/menu"
    let response = try sample.stateless("resources/read", #","uri":"\#(uri)""#, name: uri)
    #expect(try response.value("/result/ttlMs") == 0)
    #expect(try response.value("/result/cacheScope") == "private")
    let list = try sample.stateless("resources/list")
    #expect(try list.value("/result/ttlMs") == 60_000)
  }

  @Test func `a list of one page has no cursor`() throws {
    for method in ["resources/list", "resources/templates/list"] {
      let response = try sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"cursor":"x"}}"#)
      #expect(try response.errorCode == -32602)
    }
  }

  @Test func `a subscription needs the name of its client, and a resource`() throws {
    let uri = #"{"uri":"menud://sessions/demo/menu"}"#
    let named = [("Mcp-Session-Id", "client")]
    for method in ["resources/subscribe", "resources/unsubscribe"] {
      #expect(try sample.result(of: method, uri, headers: named) == [:])
      let nameless = try sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(uri)}"#)
      #expect(try nameless.errorCode == -32602)
      let unknown = try sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"uri":"x:y"}}"#, headers: named)
      // One that is gone can be left.
      #expect(try unknown.errorCode == (method == "resources/subscribe" ? -32002 : nil))
    }
    let malformed = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":\#(uri)}"#,
      headers: [("Mcp-Session-Id", "a b")])
    #expect(malformed.status == .badRequest)
  }

  // MARK: Completion

  private func completed(_ ref: String, _ name: String, _ value: String) throws -> JSON? {
    try sample.result(
      of: "completion/complete",
      #"{"ref":\#(ref),"argument":{"name":"\#(name)","value":"\#(value)"}}"#
    )[JSONPointer(["completion"])]
  }

  @Test func `arguments are completed from their schema`() throws {
    _ = try sample.send(
      .put, "/commands/resize:",
      #"{"title":"R","action":"resize:","parameters":{"type":"object","properties":{"fit":{"enum":["crop","Pad",7,"upward"]},"width":{"type":"integer","examples":[640,1280]},"deep":{"type":"boolean"}}}}"#
    )
    let command = #"{"type":"ref/resource","uri":"menud://sessions/demo/commands/resize:"}"#
    #expect(
      try completed(command, "fit", "p")
        == ["values": ["Pad", "crop", "upward"], "total": 3, "hasMore": false])
    #expect(try completed(command, "width", "")?.text().contains(#"["640","1280"]"#) == true)
    #expect(try completed(command, "deep", "t")?.text().contains(#"["true"]"#) == true)
    #expect(
      try completed(command, "nothing", "") == ["values": [], "total": 0, "hasMore": false])
    let prompt = #"{"type":"ref/prompt","name":"resize-"}"#
    #expect(try completed(prompt, "fit", "c")?.text().contains(#"["crop"]"#) == true)
  }

  @Test func `the template is completed with commands, a hundred at most`() throws {
    let template = #"{"type":"ref/resource","uri":"menud://sessions/demo/commands/{command}"}"#
    #expect(
      try completed(template, "command", "sort")
        == ["values": ["sortByDate", "sortByTitle"], "total": 2, "hasMore": false])
    for number in 0..<120 {
      _ = try sample.send(
        .put, "/commands/n\(number)", #"{"title":"N","action":"copy:","propertyList":\#(number)}"#)
    }
    let many = try #require(try completed(template, "command", ""))
    #expect(many[JSONPointer(["total"])] == 128)
    #expect(many[JSONPointer(["hasMore"])] == true)
    #expect(many[JSONPointer(["values", "99"])] != nil)
    #expect(many[JSONPointer(["values", "100"])] == nil)
  }

  @Test(
    arguments: [
      #"{"ref":{"type":"ref/prompt","name":"nobody"},"argument":{"name":"a","value":""}}"#,
      #"{"ref":{"type":"ref/resource","uri":"x:y"},"argument":{"name":"a","value":""}}"#,
      #"{"ref":{"type":"ref/tool","name":"copy-"},"argument":{"name":"a","value":""}}"#,
      #"{"ref":7,"argument":{"name":"a","value":""}}"#, #"{"ref":{}}"#,
      #"{"ref":{"type":"ref/prompt","name":"copy-"},"argument":{"name":"a","value":7}}"#,
    ])
  func `a completion of anything else is refused`(params: String) throws {
    let response = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":\#(params)}"#)
    #expect(try response.errorCode == -32602)
  }
}
