import Foundation
import JSONText
import StoreSupport
import Testing

@testable import menud

/// The subcommands of `menud do`, and their exit codes.
@Suite(Program.isBuilt) struct DoTests {
  private static let heading = "COMMAND  TITLE"

  @Test func `items tells titles, states, keys, targets and reasons`() throws {
    let shell = try DoShell()
    #expect(
      try shell.run("items", "copy:", "zoomIn:", "toggleAlbum:/Coast")
        == Program.Outcome(
          status: 0,
          output: """
            COMMAND             TITLE    STATE     KEY     TARGET or WHY
            copy:               Copy     enabled   ctrl+c  photoGrid
            zoomIn:             Zoom In  disabled  ctrl++  Open a photo first.
            toggleAlbum:/Coast  Coast    off               photoGrid

            """, errors: ""))
    let all = try shell.run("items", "--platform", "apple").lines
    #expect(all.count > 30)
    #expect(all.contains { $0.hasPrefix("copy: ") && $0.contains(" cmd+c ") })
    #expect(all.contains { $0.hasPrefix("toggleAlbum:/Alps ") && $0.contains(" on ") })
    #expect(try shell.run("items", "--json").output.utf8.first == UInt8(ascii: "{"))
    let menu = try shell.ask("GET", "/sessions/demo/menu").body
    #expect(try shell.run("items", "--json").output == String(decoding: menu, as: UTF8.self) + "\n")
  }

  @Test func `menu is a tree with marks, keys and reasons`() throws {
    let shell = try DoShell()
    let lines = try shell.run("menu").lines
    #expect(lines.first == "Photos")
    #expect(lines.contains { $0.hasPrefix("    Copy ") && $0.hasSuffix("ctrl+c") })
    #expect(lines.contains { $0.contains("Zoom In") && $0.hasSuffix("Open a photo first.") })
    #expect(
      try shell.run("menu", "albums")
        == Program.Outcome(
          status: 0, output: "Albums\n  ✓ Alps\n    Coast\n    Owls\n", errors: ""))
    #expect(try shell.run("menu", "nowhere").status == 2)
  }

  @Test func `search finds what cannot be performed, too, and says why`() throws {
    let shell = try DoShell()
    let outcome = try shell.run("search", "zoom", "in")
    #expect(outcome.lines.dropFirst().first?.hasPrefix("zoomIn:") == true)
    #expect(outcome.lines.dropFirst().first?.hasSuffix("Open a photo first.") == true)
    #expect(try shell.run("search", "rot lft", "--json").json.list("items").count == 1)
  }

  @Test func `perform, undo, redo, history and patch`() throws {
    let shell = try DoShell()
    let rotated = "    state /photos/lake/rotation 270\n"
    #expect(
      try shell.run("perform", "rotateLeft:", "--dry-run").output
        == "would do: rotateLeft: at photoGrid\n" + rotated)
    #expect(
      try shell.run("perform", "rotateLeft:").output == "1  rotateLeft: at photoGrid\n" + rotated)
    #expect(
      try shell.run("undo").output
        == "2  undo “Rotate Left”\n    state /photos/lake/rotation 0\n")
    #expect(try shell.run("redo").output == "3  redo “Rotate Left”\n" + rotated)
    let nothing = try shell.run("redo")
    #expect(nothing.status == 1)
    #expect(nothing.errors == "menud: There is nothing to redo.\n")
    #expect(try shell.run("patch", #"{"album":"Coast"}"#).output.hasPrefix("4  state\n"))
    let operations = #"[{"op":"replace","path":"/album","value":"Alps"}]"#
    #expect(try shell.run("patch", operations, "--undo", "Typing").status == 0)
    #expect(try shell.run("undo").output.hasPrefix("6  undo “Typing”\n"))
    let history = try shell.run("history", "--limit", "6").output
    #expect(history.contains("1  local (service)  “Rotate Left” rotateLeft: at photoGrid\n"))
    #expect(try shell.run("history", "--json").json.list("entries").count == 6)
    #expect(try shell.run("patch", "{").status == 64)
    #expect(try shell.run("patch", "[1]").status == 2)
  }

  @Test func `P2: each wrong parameter is named`() throws {
    let shell = try DoShell()
    let schema =
      #"{"type":"object","properties":{"width":{"type":"number","minimum":16},"fit":{"enum":["a"]}}}"#
    try shell.declare("resize:", #""title":"Resize","parameters":\#(schema)"#)
    func errors(_ arguments: String...) throws -> String {
      try shell.start(arguments).outcome().errors
    }
    #expect(
      try errors("perform", "resize:", "width=8", "fit=b")
        == """
        menud: /parameters/width: Expected a number that is at least 16, found the number 8.
          /parameters/fit: Expected 'a', found the string 'b'.

        """)
    #expect(
      try errors("perform", "toggleAlbum:", "--parameters", #"{"album":5}"#)
        == "menud: /parameters/album: The parameters of the command 'toggleAlbum:' do not fit. "
        + "Expected a string, found the number 5.\n")
    #expect(
      try errors("search", "x", "--limit", "0")
        == "menud: /limit: Expected an integer from 1 to 100, found the number 0.\n")
    let digits = "12345678901234567890"
    let reason = "Line 1, column 1: the integer has more digits than 64 bits and a double hold"
    #expect(
      try errors("perform", "resize:", "width=\(digits)")
        .hasPrefix("menud: The parameter 'width' cannot be read. \(reason)"))
    #expect(
      try errors("perform", "resize:", "--parameters", "[\(digits)]")
        .hasPrefix("menud: '--parameters' is a JSON object. Line 1, column 2: the integer"))
  }

  @Test func `K9: press reads keys as keymaps write them`() throws {
    let shell = try DoShell()
    #expect(
      try shell.run("press", "ctrl+5").output
        == "1  applyFiveStarRating: at photoGrid\n    state /photos/lake/rating 5\n")
    #expect(try shell.run("press", "cmd+3", "--platform", "apple").status == 0)
    let unknown = try shell.run("press", "ctrl+nothing")
    #expect(unknown.status == 64)
    #expect(unknown.errors == "menud: There is no key 'nothing' in 'ctrl+nothing'.\n")
    #expect(try shell.run("press", "insert").status == 64)
    #expect(try shell.run("press", "ctrl++").status == 1)
    for key in ["ctrl+k ctrl+s", "meta+a", "f12", "enter"] {
      #expect(
        try shell.run("press", key)
          == Program.Outcome(
            status: 1, output: "",
            errors:
              "menud: The key '\(key)' does nothing here: no command or key command matches it.\n"
          ))
    }
  }

  @Test func `T5: a refused key is in the history`() throws {
    let shell = try DoShell(with: ["MENUD_HISTORY_REFUSALS": "true"])
    #expect(try shell.run("press", "ctrl+k").status == 1)
    let line = "  local (service)  ctrl+k refused: noMatch\n"
    let history = try shell.run("history").output
    #expect(history.hasSuffix(line), "\(history)")
    let other = try Program.run("history", "demo", "--port", "\(shell.port)").output
    #expect(other.hasSuffix(line), "\(other)")
  }

  @Test func `a parameter is read by the type in the schema`() throws {
    let shell = try DoShell()
    let schema = #"""
      {"type":"object","properties":{"word":{"type":"string"},"many":{"type":"integer"},
      "part":{"$ref":"#/$defs/part"},"is":{"type":"boolean"},"fit":{"enum":["crop","pad"]},
      "list":{"type":"array"}},"$defs":{"part":{"type":"number"}},"additionalProperties":false}
      """#
    try shell.declare(
      "resize:", #""title":"Resize","parameters":\#(schema)"#,
      handler: #"{"perform":[{"op":"add","path":"/size","value":"parameters"}]}"#)
    let given = ["word=5", "many=-5", "part=0.5", "is=true", "fit=crop", "list=[1]"]
    let outcome = try shell.start(["perform", "resize:", "--json"] + given).outcome()
    #expect(
      outcome.json[JSONPointer(["changes", "0", "value"])]?.text()
        == #"{"word":"5","many":-5,"part":0.5,"is":true,"fit":"crop","list":[1]}"#)
    let wrong = try shell.run("perform", "resize:", "many=five")
    #expect(wrong.status == 2)
    #expect(
      wrong.errors == "menud: The parameter 'many' is of type integer, and 'five' is not.\n")
    let refused = try shell.run("perform", "resize:", "fit=crap", "size=1")
    #expect(refused.status == 2)
    #expect(refused.errors.contains("did you mean 'crop'?"))
    #expect(try shell.run("perform", "resize:", "--parameters", "[]").status == 64)
    #expect(try shell.run("perform", "resize:", "=5").status == 64)
    #expect(try shell.run("perform", "resize:", "--parameters", #"{"many":1}"#).status == 0)
  }

  @Test func `W4: a confirmation is said, or asked of a person`() throws {
    let shell = try DoShell()
    try shell.declare("burn:", #""title":"Burn","confirmation":{"title":"Burn it?"}"#)
    let refused = try shell.run("perform", "burn:")
    #expect(refused.status == 1)
    #expect(refused.errors == "menud: Burn it? Say --confirm to perform it.\n")
    #expect(try shell.run("perform", "burn:", "--confirm").status == 0)
    #expect(try shell.run("perform", "burn:", "--dry-run").status == 0)
    for (answer, status, word) in [("y", 0, "burn: at application"), ("n", 1, "not confirmed")] {
      let script =
        "(sleep 1; echo \(answer)) | script -qec '\(Program.file.path) do perform burn:' /dev/null"
      let asked = try shell.shell(script)
      #expect(asked.status == status)
      #expect(asked.output.contains("Burn it?"))
      #expect(asked.output.contains("Perform? [y/N]"))
      #expect(asked.output.contains(word))
    }
  }

  @Test func `D3: perform waits for what it delivers`() throws {
    let shell = try DoShell()
    let unsettled = try shell.run("perform", "exportPhotos:", "--wait", "1")
    #expect(unsettled.status == 5)
    #expect(unsettled.errors.hasSuffix("is not settled yet.\n"))
    let deliveries = "/sessions/demo/deliveries"
    func settle(_ verb: String, _ body: String) throws {
      var id = JSON.null
      _ = eventually {
        let claimed = try? shell.ask("POST", deliveries + "/claim", #"{"by":"worker"}"#)
        id = claimed?["/delivery/id"] ?? .null
        return id != .null
      }
      let answer = try shell.ask("POST", "\(deliveries)/\(id.text())/\(verb)", body)
      #expect(answer.status == 200)
    }
    let problem = #"{"claim":1,"problem":{"title":"The disk is full."}}"#
    try settle("fail", problem)
    let replied = try shell.start(["perform", "exportPhotos:", "--wait", "60"])
    try settle("reply", #"{"claim":1,"result":{"lake":"lake.jpg"}}"#)
    #expect(try replied.outcome().status == 0)
    #expect(replied.output.contains(#"delivery 2 replied {"lake":"lake.jpg"}"#))
    let waiting = try shell.start(["perform", "exportPhotos:", "--wait", "60"])
    try settle("fail", problem)
    let outcome = try waiting.outcome()
    #expect(outcome.status == 1)
    #expect(outcome.errors == "menud: The disk is full.\n")
  }

  @Test func `D3: perform waits for the delivery also where the server does not wait`() throws {
    let shell = try DoShell(with: ["MENUD_SERVER_MAXIMUM_REQUESTS_IN_FLIGHT": "4"])
    let outcome = try shell.shell(
      """
      cd "$(mktemp -d)"; PATH="\(Program.file.deletingLastPathComponent().path):$PATH"; export MENUD_SESSION=demo
      ask() { curl -s --retry 5 --json "$2" "$MENUD_SERVER$1"; }
      for _ in 1 2; do
        curl -s -H 'Prefer: wait=25' --json '{"commands":["none:"]}' "$MENUD_SERVER/deliveries/claim" &
      done
      sleep 1
      menud do perform exportPhotos: --wait 60 > told 2>&1 & performing=$!
      until [ "$(curl -s "$MENUD_SERVER/sessions/demo/deliveries" | grep -c '"open"')" = 1 ]; do sleep 0.1; done
      sleep 1
      ask /sessions/demo/deliveries/1/claim '{}' > claimed; sleep 1
      kill -0 $performing && echo waits
      ask /sessions/demo/deliveries/1/reply '{"claim":1,"result":"lake.jpg"}' > replied
      wait $performing; echo "status $?"; cat told
      """)
    #expect(outcome.lines.prefix(2) == ["waits", "status 0"], "\(outcome)")
    #expect(outcome.output.contains(#"delivery 1 replied "lake.jpg""#), "\(outcome)")
    withExtendedLifetime(shell) {}
  }

  @Test func `sessions are listed, and one must be named if there are several`() throws {
    let shell = try DoShell()
    #expect(
      try shell.run("sessions").output
        == "SESSION  REVISION  FIRST RESPONDER\ndemo     0         photoGrid\n")
    try shell.ask("POST", "/sessions", #"{"id":"tablet"}"#)
    let several = try shell.run("perform", "rotateLeft:")
    #expect(several.status == 2)
    #expect(
      several.errors.hasPrefix("menud: Several sessions are open: ")
        && several.errors.contains("Name one by --session or MENUD_SESSION."))
    #expect(try shell.run("perform", "rotateLeft:", "--session", "tablet").status == 0)
    #expect(try shell.run("items", "cut:", with: ["MENUD_SESSION": "tablet"]).status == 0)
    try shell.ask("DELETE", "/sessions/tablet")
    try shell.ask("DELETE", "/sessions/demo")
    #expect(try shell.run("undo").errors == "menud: No session is open.\n")
  }

  @Test(arguments: [
    (["perform", "zoomIn:"], 1, "The command 'zoomIn:' is disabled: Open a photo first."),
    (
      ["perform", "nothing:"], 2,
      "There is no command 'nothing:'; GET /commands lists those that are declared."
    ),
    (["perform", "cut:", "--session", "dem"], 2, "No session 'dem' is open"),
    (["items", "toggleAlbum:/Nowhere"], 2, "No menu has an item 'toggleAlbum:/Nowhere' now."),
    (["items", "copy:", "copi:"], 2, "There is no command 'copi:'."),
    (["items", "--json", "toggleAlbum:/Coast"], 2, "'toggleAlbum:/Coast' is an item of a menu"),
    (["patch", #"[{"op":"remove","path":"/nowhere"}]"#], 2, "/nowhere"),
    (
      ["items", "--server", "http://bob:secret@localhost:1/", "--timeout", "1"], 4,
      "menud: http://localhost:1 does not answer"
    ),
    (["items", "--server", "bob:secret@localhost"], 64, "menud: 'localhost' is no address"),
    (["items", "--server", "localhost"], 64, "'localhost' is no address of a server"),
    (["items", "--server", "ftp://localhost"], 64, "'ftp://localhost' is no address of a server"),
    (["items", "--server", "http://localhost:1", "--timeout", "1"], 4, "does not answer"),
    (["perform", "nothing:", "album"], 64, "'album' is no parameter; write it as NAME=VALUE."),
    (["perform", "cut:", "--parameters", "[]"], 64, "'--parameters' is a JSON object."),
    (["items", "--timeout", "soon"], 64, "timeout"), (["perform"], 64, "command"),
    (["items", "--wrong"], 64, "wrong"), (["follow", "--count", "0"], 64, "'--count'"),
    (["follow", "toggleAlbum:/Coast"], 64, "'toggleAlbum:/Coast' is an item of a menu"),
    (["follow", "copy:", "nope:"], 2, "There is no command 'nope:'."),
    (["history", "--session", "../x"], 2, "No session '../x' is open."),
  ])
  func `the exit code tells scripts why`(
    arguments: [String], status: Int32, words: String
  ) throws {
    let shell = try DoShell()
    let outcome = try shell.start(arguments).outcome()
    defer { withExtendedLifetime(shell) {} }
    #expect(outcome.status == status, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test func `a refusal is printed as the server wrote it with --json`() throws {
    let shell = try DoShell()
    let outcome = try shell.run("perform", "zoomIn:", "--json")
    defer { withExtendedLifetime(shell) {} }
    #expect(outcome.status == 1)
    #expect(outcome.json.text("type") == "/problems/not-performed")
    #expect(outcome.json.text("explanation") == "Open a photo first.")
    let unknown = try shell.run("items", "--json", "copi:")
    #expect(unknown.status == 2)
    #expect(unknown.json.list("items").first?.text("reason") == "unknownCommand")
    #expect(unknown.errors == "menud: There is no command 'copi:'.\n")
  }

  @Test func `every exit code is in the page and in the help`() throws {
    let page = try DocumentationPage("docs/shell.md").text
    let help = try Program.run("do", "--help").output.replacing(/\s+/, with: " ")
    for code in DoExit.allCases {
      #expect(page.contains("| \(code.rawValue) | "), "\(code)")
      #expect(help.contains("\(code.rawValue): \(code.about)"), "\(code)")
    }
  }
}
