import JSONText
import MenuStore
import MicroHTTP
import StoreSupport
import Testing

@testable import MenuAPI
@testable import MenuEngine

/// The resources and prompts of an application, as agents have them.
struct AgentContentsTests {
  static let resources = #"""
    {
      "about": {"uri": "app:about", "title": "About", "description": "d", "text": "An app."},
      "image": {"uri": "app:image", "file": "a.png"},
      "count": {"uri": "app:count", "content": "string(state.count)"},
      "copies": {"uri": "app:copies", "text": "All about copying.", "commands": ["copy:"]},
      "secret": {"uri": "app:secret", "text": "All about deleting.", "commands": ["delete:"]},
      "echo": {"uriTemplate": "app:echo/{word}", "content": "parameters.word",
               "variables": {"word": {"examples": ["one", "two"]}}},
      "row": {"uriTemplate": "app:row/{n}", "content": "state.rows[int(parameters.n)]",
              "variables": {"n": {"choices": "state.rows.transformList(n, row, string(n))"}}}
    }
    """#

  static let prompts = #"""
    {
      "hello": {"title": "Hello", "description": "d", "messages": [{"role": "user", "text": "Hello."}]},
      "greet": {"arguments": [{"name": "name", "title": "N", "description": "d", "required": true},
                              {"name": "tone", "enum": ["kind", "brief"]}],
                "messages": [{"role": "user", "text": "Greet {name}."},
                             {"role": "user", "image": "a.png"}]},
      "rows": {"arguments": [{"name": "n", "required": true, "choices": "state.rows.transformList(n, row, string(n))"}],
               "messages": [{"role": "user", "resource": "row"}]},
      "copy": {"commands": ["copy:"], "messages": [{"role": "user", "text": "Copy."}]},
      "embed": {"arguments": [{"name": "uri", "required": true}],
                "messages": [{"role": "user", "resourceAt": "parameters.uri"}]},
      "broken": {"messages": [{"role": "user", "content": "parameters.x"}]}
    }
    """#

  private static let commands = #"""
    [{"title": "Copy", "action": "copy:"}, {"title": "Delete", "action": "delete:"}]
    """#

  /// Returns a catalogue with these.
  static func catalog(
    resources: String = resources, prompts: String = prompts, commands: String = commands
  ) throws -> Catalog {
    var document = CatalogDocument([
      .commands: try JSON(parsing: commands), .resources: try JSON(parsing: resources),
      .prompts: try JSON(parsing: prompts),
      .strings: ["de": ["strings": ["About": "Über", "Hello": "Hallo"]]],
    ])
    document.files = { (_, _) throws(FileFault) in [0x89, 0x50] }
    return try document.catalog()
  }

  static func deploy(_ catalog: Catalog, to sample: SampleService) throws {
    try sample.replicas.commit { try $0.changeCatalog(by: .replace(catalog)) }
    let state =
      #"[{"op":"add","path":"/count","value":0},{"op":"add","path":"/rows","value":["a","b"]}]"#
    for session in ["demo", "own"]
    where sample.service.store.session(SessionID(unchecked: session)) != nil {
      _ = try sample.send(
        .patch, "/sessions/\(session)/state", state, type: "application/json-patch+json")
    }
  }

  private let sample: SampleService

  init() throws {
    sample = try SampleService()
    try Self.deploy(try Self.catalog(), to: sample)
  }

  private func error(_ method: String, _ params: String) throws -> String {
    let response = try sample.post(
      #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#)
    let code = try response.errorCode?.text() ?? "none"
    guard case .string(let sentence)? = try response.value("/error/message") as JSON? else {
      return code
    }
    return "\(code) \(sentence)"
  }

  private func texts(_ json: JSON, _ list: String, _ name: String) -> [String] {
    guard case .array(let elements)? = json[JSONPointer([list])] else { return [] }
    return elements.compactMap { element in
      if case .string(let text)? = element[JSONPointer([name])] { text } else { nil }
    }
  }

  @Test func `resources stand behind the built-in ones, and templates too`() throws {
    let listed = try sample.result(of: "resources/list")
    #expect(
      texts(listed, "resources", "uri").filter { $0.hasPrefix("app:") } == [
        "app:about", "app:image", "app:count", "app:copies", "app:secret",
      ])
    #expect(texts(listed, "resources", "uri").first == "menud://sessions/demo")
    #expect(
      listed[JSONPointer(["resources", "4"])] == [
        "uri": "app:about", "name": "about", "title": "About", "description": "d",
        "mimeType": "text/plain",
      ])
    #expect(
      listed[JSONPointer(["resources", "5"])]
        == ["uri": "app:image", "name": "image", "mimeType": "image/png", "size": 2])
    let templates = try sample.result(of: "resources/templates/list")
    #expect(
      texts(templates, "resourceTemplates", "uriTemplate").suffix(2)
        == ["app:echo/{word}", "app:row/{n}"])
  }

  @Test(arguments: [
    ("app:about", #"{"uri":"app:about","mimeType":"text/plain","text":"An app."}"#),
    ("app:image", #"{"uri":"app:image","mimeType":"image/png","blob":"iVA="}"#),
    ("app:count", #"{"uri":"app:count","mimeType":"text/plain","text":"0"}"#),
    ("app:echo/a%20b", #"{"uri":"app:echo/a%20b","mimeType":"text/plain","text":"a b"}"#),
    ("app:row/1", #"{"uri":"app:row/1","mimeType":"text/plain","text":"b"}"#),
  ])
  func `each is read, in every revision`(uri: String, content: String) throws {
    for revision in ["2025-06-18", "2025-11-25"] {
      let response = try sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"\#(uri)"}}"#,
        revision: revision)
      #expect(try response.value("/result/contents") == .array([JSON(parsing: content)]))
    }
    let new = try sample.stateless("resources/read", #","uri":"\#(uri)""#, name: uri)
    #expect(try new.value("/result/contents") == .array([JSON(parsing: content)]))
    #expect(try new.value("/result/ttlMs") == 0)
  }

  @Test func `a value that is no choice is a resource that is not there`() throws {
    #expect(
      try error("resources/read", #"{"uri":"app:row/2"}"#)
        == "-32002 There is no resource 'app:row/2' here.")
    #expect(
      try error("resources/read", #"{"uri":"app:row/1/2"}"#)
        == "-32002 There is no resource 'app:row/1/2' here.")
  }

  @Test func `prompts are listed and made, in every revision`() throws {
    let listed = try sample.result(of: "prompts/list")
    #expect(listed.names("prompts") == ["hello", "greet", "rows", "copy", "embed", "broken"])
    #expect(
      listed[JSONPointer(["prompts", "1"])] == [
        "name": "greet",
        "arguments": [
          ["name": "name", "title": "N", "description": "d", "required": true], ["name": "tone"],
        ],
      ])
    #expect(
      try sample.result(of: "prompts/get", #"{"name":"hello"}"#) == [
        "messages": [["role": "user", "content": ["type": "text", "text": "Hello."]]],
        "description": "d",
      ])
    let greeting = try sample.result(
      of: "prompts/get", #"{"name":"greet","arguments":{"name":"Ada","tone":"kind"}}"#)
    #expect(
      greeting[JSONPointer(["messages"])] == [
        ["role": "user", "content": ["type": "text", "text": "Greet Ada."]],
        ["role": "user", "content": ["type": "image", "data": "iVA=", "mimeType": "image/png"]],
      ])
    let rows = try sample.stateless(
      "prompts/get", #","name":"rows","arguments":{"n":"1"}"#, name: "rows")
    #expect(
      try rows.value("/result/messages/0/content") == [
        "type": "resource",
        "resource": ["uri": "app:row/1", "mimeType": "text/plain", "text": "b"],
      ])
    #expect(try rows.value("/result/resultType") == "complete")
    #expect(try sample.stateless("prompts/list").value("/result/ttlMs") == 60_000)
  }

  @Test(arguments: [
    (#"{"name":"helo"}"#, "Unknown prompt: 'helo'; did you mean 'hello'?"),
    (#"{"name":"zzzzzz"}"#, "Unknown prompt: 'zzzzzz'."),
    (#"{}"#, "The parameter 'name' is missing."),
    (#"{"name":"greet"}"#, "The prompt 'greet' needs the argument 'name'."),
    (
      #"{"name":"greet","arguments":{"name":"A","tnoe":"x"}}"#,
      "The prompt 'greet' has no argument 'tnoe'; did you mean 'tone'?"
    ),
    (#"{"name":"greet","arguments":{"name":1}}"#, "The argument 'name' is a string."),
    (
      #"{"name":"greet","arguments":{"name":"A","tone":"x"}}"#,
      "The argument 'tone' is one of 'kind' or 'brief', not 'x'."
    ),
    (
      #"{"name":"rows","arguments":{"n":"9"}}"#, "The argument 'n' is one of '0' or '1', not '9'."
    ),
    (
      #"{"name":"embed","arguments":{"uri":"app:none"}}"#, "There is no resource 'app:none' here."
    ),
  ])
  func `what a prompt lacks is named`(params: String, sentence: String) throws {
    #expect(try error("prompts/get", params) == "-32602 \(sentence)")
  }

  @Test func `a rule that fails is an error of the server`() throws {
    let told = try error("prompts/get", #"{"name":"broken"}"#)
    #expect(
      told
        == "-32603 The prompt 'broken' cannot be read, since a rule fails: no such key \"x\"; the map is empty."
    )
  }

  @Test(arguments: [
    (#"{"type":"ref/prompt","name":"greet"}"#, "tone", "", ["kind", "brief"]),
    (#"{"type":"ref/prompt","name":"greet"}"#, "tone", "k", ["kind"]),
    (#"{"type":"ref/prompt","name":"greet"}"#, "name", "", []),
    (#"{"type":"ref/prompt","name":"greet"}"#, "other", "", []),
    (#"{"type":"ref/prompt","name":"rows"}"#, "n", "", ["0", "1"]),
    (#"{"type":"ref/resource","uri":"app:echo/{word}"}"#, "word", "t", ["two"]),
    (#"{"type":"ref/resource","uri":"app:row/{n}"}"#, "n", "1", ["1"]),
  ])
  func `arguments and variables are completed`(
    ref: String, name: String, start: String, values: [String]
  ) throws {
    let result = try sample.result(
      of: "completion/complete",
      #"{"ref":\#(ref),"argument":{"name":"\#(name)","value":"\#(start)"},"context":{"arguments":{"x":"y"}}}"#
    )
    #expect(result[JSONPointer(["completion", "values"])] == .array(values.map(JSON.string)))
  }

  @Test func `an argument whose values depend on another one has none before that`() throws {
    let prompts = #"""
      {"pick": {"arguments": [{"name": "first", "required": true},
                              {"name": "second", "choices": "[parameters.first + 'x']"},
                              {"name": "third", "choices": "[state.none]"}],
                "messages": [{"role": "user", "text": "{second}"}]}}
      """#
    try Self.deploy(try Self.catalog(prompts: prompts), to: sample)
    func complete(_ name: String, _ known: String) throws -> Response {
      try sample.post(
        #"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"pick"},"argument":{"name":"\#(name)","value":""},"context":{"arguments":\#(known)}}}"#
      )
    }
    let early = try complete("second", "{}")
    #expect(try early.value("/result/completion/values") == [], "\(early.text)")
    let known = try complete("second", #"{"first":"a"}"#)
    #expect(try known.value("/result/completion/values") == ["ax"])
    #expect(try complete("third", #"{"first":"a","second":"ax"}"#).errorCode == -32603)
  }

  @Test func `capabilities are the same whether an application has any or not`() throws {
    let plain = try SampleService()
    for service in [sample, plain] {
      let response = try service.stateless("server/discover")
      #expect(
        try response.value("/result/capabilities/prompts") == ["listChanged": true])
      #expect(
        try response.value("/result/capabilities/resources")
          == ["subscribe": true, "listChanged": true])
    }
    #expect(try plain.result(of: "prompts/list") == ["prompts": []])
  }

  @Test func `M14: titles are in the session's language`() throws {
    _ = try sample.send(.put, "/sessions/demo/locale", #"{"locale":"de"}"#)
    let listed = try sample.result(of: "resources/list")
    #expect(listed[JSONPointer(["resources", "4", "title"])] == "Über")
    let prompts = try sample.result(of: "prompts/list")
    #expect(prompts[JSONPointer(["prompts", "0", "title"])] == "Hallo")
  }

  @Test func `T7: what is about a command that is hidden from agents does not exist`() throws {
    let hidden = #"""
      [{"title": "Copy", "action": "copy:", "agents": "hidden"}, {"title": "Delete", "action": "delete:"}]
      """#
    try Self.deploy(try Self.catalog(commands: hidden), to: sample)
    let listed = try sample.result(of: "resources/list").text()
    #expect(!listed.contains("app:copies") && listed.contains("app:secret"))
    #expect(try error("resources/read", #"{"uri":"app:copies"}"#).hasPrefix("-32002"))
    #expect(!(try sample.result(of: "prompts/list").names("prompts")).contains("copy"))
    #expect(try error("prompts/get", #"{"name":"copy"}"#).hasPrefix("-32602 Unknown prompt"))
    #expect(
      try error("prompts/get", #"{"name":"embed","arguments":{"uri":"app:copies"}}"#)
        == "-32602 There is no resource 'app:copies' here.")
    #expect(
      try error(
        "completion/complete",
        #"{"ref":{"type":"ref/prompt","name":"copy"},"argument":{"name":"x","value":""}}"#
      ).hasPrefix("-32602"))
  }
}
