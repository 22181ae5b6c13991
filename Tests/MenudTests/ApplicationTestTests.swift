import Foundation
import FoundationXML
import Testing

/// `menud test`: the tests of applications.
@Suite(Program.isBuilt) struct ApplicationTestTests {
  @Test(arguments: [
    "adaptive-photos", "agent-tools", "bird-sightings", "control-room", "master-detail",
    "photo-app", "recipes",
    "shop", "text-editor",
  ])
  func `the tests of a sample pass, and see every condition both ways`(sample: String) throws {
    let outcome = try Program.run("test", "Config/\(sample)", "--strict")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.output)")
    #expect(outcome.output.contains(" 0 failed; "))
  }

  /// A folder of an application with one case.
  private func folder(_ tests: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(#"[{"title":"Copy","action":"copy:"}]"#, to: "commands.json")
    try folder.write(
      """
      {"state": {"n": 0}, "firstResponder": "list", "responders": {"list": {
        "kind": "view", "handlers": {"copy:": {
          "validate": {"enabled": "state.n < 1"},
          "perform": [{"op": "replace", "path": "/n", "value": "state.n + 1"}]}}}}}
      """, to: "session.json")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "tests"), withIntermediateDirectories: false)
    try folder.write(tests, to: "tests/copying.json")
    return folder
  }

  private static let counting = """
    {"cases": [
      {"title": "Copies \\"once\\" #1 <&>", "when": {"perform": "copy:"}, "then": {"state": {"n": 1}}},
      {"title": "Counts", "when": {"perform": "copy:"},
       "then": {"state": {"n": 2}, "disabled": ["copy:"], "enabled": ["copy:"]}}
    ]}
    """

  @Test func `a failure names its place, what was expected and what was found`() throws {
    let folder = try folder(Self.counting)
    let outcome = try Program.run("test", ".", in: folder.url)
    #expect(
      outcome
        == Program.Outcome(
          status: 1,
          output: """
            ./tests/copying.json:4:28: /cases/1/then/state/n: Counts: Expected 2, found 1.
            ./tests/copying.json:4:67: /cases/1/then/enabled/0: Counts: Expected true, found false.
            ./tests/copying.json:4:67: /cases/1/then/enabled/0: Counts: The item is not enabled, since \
            'ruleFalse'.
            2 cases, 1 failed; 1 of 1 conditions were true and false

            """, errors: ""), "\(outcome.output)")
  }

  @Test func `TAP and JUnit have the same`() throws {
    let folder = try folder(Self.counting)
    let tap = try Program.run("test", ".", "--format", "tap", "--strict", in: folder.url)
    #expect(tap.status == 1)
    #expect(
      tap.output.hasPrefix(
        "TAP version 14\n1..3\nok 1 - Copies \"once\" \\#1 <&>\nnot ok 2 - Counts\n  ---\n"))
    #expect(tap.output.contains("\nok 3 - Every condition was true and false\n"), "\(tap.output)")
    let junit = try Program.run("test", ".", "--format", "junit", in: folder.url)
    let parser = XMLText(junit.output)
    #expect(parser.isSound && parser.names == ["Copies \"once\" #1 <&>", "Counts"])
    #expect(parser.failures == 1)
  }

  @Test func `a condition that was not seen both ways fails when it is to`() throws {
    let folder = try folder(#"{"cases":[{"title":"A","expect":{"enabled":["copy:"]}}]}"#)
    let line =
      "./session.json:3:29: /responders/list/handlers/copy:/validate/enabled: never false: state.n < 1"
    for isStrict in [false, true] {
      let outcome = try Program.run(
        "test", ".", isStrict ? "--strict" : "--format=text", in: folder.url)
      #expect(outcome.status == (isStrict ? 1 : 0))
      #expect(outcome.output.hasPrefix(line), "\(outcome.output)")
    }
    let junit = try Program.run("test", ".", "--strict", "--format", "junit", in: folder.url)
    #expect(XMLText(junit.output).failures == 1)
  }

  @Test(arguments: [
    (#"{"cases":[]}"#, "/cases: Expected an array of 1 to 10000 elements, found an empty array."),
    (#"{"cases":[{"title":"A","expect":{}}]}"#, "/cases/0/expect: "),
    (#"{"cases":[{"title":"A","expect":{"itms":{"a":1}}}]}"#, "did you mean 'items'?"),
    (#"{"cases":[{"title":"A","then":{"chnages":1}}]}"#, "did you mean 'changes'?"),
    (
      #"{"cases":[{"title":"A","expect":{"keys":{"a":{"nothingLikeThis":1}}}}]}"#,
      "/keys/a/nothingLikeThis: There is no member 'nothingLikeThis' here; known are those of answers in "
        + "GET /openapi.json.\n"
    ),
    (#"{"cases":[{"title":"A","when":{"perfrom":"copy:"}}]}"#, "did you mean 'perform'?"),
    (#"{"cases":[{"title":"A","when":{"press":"foo"}}]}"#, "/cases/0/when/press: Expected a key"),
    (#"{"cases":[{"title":"A","when":{"undo":false}}]}"#, "/cases/0/when/undo: "),
    (#"{"cases":[{"title":"A","whan":{}}]}"#, "did you mean 'when'?"),
    (#"{"cases":[{"title":"A"}]}"#, "/cases/0: "),
    (#"{"cases":[{"title":"A","steps":[{"given":[]},{"given":[]}]}]}"#, "'expect'"),
    (#"{"cases":[{"title":"A","expect":{"items":{"copy:":{"enabeld":null}}}}]}"#, "'enabled'"),
    (#"{"cases":[{"title":"A","when":{"perform":"copy:"},"then":{"reson":null}}]}"#, "/reson"),
    (
      #"{"cases":[{"title":"A","expect":{"items":{"copy:":{}}}}]}"#, "/cases/0/expect/items/copy:: "
    ),
    (#"{"cases":[{"title":"A","expect":{"state":{}}}]}"#, "an object with at least one member"),
    (#"{"cases":[{"title":"A","expect":{"enabled":[],"state":{"n":1}}}]}"#, "/expect/enabled: "),
    (#"{"cases":[{"title":"A","expect":{"from":7,"enabled":["copy:"]}}]}"#, "/expect/from: "),
    (#"{"cases":[{"title":"A","expect":{"from":"list","state":{"n":1}}}]}"#, "'items'"),
    (#"{"cases":"#, "./tests/copying.json:1:10: "),
  ])
  func `mistakes of a file are told before anything runs`(tests: String, message: String) throws {
    let folder = try folder(tests)
    let outcome = try Program.run("test", ".", in: folder.url)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
  }

  @Test(arguments: [
    (#"{"expect":{"disabled":["nonsense:"]}}"#, "There is no command 'nonsense:'."),
    (#"{"when":{"undo":true}}"#, "There is nothing to undo."),
    (#"{"when":{"perform":"nonsense:"}}"#, "/when/perform: A: It was refused: There is no command"),
    (#"{"when":{"press":"cmd+j"}}"#, "/when/press: A: It was refused: "),
    (#"{"when":{"perform":"copy:","frm":"x"}}"#, "/when/frm: "),
    (#"{"given":[{"op":"replace","path":"/m","value":1}],"expect":{"state":{"n":1}}}"#, "/given/0"),
    (
      #"{"when":{"perform":"nonsense:"},"then":{"changes":null}}"#,
      "There is no command 'nonsense:'"
    ),
    (#"{"when":{"perform":"copy:","from":"nobody"},"then":{"state":{"n":0}}}"#, "/when/from: "),
    (#"{"expect":{"items":{"copy: Alps":{"state":"on"}}}}"#, "No menu shows an item 'Alps'"),
    (#"{"when":{"reply":1}}"#, "There is no open delivery."),
  ])
  func `what cannot be done fails at its place`(step: String, message: String) throws {
    let folder = try folder(#"{"cases":[{"title":"A","steps":[\#(step)]}]}"#)
    let outcome = try Program.run("test", ".", in: folder.url)
    #expect(outcome.status == 1)
    #expect(outcome.output.contains(message), "\(outcome.output)")
  }

  @Test func `each part of a refusal is a failure at its place`() throws {
    let action = #"{"perform":"copy:","parameters":{"a":1,"b":"c"}}"#
    let mutations = #"[{"op":"add","path":"n"},{"op":"focus","to":1}]"#
    let folder = try folder(
      #"{"cases":[{"title":"A","when":\#(action)},{"title":"B","given":\#(mutations),"when":{"undo":true}}]}"#
    )
    let schema =
      #"{"type":"object","properties":{"a":{"type":"string"},"b":{"enum":["d"]}}}"#
    try folder.write(
      #"[{"title":"Copy","action":"copy:","parameters":\#(schema)}]"#, to: "commands.json")
    let outcome = try Program.run("test", ".", in: folder.url)
    #expect(!outcome.output.contains("see 'errors'"), "\(outcome.output)")
    for words in [
      "/cases/0/when/parameters/a: A: It was refused: Expected a string, found the number 1.",
      "/cases/0/when/parameters/b: A: It was refused: Expected 'd', found the string 'c'.",
      "/cases/1/given/0/op: B: ", "/cases/1/given/1/op: B: ",
    ] {
      #expect(outcome.output.contains(words), "\(outcome.output)")
    }
  }

  @Test func `the terminal obeys no title and no message`() throws {
    let title = #"\u001b[31m\u202e\nnext"#
    let folder = try folder(
      #"{"cases":[{"title":"\#(title)","expect":{"state":{"n":1}}}]}"#)
    let outcome = try Program.run("test", ".", in: folder.url)
    #expect(
      outcome.output.contains("/state/n: �[31m��next: Expected 1, found 0.\n"),
      "\(outcome.output)")
    try folder.write(#"{"cases":[{"\#(title)":1}]}"#, to: "tests/copying.json")
    let errors = try Program.run("test", ".", in: folder.url).errors
    #expect(!errors.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(errors)")
    try folder.write(#"[{"title":"Copy","\#(title)":"copy:"}]"#, to: "commands.json")
    let check = try Program.run("check", ".", in: folder.url).output
    #expect(check.contains("'�[31m��next'"), "\(check)")
  }

  @Test func `a folder without tests is told`() throws {
    let folder = try folder("{}")
    try FileManager.default.removeItem(at: folder.url.appending(path: "tests/copying.json"))
    let outcome = try Program.run("test", ".", in: folder.url)
    #expect(outcome.status == 1)
    #expect(outcome.errors == "menud: There are no tests: './tests' has no JSON file.\n")
  }
}

/// The test cases in JUnit's XML.
private final class XMLText: NSObject, XMLParserDelegate {
  private(set) var names: [String] = []
  private(set) var failures = 0
  private(set) var isSound = false

  init(_ text: String) {
    super.init()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = self
    isSound = parser.parse()
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if name == "testcase", let title = attributes["name"] { names.append(title) }
    if name == "failure" { failures += 1 }
  }
}
