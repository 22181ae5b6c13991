import JSONText
import MicroHTTP
import Testing

/// The parameters of commands over HTTP (P1 to P3).
struct ParameterRoutesTests {
  let sample: SampleService

  init() throws {
    sample = try SampleService()
    let declared = try sample.send(.put, "/commands/resize:", Self.command)
    #expect(declared.status == .created)
    let handler = #"{"perform":[{"op":"add","path":"/size","value":"parameters"}]}"#
    let registered = try sample.send(
      .put, "/sessions/demo/responders/photoGrid/handlers/resize:", handler)
    #expect(registered.status == .created)
  }

  private static let schema =
    #"{"type":"object","properties":{"width":{"type":"integer","minimum":16},"#
    + #""fit":{"enum":["crop","pad"]}},"required":["width"],"additionalProperties":false}"#

  private static let command =
    #"{"title":"Resize…","action":"resize:","key":{"input":"r"},"parameters":\#(schema)}"#

  private func perform(_ parameters: String?) throws -> Response {
    let member = parameters.map { #","parameters":\#($0)"# } ?? ""
    return try sample.send(
      .post, "/commands/perform", #"{"session":"demo","command":"resize:"\#(member)}"#)
  }

  @Test func `P1: a command shows its schema, as it was written`() throws {
    let command = try sample.send(.get, "/commands/resize:")
    #expect(command.text.contains(#""parameters":\#(Self.schema)"#))
    #expect(try sample.send(.get, "/commands").text.contains(#""parameters":\#(Self.schema)"#))
    let again = try sample.send(.put, "/commands/resize:", Self.command)
    #expect(again.status == .ok)
  }

  @Test func `P1: a keyword that is not known is refused by name`() throws {
    try sample.refuses(
      .put, "/commands/crop:",
      #"{"title":"Crop","action":"crop:","parameters":{"type":"object","properties":{"a":{"minimun":1}}}}"#,
      with: #"""
        422 /problems/invalid-body
        /parameters/properties/a/minimun
        The keyword 'minimun' is not supported; did you mean 'minimum'?
        """#)
    try sample.refuses(
      .put, "/commands/crop:",
      #"{"title":"Crop","action":"crop:","parameters":{"type":"object","unevaluatedProperties":false}}"#,
      with: #"""
        422 /problems/invalid-body
        /parameters/unevaluatedProperties
        The keyword 'unevaluatedProperties' is not supported; leave it out.
        """#)
  }

  @Test(
    arguments: [
      (
        #"{"type":"string"}"#, "",
        #"Expected a JSON Schema in an object, with "type": "object", found an object."#
      ),
      (
        #"{"type":"object","$ref":"https://example.com/a.json"}"#, "/$ref",
        "The reference 'https://example.com/a.json' leads to another document; only those within the schema do, such as '#/$defs/name'."
      ),
      (
        ##"{"type":"object","items":{"$ref":"#/$defs/a"}}"##, "/items/$ref",
        "The reference '#/$defs/a' leads to no schema."
      ),
      (
        ##"{"type":"object","$ref":"#"}"##, "/$ref",
        "The reference '#' leads back to itself without looking into the value."
      ),
      (
        #"{"type":"object","items":{"$id":"a"}}"#, "/items/$id",
        "Only the whole schema can have '$id'; give this part an '$anchor'."
      ),
      (
        #"{"type":"object","$anchor":"a","items":{"$anchor":"a"}}"#, "/items/$anchor",
        "The anchor 'a' stands at /$anchor as well."
      ),
      (
        #"{"type":"object","$anchor":"1"}"#, "/$anchor",
        "Expected a name of letters, digits, '_', '-' and '.' that begins with a letter or '_', found the string '1'."
      ),
      (
        #"{"type":"object","properties":{"a":{"pattern":"("}}}"#, "/properties/a/pattern",
        "The pattern does not compile: missing ): (."
      ),
      (
        #"{"type":"object","required":["a","a"]}"#, "/required/1",
        "The name 'a' stands there twice."
      ),
      (
        #"{"type":"object","items":3}"#, "/items",
        "Expected a schema: an object, true or false, found the number 3."
      ),
      (
        #"{"type":"object","allOf":[]}"#, "/allOf",
        "Expected a list of one or more schemas, found an empty array."
      ),
      (
        #"{"type":"object","properties":1}"#, "/properties",
        "Expected an object whose members are schemas, found the number 1."
      ),
      (#"{"type":"object","minimum":"1"}"#, "/minimum", "Expected a number, found the string '1'."),
      (
        #"{"type":"object","multipleOf":0}"#, "/multipleOf",
        "Expected a number greater than 0, found the number 0."
      ),
      (
        #"{"type":"object","minLength":-1}"#, "/minLength",
        "Expected an integer that is at least 0, found the number -1."
      ),
      (#"{"type":"object","enum":1}"#, "/enum", "Expected an array, found the number 1."),
      (
        #"{"type":"object","required":1}"#, "/required",
        "Expected a list of names, found the number 1."
      ),
      (
        #"{"type":"object","dependentRequired":1}"#, "/dependentRequired",
        "Expected an object whose members are lists of names, found the number 1."
      ),
      (#"{"type":"object","title":1}"#, "/title", "Expected a string, found the number 1."),
      (
        #"{"type":"object","uniqueItems":1}"#, "/uniqueItems",
        "Expected true or false, found the number 1."
      ),
      (
        #"{"type":"object","items":{"type":"float"}}"#, "/items/type",
        "Expected 'null', 'boolean', 'object', 'array', 'number', 'integer', 'string', or a list of different ones of them, found the string 'float'."
      ),
      (
        #"{"type":"object","$schema":"http://json-schema.org/draft-07/schema#"}"#, "/$schema",
        "Expected 'https://json-schema.org/draft/2020-12/schema', found the string 'http://json-schema.org/draft-07/schema#'."
      ),
    ] as [(String, String, String)])
  func `P1: each mistake of a schema is told, with its place`(
    schema: String, place: String, sentence: String
  ) throws {
    try sample.refuses(
      .put, "/commands/crop:", #"{"title":"Crop","action":"crop:","parameters":\#(schema)}"#,
      with: "422 /problems/invalid-body\n/parameters\(place)\n\(sentence)")
  }

  @Test func `P2: the parameters are read by effects, and kept by the invocation`() throws {
    let response = try perform(#"{"width":640,"fit":"crop"}"#)
    #expect(response.status == .ok)
    #expect(try response.value("/invocation/parameters") == ["width": 640, "fit": "crop"])
    #expect(try response.value("/changes/0/value") == ["width": 640, "fit": "crop"])
    #expect(try response.value("/invocation/arguments/0/parameters") == nil)
    let invocation = try #require(try response.value("/invocation"))
    let again = try sample.send(
      .post, "/commands/perform", #"{"session":"demo","invocation":\#(invocation.text())}"#)
    #expect(try again.value("/invocation/parameters") == ["width": 640, "fit": "crop"])
  }

  @Test func `P2: each fault is an error with its pointer`() throws {
    let response = try perform(#"{"width":8,"fit":"crap","b/g":1}"#)
    #expect(response.status == .unprocessableContent)
    #expect(
      response.text == #"""
        {"type":"/problems/invalid-body","title":"The body is invalid","status":422,\#
        "detail":"The parameters of the command 'resize:' do not fit. Expected a number that is at \#
        least 16, found the number 8. And 2 more, see 'errors'.","pointer":"/parameters/width",\#
        "errors":[{"pointer":"/parameters/width","detail":"Expected a number that is at least 16, \#
        found the number 8."},{"pointer":"/parameters/fit","detail":"Expected 'crop' or 'pad', \#
        found the string 'crap'; did you mean 'crop'?"},{"pointer":"/parameters/b~1g","detail":\#
        "There is no member 'b/g' here; known are width and fit."}]}
        """#)
  }

  @Test func `P2: of many faults a hundred are listed, and all are counted`() throws {
    let members = (0..<1500).map { #""m\#($0)":1"# }.joined(separator: ",")
    let response = try perform(#"{"width":16,\#(members)}"#)
    let detail = try response.value("/detail")?.text()
    #expect(
      detail?.contains("And 1499 more; 'errors' has the first 100.") == true, "\(detail ?? "")")
    guard case .array(let errors)? = try response.value("/errors") else {
      Issue.record("there are no errors")
      return
    }
    #expect(errors.count == 100)
  }

  @Test func `P2: an integer of which digits would be lost is refused`() throws {
    let response = try perform(#"{"width":9223372036854775809}"#)
    #expect(response.status == .badRequest)
    #expect(
      try response.value("/detail")?.text().contains(
        "the integer has more digits than 64 bits and a double hold; write it as a string") == true)
    #expect(try perform(#"{"width":9223372036854775807}"#).status == .ok)
    #expect(try perform(#"{"width":1e19}"#).status == .ok)
  }

  @Test func `P2: absent parameters are an empty object`() throws {
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","command":"resize:"}"#,
      with: #"""
        422 /problems/invalid-body
        /parameters
        The parameters of the command 'resize:' do not fit. The member 'width' is missing.
        """#)
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","command":"resize:","parameters":[]}"#,
      with: #"""
        422 /problems/invalid-body
        /parameters
        Expected an object, found an empty array.
        """#)
  }

  @Test func `P2: a command without a schema takes none`() throws {
    try sample.refuses(
      .post, "/commands/perform",
      #"{"session":"demo","command":"copy:","parameters":{"width":1}}"#,
      with: #"""
        422 /problems/invalid-body
        /parameters
        The command 'copy:' takes no parameters; it is declared without 'parameters'.
        """#)
    try sample.refuses(
      .post, "/commands/perform", #"{"session":"demo","action":"copy:","parameters":{"width":1}}"#,
      with: #"""
        422 /problems/invalid-body

        'action' and 'parameters' exclude each other; give one of them.
        """#)
    try sample.refuses(
      .post, "/commands/perform",
      #"{"session":"demo","invocation":{"selector":"copy:"},"parameters":{}}"#,
      with: #"""
        422 /problems/invalid-body

        'invocation' and 'parameters' exclude each other; give one of them.
        """#)
  }

  @Test func `P2: in a list of mutations, the place is that of the mutation`() throws {
    let body =
      #"{"mutations":[{"op":"mergeState","patch":{"a":1}},"#
      + #"{"op":"perform","command":"resize:","parameters":{"width":"wide"}}]}"#
    try sample.refuses(
      .post, "/sessions/demo/mutations", body,
      with: #"""
        422 /problems/invalid-body
        /mutations/1/parameters/width
        Mutation 1 is refused, and with it all of them. The parameters of the command 'resize:' do not fit. Expected an integer, found the string 'wide'.
        """#)
    try sample.refuses(
      .post, "/sessions/demo/mutations", #"{"mutations":[{"op":"pressKey","key":{"input":"r"}}]}"#,
      with: #"""
        422 /problems/invalid-body
        /mutations/0/key
        Mutation 0 is refused, and with it all of them. The key means the command 'resize:', and gives no parameters that fit. The member 'width' is missing.
        """#)
  }

  @Test func `P3: validating needs no parameters`() throws {
    let response = try sample.send(
      .post, "/commands/validate", #"{"session":"demo","commands":["resize:"]}"#)
    #expect(try response.value("/items/0/enabled") == true)
  }

  @Test func `P2: a precondition guards what is performed with parameters, by a dry run too`()
    throws
  {
    let handler = #"""
      {"validate":{"requires":[{"if":"!(has(parameters.width) && parameters.width > 99)","else":"Too wide."}]},
       "perform":[]}
      """#
    _ = try sample.send(.put, "/sessions/demo/responders/photoGrid/handlers/resize:", handler)
    for more in ["", #","dryRun":true"#] {
      try sample.refuses(
        .post, "/commands/perform",
        #"{"session":"demo","command":"resize:","parameters":{"width":100}\#(more)}"#,
        with: #"""
          409 /problems/not-performed
          /command
          The command 'resize:' is disabled: Too wide.
          """#)
    }
    let done = try sample.send(
      .post, "/commands/perform",
      #"{"session":"demo","command":"resize:","parameters":{"width":99}}"#)
    #expect(try done.value("/performed") == true, "\(done.text)")
  }

  @Test func `K7: a key whose command needs parameters says so`() throws {
    let keys = try sample.send(.get, "/sessions/demo/keys").value("/keys")?.items ?? []
    let found = keys.filter { $0[JSONPointer(["needsParameters"])] == true }
    #expect(found.map { $0[JSONPointer(["command"])] } == ["resize:"])
  }

  @Test func `P3: a key gives none`() throws {
    try sample.refuses(
      .post, "/keys/press", #"{"session":"demo","key":{"input":"r"}}"#,
      with: #"""
        422 /problems/invalid-body
        /key
        The key means the command 'resize:', and gives no parameters that fit. The member 'width' is missing.
        """#)
  }

  @Test func `P3: a rule that is checked reads parameters, which are empty unless given`() throws {
    let rule = #"{"rule":"[parameters, size(parameters)]"}"#
    #expect(try sample.send(.post, "/rules/check", rule).value("/value") == [[:], 0])
    let given = #"{"rule":"parameters.width","variables":{"parameters":{"width":3}}}"#
    #expect(try sample.send(.post, "/rules/check", given).value("/value") == 3)
  }
}
