import Testing

/// The warnings of `menud check`, which are no mistakes.
@Suite(Program.isBuilt) struct CheckWarningTests {
  @Test func `V10: warnings about storyboards are listed, and are no mistakes`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"Main": {"initialViewController": "list", "scenes": {
        "list": {"class": "List", "segues": [
          {"identifier": "Show", "kind": "push", "destination": "detail"}]},
        "detail": {"properties": {"item": null}, "handlers": {
          "viewDidLoad": {"perform": [
            {"op": "replace", "path": "/shown", "value": "responder.properties.item"}]},
          "done:": {"perform": [{"op": "send", "action": "'done:'", "to": "'list'"}]},
          "look:": {"perform": [
            {"op": "replace", "path": "/seen", "value": "sender.class == 'List'"}]},
          "far:": {"perform": [{"op": "delegate", "of": "'far'", "to": "responder.id"}]}}},
        "far": {}}}}
      """, to: "app/storyboards.json")
    try folder.write(#"{"List": {"superclass": "UIViewController"}}"#, to: "app/classes.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        app/storyboards.json:3:5: /Main/scenes/list/segues/0: warning: V10 preparedBySource: The \
        segue 'Show' leads to 'detail', which reads 'item'; let 'list' set it when it prepares, or \
        declare a default.
        app/storyboards.json:7:69: /Main/scenes/detail/handlers/done:/perform/0/to: warning: V10 \
        talksThroughDelegate: 'detail' sends a message to its source 'list' itself; let it have a \
        delegate, and send it there.
        app/storyboards.json:9:51: /Main/scenes/detail/handlers/look:/perform/0/value: warning: V10 \
        unawareOfSource: 'detail' names 'List', the class of its source 'list'; a destination should \
        work for any source.
        app/storyboards.json:10:51: /Main/scenes/detail/handlers/far:/perform/0/of: warning: V10 \
        knowsOnlyItsOwn: 'detail' names 'far', which it neither makes nor stands beside.
        ok: app has 0 commands, 0 menus, 1 class, 0 responders, 1 storyboard

        """)
  }

  /// An application with one oddity of each kind.
  private func oddApplication() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      [
        {"title": "Save", "action": "save:", "key": {"input": "s", "modifiers": ["command"]}},
        {"title": "Print", "action": "print:",
         "alternates": [{"title": "Print…", "action": "printAs:", "modifiers": ["shift"]}]},
        {"id": "share", "title": "Share"},
        {"title": "Later", "action": "later:"}
      ]
      """, to: "app/commands.json")
    try folder.write(
      """
      {
        "Page": {
          "superclass": "UIView",
          "keyCommands": [
            {"input": "s", "modifiers": ["command"], "action": "snap:"},
            {"input": "x", "action": "gone:", "when": "size(state.list[0]) > 0"}],
          "handlers": {
            "save:": {"validate": {"enabled": "state.draftt.title != ''"}},
            "snap:": {"validate": {"title": "state.list[0]"}}
          }
        },
        "Later": {"superclass": "UIView", "handlers": {"later:": {"canPerform": "!state.x"}}}
      }
      """, to: "app/classes.json")
    try folder.write(
      """
      {
        "state": {"draft": {"title": "A"}, "list": []},
        "firstResponder": "page",
        "responders": {
          "application": {"kind": "application"},
          "window": {"kind": "window"},
          "page": {"kind": "view", "class": "Page", "superview": "window", "canResignFirstResponder":
                   "state.list[0]", "handlers": {"own:": {"canPerform": "state.list[1]"}}},
          "other": {"kind": "view", "class": "Page", "superview": "window", "coordinator": {
            "forwarding": "catchAll", "handlers": {"far:": {"validate": {"title": "state.list[2]"}}}}},
          "lost": {"kind": "responder", "coordinating": {"isStarted": true}},
          "proxy": {"kind": "responder", "proxied": null}
        }
      }
      """, to: "app/session.json")
    return folder
  }

  @Test func `what a session's diagnostics know is listed as warnings, and is no mistake`() throws {
    let folder = try oddApplication()
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        app/commands.json:2:47: /0/key: warning: The key 'command+s' goes to 'snap:' of the responder \
        'page' first: responders come before menus.
        app/commands.json:3:3: /1: warning: Nobody handles 'print:': no class, and no responder of a \
        session as it begins.
        app/commands.json:4:18: /1/alternates: warning: Nobody handles 'printAs:': no class, and no \
        responder of a session as it begins.
        app/commands.json:5:3: /2: warning: The command has no action.
        app/classes.json:6:7: /Page/keyCommands/1: warning: Nobody handles 'gone:': no class, and no \
        responder of a session as it begins.
        app/classes.json:6:49: /Page/keyCommands/1/when: warning: The rule fails as a session begins: \
        no element 0 in a list of 0.
        app/classes.json:8:41: /Page/handlers/save:/validate/enabled: warning: The rule reads \
        'state.draftt', which a session does not have as it begins; did you mean 'draft'?
        app/classes.json:9:39: /Page/handlers/snap:/validate/title: warning: The rule fails as a \
        session begins: no element 0 in a list of 0.
        app/classes.json:12:75: /Later/handlers/later:/canPerform: warning: The rule reads 'state.x', \
        which a session does not have as it begins.
        app/session.json:8:14: /responders/page/canResignFirstResponder: warning: The rule fails as a \
        session begins: no element 0 in a list of 0.
        app/session.json:8:67: /responders/page/handlers/own:/canPerform: warning: The rule fails as \
        a session begins: no element 1 in a list of 0.
        app/session.json:10:77: /responders/other/coordinator/handlers/far:/validate/title: warning: \
        The rule fails as a session begins: no element 2 in a list of 0.
        app/session.json:11:13: /responders/lost: warning: Nothing reaches the coordinator 'lost': it \
        has no root view controller.
        app/session.json:12:47: /responders/proxy/proxied: warning: The responder that 'proxy' stands \
        for is not there.
        ok: app has 4 commands, 0 menus, 2 classes, 6 responders

        """)
  }

  @Test func `a mistake in the menus hides no warnings but those about keys`() throws {
    let folder = try oddApplication()
    let sound = try Program.run("check", "app", in: folder.url).output.split(separator: "\n")
      .map(String.init)
    try folder.write("[5]", to: "app/menus.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(
      lines.first
        == "app/menus.json:1:2: /0: Expected the id of a command in a string, the place of a command, items from data, or "
        + "a menu, found the number 5.")
    #expect(Array(lines.dropFirst()) == Array(sound.dropFirst().dropLast()))
  }

  @Test func `M12: what a list leaves out as a session begins is a warning`() throws {
    let folder = try TemporaryFolder()
    try folder.write(#"[{"title": "Go", "action": "go:"}]"#, to: "app/commands.json")
    try folder.write(
      """
      [
        {"title": "Other", "children": [
          {"forEach": "[]", "command": "go:", "key": "item", "title": "item"}]},
        {"identifier": "go", "title": "Go", "children": ["go:", {"title": "Places", "identifier": "places",
          "children": [
            {"forEach": "state.names", "command": "go:", "key": "item", "title": "item"},
            {"forEach": "state.sizes", "command": "go:", "key": "item[0]", "title": "''"}]}]}
      ]
      """, to: "app/menus.json")
    try folder.write(
      #"{"Page": {"superclass": "UIView", "handlers": {"go:": {}}}}"#, to: "app/classes.json")
    let names = ["\"a\"", "\"a\""] + (0..<1001).map { "\"\($0)\"" }
    try folder.write(
      #"{"state": {"sizes": [[]], "names": [\#(names.joined(separator: ","))]}, "responders": {"page": {"kind": "view", "class": "Page"}}}"#,
      to: "app/session.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 0)
    #expect(
      outcome.output == """
        app/menus.json:6:7: /1/children/1/children/0: warning: An element has the key 'a' of one before \
        it as a session begins, and is left out.
        app/menus.json:6:7: /1/children/1/children/0: warning: The list has more elements as a session \
        begins than a menu shows; 3 are left out.
        app/menus.json:7:7: /1/children/1/children/1: warning: The rule 'key' fails as a session begins: \
        for the element at index 0, no element 0 in a list of 0.
        ok: app has 1 command, 3 menus, 1 class, 1 responder

        """)
  }

  @Test(arguments: [
    "adaptive-photos", "agent-tools", "bird-sightings", "control-room", "master-detail",
    "photo-app", "recipes", "shop", "text-editor",
  ])
  func `a sample has neither mistakes nor warnings`(sample: String) throws {
    let outcome = try Program.run("check", "--words", "Config/\(sample)")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("ok: Config/\(sample) has "), "\(outcome.output)")
  }
}
