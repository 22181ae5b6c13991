import JSONText
import MicroHTTP
import Testing

@testable import MenuAPI

/// The text of a refused call: the condition that fails, who would do it, and which tool would help.
struct ToolRefusalTests {
  let sample: SampleService

  init() throws { sample = try SampleService() }

  private func put(_ path: String, _ body: String) throws {
    let response = try sample.send(.put, path, body)
    #expect(response.status == .created, "\(response.text)")
  }

  private func declare(
    _ id: String, on responder: String = "photoGrid", _ handler: String,
    command members: String = ""
  ) throws {
    try put("/commands/\(id)", #"{"title":"T","action":"\#(id)"\#(members)}"#)
    try put("/sessions/demo/responders/\(responder)/handlers/\(id)", handler)
  }

  private func refusal(_ tool: String) throws -> (text: String, help: JSON?) {
    let result = try sample.call(tool)
    #expect(result[JSONPointer(["isError"])] == true)
    return (
      try #require(result.firstText), result[JSONPointer(["structuredContent", "help"])]
    )
  }

  @Test func `a refusal tells the condition that fails, with its values`() throws {
    let (text, help) = try refusal("delete-")
    #expect(
      text
        == "'delete-' (“Delete”) cannot be performed now: 'photoGrid' says no: size(state.selection) > 1 is false: size(state.selection) is 1."
    )
    #expect(
      help == [
        "because": ["size(state.selection) > 1 is false: size(state.selection) is 1"],
        "focus": [], "tools": [], "complete": true,
      ])
  }

  @Test func `it tells every condition of a canPerform that is false on the way`() throws {
    try declare("crop:", #"{"canPerform":"state.rating == 5 && state.zoom == 100"}"#)
    let text = try refusal("crop-").text
    #expect(
      text == """
        'crop-' (“T”) cannot be performed now: nobody from 'photoGrid' on can perform it: state.rating == 5 is false: \
        state.rating is 0.
        Calling 'applyFiveStarRating-' first would make it possible.
        """)
  }

  @Test func `it tells a rule that failed, an item without action, and one with nothing to undo`()
    throws
  {
    #expect(
      try refusal("paste-").text.hasPrefix(
        "'paste-' (“Paste”) cannot be performed now: The rule at 'validate/enabled' failed: "))
    #expect(
      try refusal("separate").text
        == "'separate' (“Separate”) cannot be performed now: it has no action.")
    try put("/commands/undo:", #"{"title":"Undo","action":"undo:"}"#)
    let text = try refusal("undo-").text
    #expect(text == "'undo-' (“Undo”) cannot be performed now: 'window' has nothing to do.")
  }

  @Test func `it tells who would perform it with focus, as focusing shows`() throws {
    try declare("zoom:", on: "hostedView", "{}")
    let (text, help) = try refusal("zoom-")
    #expect(
      text == """
        'zoom-' (“T”) cannot be performed now: nobody from 'photoGrid' on can perform it.
        'hostedView' would perform it if it had focus.
        """)
    #expect(
      help?[JSONPointer(["focus"])] == [
        ["responder": "hostedView", "target": "hostedView", "from": true, "focus": true]
      ])
    #expect(try sample.send(.get, "/sessions/demo").value("/firstResponder") == "photoGrid")
    _ = try sample.send(.put, "/sessions/demo/first-responder", #"{"responder":"hostedView"}"#)
    #expect(try sample.call("zoom-")[JSONPointer(["isError"])] == nil)
  }

  @Test(
    arguments: [
      #"{"kind":"view","superview":"rootView","canBecomeFirstResponder":"false","handlers":{"zoom:":{}}}"#,
      #"{"kind":"view","handlers":{"zoom:":{}}}"#,
    ])
  func `a command's own tool is not told of responders that could not have focus`(
    responder: String
  ) throws {
    try put("/commands/zoom:", #"{"title":"T","action":"zoom:"}"#)
    try put("/sessions/demo/responders/other", responder)
    #expect(
      try refusal("zoom-").text
        == "'zoom-' (“T”) cannot be performed now: nobody from 'photoGrid' on can perform it.")
  }

  @Test func `it tells who could perform it, but not now`() throws {
    try put("/commands/zoom:", #"{"title":"T","action":"zoom:"}"#)
    try put(
      "/sessions/demo/responders/other",
      #"{"kind":"view","superview":"rootView","handlers":{"zoom:":{"validate":{"enabled":"state.zoom < 100","requires":[{"if":"state.rating > 7","else":"Rate it first."}]}}}}"#
    )
    let (text, help) = try refusal("zoom-")
    #expect(
      text == """
        'zoom-' (“T”) cannot be performed now: nobody from 'photoGrid' on can perform it.
        'other' can perform it, but not now: Rate it first. state.rating > 7 is false: state.rating is 0.
        """)
    #expect(
      help?[JSONPointer(["refusing"])] == [
        [
          "responder": "other", "reason": "ruleFalse", "explanation": "Rate it first.",
          "because": ["state.rating > 7 is false: state.rating is 0"],
        ]
      ])
  }

  @Test func `it tells which tool would help with which arguments`() throws {
    let select =
      #"{"perform":[{"op":"replace","path":"/selection","value":"['lake', parameters.with]"}]}"#
    try declare(
      "selectTwo:", select,
      command:
        #","agents":"plan","parameters":{"type":"object","properties":{"with":{"enum":["lake","owl"]}},"required":["with"]}"#
    )
    let (text, help) = try refusal("delete-")
    #expect(
      text.hasSuffix(
        "\nCalling 'selectTwo-' with {\"with\":\"lake\"} first would make it possible."))
    #expect(help?[JSONPointer(["tools"])] == ["selectTwo-"])
    #expect(help?[JSONPointer(["arguments"])] == ["selectTwo-": ["with": "lake"]])
  }

  @Test func `it tells which tool would help, as calling that shows`() throws {
    let select = #"{"perform":[{"op":"replace","path":"/selection","value":"['lake','owl']"}]}"#
    try declare("selectAll:", select)
    try declare("selectNone:", #"{"perform":[{"op":"replace","path":"/selection","value":"[]"}]}"#)
    try declare("eraseAll:", select, command: #","attributes":["destructive"]"#)
    try declare("hiddenAll:", select, command: #","attributes":["hidden"]"#)
    try declare(
      "selectSome:", select, command: #","parameters":{"type":"object","required":["which"]}"#)
    let revision = try sample.send(.get, "/sessions/demo").value("/revision")
    let (text, help) = try refusal("delete-")
    #expect(text.hasSuffix("\nCalling 'selectAll-' first would make it possible."))
    #expect(help?[JSONPointer(["tools"])] == ["selectAll-"])
    #expect(try sample.send(.get, "/sessions/demo").value("/revision") == revision)
    _ = try sample.call("selectAll-")
    #expect(try sample.call("delete-")[JSONPointer(["isError"])] == nil)
  }

  @Test func `a refusal takes bounded effort, and says if it tried less than everything`() throws {
    // Each takes a tenth of the steps that all tries may take.
    let slow =
      "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, a + b + c + d > 0))))"
    for number in 0..<60 {
      try declare("n\(number):", #"{"validate":{"enabled":"\#(slow)"}}"#)
    }
    let help = try refusal("delete-").help
    #expect(help?[JSONPointer(["complete"])] == false)
    #expect(help?[JSONPointer(["tools"])] == [])
  }

  @Test func `a refusal has at most 2 kB, whatever is in it`() throws {
    let long = String(repeating: "ä", count: 3000)
    try put("/commands/long:", #"{"title":"\#(long)","action":"long:"}"#)
    let conditions = (0..<40).map { "state.rating > \($0 + 1_000_000)" }.joined(separator: " || ")
    try put(
      "/sessions/demo/responders/photoGrid/handlers/long:",
      #"{"validate":{"enabled":"\#(conditions)"}}"#)
    let text = try refusal("long-").text
    #expect(text.utf8.count <= 2048)
    #expect(text.contains("state.rating > 1000000 is false: state.rating is 0"))
    let schema =
      #"{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}"#
    try declare("many:", "{}", command: #","parameters":\#(schema)"#)
    let numbers = (0..<400).map { "\($0)" }.joined(separator: ",")
    let many = try sample.call("many-", #"{"a":[\#(numbers)]}"#)
    let told = try #require(many.firstText)
    #expect(told.utf8.count <= 2048)
    #expect(told.contains("\n/arguments/a/0: Expected a string, found the number 0.\n"))
    #expect(told.hasSuffix(" more."))
    #expect(many.text().utf8.count < 32_768)
  }
}
