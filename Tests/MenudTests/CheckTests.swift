import Foundation
import Testing

@Suite(Program.isBuilt) struct CheckTests {
  @Test func `the sample has no mistake`() throws {
    let outcome = try Program.run("check", "Config/photo-app")
    #expect(
      outcome
        == Program.Outcome(
          status: 0,
          output: """
            ok: Config/photo-app has 33 commands, 13 menus, 6 classes, 13 responders

            """, errors: ""))
  }

  @Test(arguments: ["Config", "Config/", "Config/menud.json"])
  func `a configuration is checked together with its application`(path: String) throws {
    let outcome = try Program.run("check", path)
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("ok: Config/photo-app has 33 commands"))
  }

  @Test(arguments: ["-wal", "-journal"])
  func `a log without its journal is a mistake, as it is for a start`(end: String) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/menud.db"
    try folder.write("log", to: "menud.db\(end)")
    let outcome = try Program.run(
      "check", "Config/photo-app", "--journal", environment: ["MENUD_JOURNAL_PATH": path])
    #expect(outcome.status == 1)
    #expect(
      outcome.output.hasPrefix(
        "journal: \(path): It is not there, but \(path)\(end), which belongs to it, is."),
      "\(outcome.output)")
  }

  @Test func `all mistakes of a configuration are listed`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"server": {"port": 70000, "hots": "::1", "headerTimeout": "10s"}, "log": [],
       "sesions": ["demo"], "sessions": ["a b"]}
      """, to: "menud.json")
    let outcome = try Program.run("check", "menud.json", in: folder.url)
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        menud.json:1:21: /server/port: Expected an integer from 0 to 65535, found 70000.
        menud.json:1:28: /server/hots: There is no setting 'hots' here; did you mean 'host'?
        menud.json:1:60: /server/headerTimeout: Expected a number of seconds from 0 to 86400, found \
        "10s".
        menud.json:1:75: /log: Expected an object, found [].
        menud.json:2:2: /sesions: There is no setting 'sesions' here; did you mean 'sessions'?
        menud.json:2:36: /sessions/0: Expected names of sessions, each of 1 to 128 of the characters A-Z, \
        a-z, 0-9, _, ., : and -, other than . and .., found ["a b"].

        """)
  }

  @Test func `all mistakes of an application are listed, each with its place`() throws {
    let folder = try Sample.copy([
      ("commands", #""tilte": "Open…""#, for: #""title": "Open…""#),
      ("commands", #""action": "cut:""#, for: #""action": "copy:""#),
      ("commands", #""input": "5""#, for: #""input": "4""#),
      ("menus", #""zoomOff:""#, for: #""zoomOut:""#),
      ("menus", #""identifier": "zoom""#, for: #""identifier": "sort""#),
      ("classes", #""!state.app.isHidden)""#, for: #""!state.app.isHidden""#),
      ("classes", #""op": "sned""#, for: #""op": "send""#),
      ("session", #""class": "PhotoGird""#, for: #""class": "PhotoGrid""#),
    ])
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        app/commands.json:26:5: /4/tilte: There is no member 'tilte' here; did you mean 'title'?
        app/commands.json:67:3: /11: The command 'cut:' is declared already, and differently; change one \
        of them, or give it another id. The other one stands at app/commands.json:61:3: /10.
        app/commands.json:115:3: /19: The commands 'applyFiveStarRating:' and 'applyFourStarRating:' have \
        the same key 'command+5'; give one of them another. The other one stands at app/commands.json:109:3: /18.
        app/menus.json:18:7: /2/children/2: The menus name the command 'copy:', which is not declared; \
        declare it first.
        app/menus.json:77:33: /4/children/0/children/1: The menus name the command 'zoomOff:', which is \
        not declared; did you mean 'zoomOut:'?
        app/menus.json:81:23: /4/children/2/identifier: Two menus have the identifier 'zoom'; give one of \
        them another. The other one stands at app/menus.json:75:23: /4/children/0/identifier.
        app/classes.json:35:42: /PhotoAppDelegate/handlers/hide:/validate/requires/0/if: The rule does not \
        compile: expected an operator or the end, found ')' at offset 19 (line 1, column 20).
        app/classes.json:110:19: /PhotoGrid/handlers/applyNoStarRating:/perform/0/op: Expected \
        one of 94 words, which GET /openapi.json lists, found the string 'sned'; did you mean 'send'?
        app/session.json:58:44: /responders/photoGrid/class: The class 'PhotoGird' of the responder \
        'photoGrid' is not declared.

        """)
    let start = try Program.run("serve", "--application", "app", in: folder.url)
    #expect(start.status == 78)
    let lines = outcome.output.split(separator: "\n").map { "menud: \($0)\n" }.joined()
    #expect(start.errors == lines)
  }

  @Test func `W3: what can be disabled without words is listed, if asked`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"""
      [{"title": "A", "action": "a:", "unavailable": "Not here."}, {"title": "B", "action": "b:"},
       {"id": "c", "title": "C"}]
      """#, to: "app/commands.json")
    try folder.write(
      #"""
      {"Grid": {"superclass": "UIView", "handlers": {
        "a:": {"validate": {"enabled": "true && false", "requires": [{"if": false, "else": "No."}]}},
        "b:": {"validate": {"requires": [{"if": "false", "else": "No."}], "enabled": "true"}}}}}
      """#, to: "app/classes.json")
    try folder.write(
      #"{"state": {"validate": {"enabled": "yes"}}, "responders": {}}"#, to: "app/session.json")
    let outcome = try Program.run("check", "app", "--words", in: folder.url)
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        app/commands.json:1:62: /1: notice: The command gives no words when nobody handles it; declare \
        'unavailable'.
        app/classes.json:2:34: /Grid/handlers/a:/validate/enabled: notice: The rule disables items without \
        words; say why with 'requires'.
        ok: app has 3 commands, 0 menus, 1 class, 0 responders

        """)
    let json = try Program.run("check", "app", "--words", "--format", "json", in: folder.url)
    #expect(json.output.hasPrefix(#"{"ok":true,"errors":0,"warnings":0,"notices":2,"findings":["#))
    #expect(!(try Program.run("check", "app", in: folder.url)).output.contains("notice"))
  }

  @Test func `a colon too many or too few is named`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"""
      [{"title": "Read", "action": "markAsRead"}, {"title": "Flag", "action": "flag:"}]
      """#, to: "app/commands.json")
    try folder.write(#"["markAsRead:", "flag", "ghost"]"#, to: "app/menus.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(
      outcome.output == """
        app/menus.json:1:2: /0: The menus name the command 'markAsRead:', which is not declared; did you \
        mean 'markAsRead'? A colon stands for an argument, such as the sender; write both alike.
        app/menus.json:1:17: /1: The menus name the command 'flag', which is not declared; did you mean \
        'flag:'? A colon stands for an argument, such as the sender; write both alike.
        app/menus.json:1:25: /2: The menus name the command 'ghost', which is not declared; declare it first.

        """)
    try folder.write(#"["markAsRead", "flag:"]"#, to: "app/menus.json")
    try folder.write(
      #"""
      {"Inbox": {"superclass": "UIView", "handlers": {"markAsRead:": {}, "flag:": {}}}}
      """#, to: "app/classes.json")
    try folder.write(
      #"{"responders": {"inbox": {"kind": "view", "class": "Inbox"}}}"#, to: "app/session.json")
    let warned = try Program.run("check", "app", in: folder.url)
    #expect(warned.status == 0)
    #expect(
      warned.output.contains(
        "Nobody handles 'markAsRead': no class, and no responder of a session as it begins; did you mean "
          + "'markAsRead:'? A colon stands for an argument, such as the sender; write both alike."))
  }

  @Test func `a misspelt member is one mistake, with the one that was meant`() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"Grid": {"superClass": "UIView"}}"#, to: "app/classes.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(
      outcome.output == """
        app/classes.json:1:11: /Grid/superClass: There is no member 'superClass' here; did you mean \
        'superclass'?

        """)
  }

  @Test func `files that are misspelt or lead nowhere are named`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[]", to: "app/comands.json")
    try folder.write(#"["copy:"]"#, to: "app/menus.json")
    try folder.write("{}", to: "app/notes.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/app/classes.json", withDestinationPath: "nowhere.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        app/comands.json: No part of an application is called so; did you mean 'commands.json'?
        app/classes.json: It cannot be read: No such file or directory.
        app/notes.json: warning: No part of an application is called so; nothing reads this file.

        """)
    let start = try Program.run("serve", "--application", "app", in: folder.url)
    #expect(start.status == 78)
  }

  @Test func `a file that is too large or no file at all is not read`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[]", to: "app/commands.json")
    try folder.write("[]", to: "app/menus.json")
    let menus = try FileHandle(forWritingTo: folder.url.appending(path: "app/menus.json"))
    try menus.truncate(atOffset: 16_777_217)
    try FileManager.default.createDirectory(
      atPath: folder.path + "/app/classes.json", withIntermediateDirectories: true)
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        app/menus.json: The file has more than 16777216 bytes.
        app/classes.json: There is no regular file at this path.

        """)
  }

  @Test func `a byte order mark is called by its name`() throws {
    let folder = try TemporaryFolder()
    try folder.write("\u{FEFF}[]", to: "app/commands.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(
      outcome.output == """
        app/commands.json:1:1: It is not JSON: the text begins with a byte order mark (U+FEFF); save it \
        as UTF-8 without one.

        """)
  }

  /// Returns the words of the faults of an application with these classes alone.
  private func faults(ofClasses classes: String) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write(classes, to: "app/classes.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 1)
    return outcome.output
  }

  @Test func `a class with an unknown superclass gets the list of known ones`() throws {
    let found = try faults(
      ofClasses: #"{"Grid": {"superclass": "UIVeiw"}, "List": {"superclass": "Ghost"}}"#)
    let known = """
      'UIApplication', 'UINavigationController', 'UIResponder', 'UIScene', 'UISplitViewController', \
      'UITabBarController', 'UIView', 'UIViewController' and 'UIWindow'.
      """
    #expect(
      found == """
        app/classes.json:1:10: /Grid: The class 'Grid' inherits from 'UIVeiw', which is not declared; did \
        you mean 'UIView'? There are 'List', \(known)
        app/classes.json:1:44: /List: The class 'List' inherits from 'Ghost', which is not declared. There \
        are 'Grid', \(known)

        """)
  }

  @Test func `a category of a class with its own name, which is not there, is found at its place`()
    throws
  {
    let found = try faults(
      ofClasses: #"{"Z": {"superclass": "UIView"}, "Q": {"category": true, "handlers": {}}}"#)
    #expect(
      found == """
        app/classes.json:1:38: /Q: The category 'Q' adds to the class 'Q', which is not declared.

        """)
  }

  @Test func `a session that cannot be opened is found too`() throws {
    let folder = try Sample.copy([
      ("session", #""windowScene": "scenes""#, for: #""windowScene": "scene""#)
    ])
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 1)
    #expect(
      outcome.output.hasPrefix("app/session.json:54:73: /responders/window/windowScene: "),
      "\(outcome.output)")
  }

  @Test func `a file that is no JSON hides only what depends on it`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[\n  {,}]", to: "app/commands.json")
    try folder.write(
      #"["nobody:", {"identifier": "a", "titel": "A"}, {"identifier": "a"}]"#, to: "app/menus.json")
    try folder.write(#"{"Grid": {}}"#, to: "app/classes.json")
    try folder.write(#"{"responders": {"a": {"kind": "vew"}}}"#, to: "app/session.json")
    let check = { try Program.run("check", "app", in: folder.url) }
    let others = """
      app/menus.json:1:33: /1/titel: There is no member 'titel' here; did you mean 'title'?
      app/menus.json:1:63: /2/identifier: Two menus have the identifier 'a'; give one of them \
      another. The other one stands at app/menus.json:1:28: /1/identifier.
      app/classes.json:1:10: /Grid: The member 'superclass' is missing.
      app/session.json:1:31: /responders/a/kind: Expected 'application', 'delegate', 'scene', \
      'window', 'viewController', 'view' or 'responder', found the string 'vew'; did you mean 'view'?

      """
    let outcome = try check()
    #expect(outcome.status == 1)
    #expect(
      outcome.output
        == "app/commands.json:2:4: It is not JSON: a member's name in double quotes is expected here.\n"
        + others)
    try folder.write("{}", to: "app/commands.json")
    #expect(
      try check().output
        == "app/commands.json:1:1: Expected an array, found an empty object.\n" + others)
  }

  @Test func `mistakes in storyboards and protocols are listed, each with its place`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"Main": {"initialViewController": "lst", "scenes": {
        "list": {"class": "Lst", "segues": [
          {"identifier": "Show", "kind": "push", "destination": "detail"},
          {"identifier": "Show", "kind": "unwind", "destination": "list"}]},
        "loop": {"viewControllers": ["loop"]}}}}
      """, to: "app/storyboards.json")
    try folder.write(#"{"P": {"required": ["a:"], "optional": ["a:"]}}"#, to: "app/protocols.json")
    try folder.write(
      #"{"List": {"superclass": "UIView", "delegateProtocol": "Q"}}"#, to: "app/classes.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        app/protocols.json:1:41: /P/optional/0: The protocol 'P' has the message 'a:' twice. The other \
        one stands at app/protocols.json:1:21: /P/required/0.
        app/classes.json:1:55: /List/delegateProtocol: The delegates of the class 'List' are of the \
        protocol 'Q', which is not declared.
        app/storyboards.json:1:36: /Main/initialViewController: The storyboard 'Main' has no scene \
        'lst'.
        app/storyboards.json:2:21: /Main/scenes/list/class: The class 'Lst' in the scene 'list' is \
        not declared.
        app/storyboards.json:4:5: /Main/scenes/list/segues/1: The member 'action' is missing.
        app/storyboards.json:4:61: /Main/scenes/list/segues/1/destination: A segue of kind 'unwind' has \
        no 'destination'; only those of kind 'show', 'showDetail', 'present', 'push', 'popover', \
        'embed' or 'custom' can have one.
        app/storyboards.json:5:11: /Main/scenes/loop: The scenes 'loop' → 'loop' would be \
        instantiated with themselves without end.

        """)
  }

  @Test func `findings can be had as JSON, with the same exit codes`() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"{"state": {"draft": 1}, "responders": {}}"#, to: "app/session.json")
    let rule = #"{"handlers": {"a:": {"canPerform": "state.draftt == 1"}}, "superclass": "UIView"}"#
    try folder.write("{\"é\": {}, \"Page\": \(rule)}", to: "app/classes.json")
    let check = { (arguments: [String]) in
      try RunningProgram(["check", "app", "--format", "json"] + arguments, in: folder.url).outcome()
    }
    let warning = { (column: Int) in
      #"""
      {"severity":"warning","kind":"missingMember","file":"app/classes.json","line":1,\#
      "column":\#(column),"pointer":"/Page/handlers/a:/canPerform",\#
      "message":"The rule reads 'state.draftt', which a session does not have as it begins; \#
      did you mean 'draft'?"}
      """#
    }
    #expect(
      try check(["--maximum-nodes", "x"])
        == Program.Outcome(
          status: 1,
          output: #"""
            {"ok":false,"errors":3,"warnings":1,"findings":[\#
            {"severity":"error","setting":"--maximum-nodes",\#
            "message":"Expected an integer from 1 to 65536, found \"x\"."},\#
            {"severity":"error","file":"app/classes.json","line":1,"column":7,"pointer":"/é",\#
            "message":"Expected an identifier (1 to 128 letters A to Z and a to z, digits and '_', '.', \#
            ':', '-'), found the string 'é'."},\#
            {"severity":"error","file":"app/classes.json","line":1,"column":7,"pointer":"/é",\#
            "message":"The member 'superclass' is missing."},\#
            \#(warning(54))]}

            """#, errors: ""))
    try folder.write("{\"Page\": \(rule)}", to: "app/classes.json")
    #expect(
      try check([])
        == Program.Outcome(
          status: 0,
          output: #"{"ok":true,"errors":0,"warnings":1,"findings":[\#(warning(45))]}"# + "\n",
          errors: ""))
    let missing = try Program.run("check", "nowhere.json", "--format", "json")
    #expect(missing.status == 1)
    #expect(
      missing.output == #"""
        {"ok":false,"errors":1,"warnings":0,"findings":[{"severity":"error","file":"nowhere.json",\#
        "message":"It cannot be read: No such file or directory."}]}

        """#)
  }

  @Test func `the other place of a duplicate has its file, line and column`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"Grid": {"superclass": "UIView", "keyCommands": [
        {"input": "n", "action": "a:"},
        {"input": "n", "action": "b:"}]}}
      """, to: "app/classes.json")
    let sentence =
      "The key commands 'a:' and 'b:' have the same key 'n'; give one of them another, or each a "
      + "'when' of its own. The other one stands at app/classes.json:2:3: /Grid/keyCommands/0."
    let text = try Program.run("check", "app", in: folder.url)
    #expect(text.output == "app/classes.json:3:3: /Grid/keyCommands/1: \(sentence)\n")
    let json = try Program.run("check", "app", "--format", "json", in: folder.url)
    #expect(
      json.output == #"""
        {"ok":false,"errors":1,"warnings":0,"findings":[{"severity":"error",\#
        "file":"app/classes.json","line":3,"column":3,"pointer":"/Grid/keyCommands/1",\#
        "message":"\#(sentence)","other":{"file":"app/classes.json","line":2,"column":3,\#
        "pointer":"/Grid/keyCommands/0"}}]}

        """#)
  }

  @Test func `mistakes of a configuration do not hide those of its application`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"application": "app", "server": {"port": 70000, "host": "0.0.0.0"},
       "auth": {"administratorToken": "short", "administratorTokenFile": "tokens"},
       "tls": {"certificate": "none.pem", "key": 5}}
      """, to: "menud.json")
    try folder.write("[5]", to: "app/commands.json")
    try folder.write("short", to: "tokens")
    let outcome = try Program.run("check", "menud.json", in: folder.url)
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        menud.json:1:43: /server/port: Expected an integer from 0 to 65535, found 70000.
        menud.json:2:33: /auth/administratorToken: Expected 16 to 1024 letters, digits and '-._~+/', \
        then '=' if any.
        menud.json:3:44: /tls/key: Expected a string, found 5.
        tokens:1:1: It should be a token: 16 to 1024 letters, digits and '-._~+/', then '=' if any.
        app/commands.json:1:2: /0: Expected an object, found the number 5.

        """)
  }

  @Test(arguments: [
    (
      #"{"server": {"host": "0.0.0.0"}, "log": {"levl": "info"}, "tls": {"key": "k.pem"}}"#,
      ["/log/levl", "tls.certificate", "auth.administratorToken"]
    ),
    (
      #"{"server": {"host": "0.0.0.0"}, "auth": {"administratorTokn": "x"}, "tls": 5}"#,
      ["/auth/administratorTokn", "/tls"]
    ),
    (
      #"{"server": {"host": 5}, "tls": {"key": "k.pem", "certificate": 5}}"#,
      ["host", "certificate"]
    ),
  ])
  func `a missing part is reported beside independent mistakes`(
    file: String, places: [String]
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(file, to: "menud.json")
    let outcome = try Program.run("check", "menud.json", in: folder.url)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == places.count, "\(outcome.output)")
    for place in places { #expect(outcome.output.contains("\(place): "), "\(outcome.output)") }
  }

  @Test func `a folder without any of the files is no application`() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run("check", folder.path)
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        \(folder.path): No application is here: a folder with at least one of commands.json, \
        menus.json, protocols.json, classes.json, storyboards.json, session.json, resources.json, prompts.json, \
        strings/LOCALE.json is expected.

        """)
  }

  @Test func `M14: what a language lacks and what nothing shows is listed`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"""
      [{"title": "Paste", "action": "paste:", "unavailable": "Not here."},
       {"title": "Undo", "action": "undo:"}]
      """#, to: "app/commands.json")
    try folder.write(
      #"""
      {"Grid": {"superclass": "UIView",
        "keyCommands": [{"input": "p", "title": "Press", "action": "paste:"}],
        "handlers": {"paste:": {"validate": {
          "requires": [{"if": "state.on", "else": "Switch on."}],
          "title": "state.on ? tr('Paste Here') : tr('paste', {'count': 1})"}}}}}
      """#, to: "app/classes.json")
    try folder.write(#"{"state": {"on": true}, "responders": {}}"#, to: "app/session.json")
    try folder.write(
      #"""
      {"commands": {"paste:": {"title": "Einsetzen", "unavailable": "Nicht hier.", "subtitle": "x",
        "alternates": ["Anders"]}, "undo:": "Widerrufen"},
       "strings": {"Undo": "Widerrufen", "Undo {name}": "{name} widerrufen", "Press": "Druck"}}
      """#, to: "app/strings/DE-at.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 0)
    let warnings = outcome.output.split(separator: "\n").filter { $0.contains("strings/") }
    #expect(
      warnings.map(String.init) == [
        "app/strings/DE-at.json:1:90: /commands/paste:/subtitle: warning: The command 'paste:' is "
          + "declared without 'subtitle'; nothing shows this text.",
        "app/strings/DE-at.json:2:18: /commands/paste:/alternates/0/title: warning: The command "
          + "'paste:' is declared without 'alternates/0/title'; nothing shows this text.",
        "app/strings/DE-at.json:3:13: /strings: warning: Nothing is said in 'de-AT' for the key "
          + "'Paste Here'.",
        "app/strings/DE-at.json:3:13: /strings: warning: Nothing is said in 'de-AT' for the key "
          + "'paste'.",
        "app/strings/DE-at.json:3:13: /strings: warning: Nothing is said in 'de-AT' for the key "
          + "'Switch on.'.",
      ], "\(outcome.output)")
    try folder.write(
      #"{"locale": "de-AT-1996", "state": {"on": true}, "responders": {}}"#,
      to: "app/session.json")
    let own = try Program.run("check", "app", in: folder.url)
    #expect(!own.output.contains("Nothing is said"), "\(own.output)")
  }

  @Test func `M14: files among strings that nothing reads are named`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[]", to: "app/commands.json")
    func strays() throws -> [String] {
      try Program.run("check", "app", in: folder.url).output.split(separator: "\n")
        .filter { $0.contains("warning") }.map(String.init)
    }
    try folder.write("{}", to: "app/strings")
    #expect(
      try strays() == [
        "app/strings: warning: Strings are in a folder of this name, a file for each language; "
          + "nothing reads this file."
      ])
    try FileManager.default.removeItem(at: folder.url.appending(path: "app/strings"))
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "app/strings"), withIntermediateDirectories: true)
    #expect(
      try strays() == [
        "app/strings: warning: The folder has no file of a language, such as 'de.json'."
      ])
    for name in ["de.JSON", "de.jsn", "fr.json", ".hidden"] {
      try folder.write("{}", to: "app/strings/\(name)")
    }
    #expect(
      try strays()
        == ["de.JSON", "de.jsn"].map {
          "app/strings/\($0): warning: The file of a language is named after it, such as 'de.json'; "
            + "nothing reads this file."
        })
  }

  @Test func `a file that is not there is named`() throws {
    let outcome = try Program.run("check", "nowhere.json")
    #expect(outcome.status == 1)
    #expect(outcome.output == "nowhere.json: It cannot be read: No such file or directory.\n")
  }

  @Test func `a folder's rules are held to the bounds that serve would have`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"G": {"superclass": "UIView", "handlers": {"a:": {"canPerform": "1 + 1 == 2"}}}}"#,
      to: "app/classes.json")
    try folder.write(#"{"rules": {"maximumNodes": 4}}"#, to: "Config/menud.json")
    func check(_ arguments: String..., environment: [String: String] = [:]) throws -> String {
      try RunningProgram(["check", "app"] + arguments, environment: environment, in: folder.url)
        .outcome().output
    }
    let refused = { (bound: Int, offset: Int) in
      """
      app/classes.json:1:66: /G/handlers/a:/canPerform: The rule does not compile: the program has more \
      than \(bound) parts (maximumNodes) at offset \(offset) (line 1, column \(offset + 1)).

      """
    }
    #expect(try check() == refused(4, 0))
    #expect(try check(environment: ["MENUD_RULES_MAXIMUM_NODES": "3"]) == refused(3, 9))
    #expect(try check("--maximum-nodes", "5").hasPrefix("ok: app has 0 commands"))
    #expect(
      try check("--maximum-nodes", "x")
        == "--maximum-nodes: Expected an integer from 1 to 65536, found \"x\".\n")
  }
}
