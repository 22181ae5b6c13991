import Testing

@Suite(Program.isBuilt) struct CheckTests {
  @Test func `the sample has no mistake`() throws {
    let outcome = try Program.run("check", "Config/photo-app")
    #expect(
      outcome
        == Program.Outcome(
          status: 0,
          output: """
            ok: Config/photo-app has 30 commands, 11 menus, 6 classes, 13 responders

            """, errors: ""))
  }

  @Test(arguments: ["Config", "Config/", "Config/menud.json"])
  func `a configuration is checked together with its application`(path: String) throws {
    let outcome = try Program.run("check", path)
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("ok: Config/photo-app has 30 commands"))
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
        maximumBodySize, maximumConnections, maximumConnectionsPerAddress, headerTimeout, \
        bodyTimeout, responseTimeout, idleTimeout, drainDelay and drainGrace.
        menud.json: /server/headerTimeout: Expected a number of seconds from 0 to 86400, found "10s".
        menud.json: /log: Expected an object, found [].
        menud.json: /sesions: There is no setting 'sesions' here; known are application, sessions, \
        server and log.
        menud.json: /sessions: Expected names of sessions, each of 1 to 128 of the characters A-Z, \
        a-z, 0-9, _, ., : and -, found ["a b"].

        """)
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

  @Test func `a folder without any of the files is no application`() throws {
    let folder = try TemporaryFolder()
    let outcome = try Program.run("check", folder.path)
    #expect(outcome.status == 1)
    #expect(
      outcome.output == """
        \(folder.path): It is no folder with commands.json, menus.json, classes.json, session.json.

        """)
  }

  @Test func `a file that is not there is named`() throws {
    let outcome = try Program.run("check", "nowhere.json")
    #expect(outcome.status == 1)
    #expect(outcome.output == "nowhere.json: It cannot be read: No such file or directory.\n")
  }
}
