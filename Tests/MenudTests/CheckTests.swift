import Testing

@Suite(Program.isBuilt) struct CheckTests {
  @Test func `the sample has no mistake`() throws {
    let outcome = try Program.run("check", "Config/photo-app")
    #expect(
      outcome
        == Program.Outcome(
          status: 0,
          output: """
            ok: Config/photo-app has 32 commands, 12 menus, 6 classes, 13 responders

            """, errors: ""))
  }

  @Test(arguments: ["Config", "Config/", "Config/menud.json"])
  func `a configuration is checked together with its application`(path: String) throws {
    let outcome = try Program.run("check", path)
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("ok: Config/photo-app has 32 commands"))
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
        menud.json: /server/port: Expected an integer from 0 to 65535, found 70000.
        menud.json: /server/hots: There is no setting 'hots' here; known are host, port, threads, \
        maximumBodySize, maximumHeaderSize, maximumRequestsInFlight, maximumConnections, \
        maximumConnectionsPerAddress, headerTimeout, bodyTimeout, answerTimeout, responseTimeout, \
        idleTimeout, drainDelay, drainGrace and allowedHosts.
        menud.json: /server/headerTimeout: Expected a number of seconds from 0 to 86400, found "10s".
        menud.json: /log: Expected an object, found [].
        menud.json: /sesions: There is no setting 'sesions' here; known are application, sessions, \
        server, tls, auth, cors, metrics, limits, idempotency, rules, journal and log.
        menud.json: /sessions: Expected names of sessions, each of 1 to 128 of the characters A-Z, \
        a-z, 0-9, _, ., : and -, found ["a b"].

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
        app/commands.json: /4: The member 'title' is missing.
        app/commands.json: /4/tilte: There is no member 'tilte' here; known are action, id, title, \
        subtitle, image, discoverabilityTitle, propertyList, attributes, state, key, alternates, \
        wantsPriorityOverSystemBehavior, allowsAutomaticLocalization and allowsAutomaticMirroring.
        app/commands.json: /11: The command 'cut:' is declared already, and differently; delete it \
        first, or choose another id. The other one stands at /10.
        app/commands.json: /19: The commands 'applyFiveStarRating:' and 'applyFourStarRating:' have \
        the same key 'command+5'; give one of them another. The other one stands at /18.
        app/menus.json: /2/children/2: The menus name the command 'copy:', which is not declared; \
        declare it first.
        app/menus.json: /4/children/0/children/1: The menus name the command 'zoomOff:', which is \
        not declared; declare it first.
        app/menus.json: /4/children/2/identifier: Two menus have the identifier 'zoom'; give one of \
        them another. The other one stands at /4/children/0/identifier.
        app/classes.json: /PhotoAppDelegate/handlers/hide:/validate/enabled: The rule does not \
        compile: expected an operator or the end, found ')' at offset 19 (line 1, column 20).
        app/classes.json: /PhotoGrid/handlers/applyNoStarRating:/perform/0/op: Expected 'add', \
        'remove', 'replace', 'move', 'copy', 'test', 'send', 'firstResponder', 'properties', \
        'handleAction', 'answer', 'super', 'continue', 'processMessages', \
        'targetViewController', 'show', 'showDetail', 'present', 'dismiss', 'pop', \
        'startCoordinator', 'startChildCoordinator', 'stopChildCoordinator', 'stopCoordinator', \
        'activateCoordinator', 'takeoverCoordinator', 'coordinatorDidFinish', 'coordinatorShow', \
        'coordinatorRoot', 'coordinatorTop', 'coordinatorPop', 'registerUndo', 'setActionName', 'beginUndoGrouping', \
        'endUndoGrouping', 'disableUndoRegistration', 'enableUndoRegistration', \
        'prepareWithInvocationTarget', 'instantiate', 'segue', 'unwind', 'delegate', 'message' or \
        'makeKeyAndVisible', found the string 'sned'; did you mean 'send'?
        app/session.json: /responders/photoGrid/class: The class 'PhotoGird' of the responder \
        'photoGrid' is not declared.

        """)
    let start = try Program.run("serve", "--application", "app", in: folder.url)
    #expect(start.status == 78)
    let lines = outcome.output.split(separator: "\n").map { "menud: \($0)\n" }.joined()
    #expect(start.errors == lines)
  }

  @Test func `a class that inherits from none is told those that there are`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      #"{"Grid": {"superclass": "UIVeiw"}, "List": {"superclass": "Ghost"}}"#,
      to: "app/classes.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 1)
    let known = """
      'UIApplication', 'UINavigationController', 'UIResponder', 'UIScene', 'UISplitViewController', \
      'UITabBarController', 'UIView', 'UIViewController' and 'UIWindow'.
      """
    #expect(
      outcome.output == """
        app/classes.json: /Grid: The class 'Grid' inherits from 'UIVeiw', which is not declared; did \
        you mean 'UIView'? There are 'List', \(known)
        app/classes.json: /List: The class 'List' inherits from 'Ghost', which is not declared. There \
        are 'Grid', \(known)

        """)
  }

  @Test func `a session that cannot be opened is found too`() throws {
    let folder = try Sample.copy([
      ("session", #""windowScene": "scenes""#, for: #""windowScene": "scene""#)
    ])
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 1)
    #expect(
      outcome.output.hasPrefix("app/session.json: /responders/window/windowScene: "),
      "\(outcome.output)")
  }

  @Test func `a file that is no JSON does not hide the mistakes of the others`() throws {
    let folder = try TemporaryFolder()
    try folder.write("[,]", to: "app/commands.json")
    try folder.write(#"["nobody:"]"#, to: "app/menus.json")
    try folder.write(#"{"Grid": {}}"#, to: "app/classes.json")
    let outcome = try Program.run("check", "app", in: folder.url)
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        app/commands.json: It is not JSON. Line 1, column 2: a value is expected here.
        app/classes.json: /Grid: The member 'superclass' is missing.

        """)
  }

  @Test func `V10: what is odd in storyboards is listed as a warning, and is no mistake`() throws {
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
        app/storyboards.json: /Main/scenes/list/segues/0: warning: V10 preparedBySource: The segue \
        'Show' leads to 'detail', which reads 'item'; let 'list' set it when it prepares, or declare \
        a default.
        app/storyboards.json: /Main/scenes/detail/handlers/done:/perform/0/to: warning: V10 \
        talksThroughDelegate: 'detail' sends a message to its source 'list' itself; let it have a \
        delegate, and send it there.
        app/storyboards.json: /Main/scenes/detail/handlers/look:/perform/0/value: warning: V10 \
        unawareOfSource: 'detail' names 'List', the class of its source 'list'; a destination should \
        work for any source.
        app/storyboards.json: /Main/scenes/detail/handlers/far:/perform/0/of: warning: V10 \
        knowsOnlyItsOwn: 'detail' names 'far', which it neither makes nor stands beside.
        ok: app has 0 commands, 0 menus, 1 classes, 0 responders, 1 storyboards

        """)
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
        app/protocols.json: /P/optional/0: The protocol 'P' has the message 'a:' twice. The other one \
        stands at /P/required/0.
        app/classes.json: /List/delegateProtocol: The delegates of the class 'List' are of the \
        protocol 'Q', which is not declared.
        app/storyboards.json: /Main/initialViewController: The storyboard 'Main' has no scene 'lst'.
        app/storyboards.json: /Main/scenes/list/segues/1/destination: A segue of kind 'unwind' has no \
        'destination'; only those of kind 'show', 'showDetail', 'present', 'push', 'popover', \
        'embed' or 'custom' can have one.
        app/storyboards.json: /Main/scenes/list/segues/1: The member 'action' is missing.
        app/storyboards.json: /Main/scenes/loop: The scenes 'loop' → 'loop' would be instantiated \
        with themselves without end.

        """)
  }

  @Test func `a folder without any of the files is no application`() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run("check", folder.path)
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        \(folder.path): It is no folder with commands.json, menus.json, protocols.json, \
        classes.json, storyboards.json, session.json.

        """)
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
      app/classes.json: /G/handlers/a:/canPerform: The rule does not compile: the program has more \
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
