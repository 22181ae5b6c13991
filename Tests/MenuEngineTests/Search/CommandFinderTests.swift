import JSONText
import Testing

@testable import MenuEngine

/// Commands are found by what somebody types (S).
@Suite struct CommandFinderTests {
  private static let commands: JSON = [
    ["title": "Rotate Left", "action": "rotateLeft:"],
    ["title": "Rotate Right", "action": "rotateRight:"],
    ["title": "Save As…", "action": "saveAs:"],
    ["title": "Save", "action": "save:", "key": ["input": "s", "modifiers": ["command"]]],
    ["title": "Émile’s Café", "action": "cafe:"],
    ["title": "🦉 Barn Owl", "action": "owl:"],
    ["title": "Print", "action": "print:"],
    ["title": "Secret", "action": "secret:", "attributes": ["hidden"]],
  ]
  private static let menus: JSON = [
    ["identifier": "file", "title": "File", "children": ["save:", "saveAs:"]],
    [
      "identifier": "image", "title": "Image",
      "children": [
        ["identifier": "turn", "options": ["displayInline"], "children": ["rotateLeft:"]],
        ["identifier": "more", "title": "More", "children": ["rotateRight:", "secret:"]],
      ],
    ],
  ]

  private static func stage() throws -> Stage {
    try Stage(
      commands: commands, menus: menus,
      responders: [
        "view": [
          "kind": "view",
          "handlers": [
            "rotateLeft:": [:], "rotateRight:": [:], "saveAs:": [:], "cafe:": [:], "owl:": [:],
            "secret:": [:],
            "save:": ["validate": ["title": "state.isNew ? 'Store' : 'Save'"]],
          ],
        ]
      ], focus: "view", state: ["isNew": false])
  }

  private static func finder() -> CommandFinder {
    CommandFinder(askingBy: ValidationPlan { _, writer in writer.null() })
  }

  private func found(
    _ query: String, in stage: Stage, limit: Int = 20, includesDisabled: Bool = false,
    by finder: inout CommandFinder
  ) throws -> [FoundCommand] {
    try finder.find(
      CommandQuery(query, limit: limit, includesDisabled: includesDisabled),
      at: PlanMoment(stage.session, in: stage.catalog))
  }

  private func titles(_ query: String, in stage: Stage, includesDisabled: Bool = false) throws
    -> [String]
  {
    var finder = Self.finder()
    return try found(query, in: stage, includesDisabled: includesDisabled, by: &finder)
      .map(\.item.title)
  }

  @Test(
    arguments: [
      ("rot", ["Rotate Left", "Rotate Right"]), ("ROTATE", ["Rotate Left", "Rotate Right"]),
      ("right", ["Rotate Right"]), ("rl", ["Rotate Left", "🦉 Barn Owl"]),
      ("left rot", ["Rotate Left"]),
      ("emile", ["Émile’s Café"]), ("CAFÉ", ["Émile’s Café"]), ("zz", []),
    ] as [(String, [String])])
  func `S1: each word is found in order, without regard to case and accents`(
    query: String, expected: [String]
  ) throws {
    #expect(try titles(query, in: Self.stage()) == expected)
  }

  @Test func `S2: the start of a word and what stands together are best`() throws {
    let stage = try Self.stage()
    #expect(try titles("sa", in: stage).prefix(2) == ["Save", "Save As…"])
    #expect(try titles("save a", in: stage).first == "Save As…")
    var finder = Self.finder()
    let all = try found("a", in: stage, by: &finder)
    #expect(all.first?.item.title == "Save As…")
    #expect(all.map(\.score) == all.map(\.score).sorted(by: >))
  }

  @Test func `S2: the menus around an item are searched too, after its title`() throws {
    let stage = try Self.stage()
    #expect(try titles("image left", in: stage) == ["Rotate Left"])
    #expect(try titles("more", in: stage).first == "Rotate Right")
    var finder = Self.finder()
    let found = try #require(try found("more rotate", in: stage, by: &finder).first)
    #expect(found.menus == ["Image", "More"])
    #expect(found.ranges == [0..<6])
  }

  @Test func `S3: one character of a longer word may be wrong, and then it stands last`() throws {
    let stage = try Self.stage()
    #expect(try titles("svae", in: stage).prefix(2) == ["Save", "Save As…"])
    #expect(try titles("rotqte left", in: stage) == ["Rotate Left"])
    #expect(try titles("rqt", in: stage) == [])
    var finder = Self.finder()
    let found = try found("svae", in: stage, by: &finder)
    #expect(found.map(\.typos) == [1, 1, 1])
    // All that match as they are typed stand before.
    let mixed = try self.found("save", in: stage, by: &finder).map(\.typos)
    #expect(mixed == mixed.sorted() && mixed.contains(0))
  }

  @Test func `S4: commands that were performed come first, the last one above all`() throws {
    var stage = try Self.stage()
    #expect(try titles("", in: stage).first == "Save")
    try stage.apply(.perform(ActionRequest(.command("rotateLeft:"))))
    try stage.apply(.perform(ActionRequest(.command("rotateRight:"))))
    #expect(Array(try titles("", in: stage).prefix(2)) == ["Rotate Right", "Rotate Left"])
    #expect(try titles("rotate", in: stage) == ["Rotate Right", "Rotate Left"])
    try stage.apply(.perform(ActionRequest(.command("rotateLeft:"))))
    #expect(try titles("rotate", in: stage) == ["Rotate Left", "Rotate Right"])
  }

  @Test func `S4: what was performed is a part of the session, and stored with it`() throws {
    var stage = try Self.stage()
    try stage.apply(.perform(ActionRequest(.command("rotateRight:"))))
    let reread: Session = try reread(stage.session)
    #expect(reread.uses == stage.session.uses)
    #expect(reread.uses?.bonuses == ["rotateRight:": 16])
  }

  @Test func `S5: equal points are decided by length, by the alphabet, and by the menus`() throws {
    let stage = try Stage(
      commands: [
        ["title": "Show Zebra", "action": "a:"], ["title": "Show Apple", "action": "b:"],
        ["title": "Show", "action": "c:"], ["id": "second", "title": "Show", "action": "d:"],
      ],
      responders: [
        "view": ["kind": "view", "handlers": ["a:": [:], "b:": [:], "c:": [:], "d:": [:]]]
      ],
      focus: "view")
    var finder = Self.finder()
    #expect(
      try found("show", in: stage, by: &finder).map(\.item.command) == ["c:", "second", "b:", "a:"])
  }

  @Test func `S6: disabled commands are found when they are wanted, hidden ones never`() throws {
    let stage = try Self.stage()
    #expect(try titles("print", in: stage) == [])
    #expect(try titles("print", in: stage, includesDisabled: true) == ["Print"])
    #expect(try titles("secret", in: stage, includesDisabled: true) == [])
  }

  @Test func `S7: an item is found by the title that it has now`() throws {
    var stage = try Self.stage()
    var finder = Self.finder()
    #expect(try found("store", in: stage, by: &finder).isEmpty)
    try stage.apply(.mergeState(["isNew": true]))
    #expect(try found("store", in: stage, by: &finder).map(\.item.title) == ["Store"])
    try stage.apply(.mergeState(["isNew": false]))
    #expect(try found("store", in: stage, by: &finder).isEmpty)
    #expect(try found("save", in: stage, by: &finder).map(\.item.title).first == "Save")
  }

  private static func signs() throws -> Stage {
    let commands: JSON = [
      ["title": "★★★★★", "action": "applyFiveStarRating:"],
      ["title": "★", "action": "applyOneStarRating:"],
      ["title": "Start", "action": "begin:"],
      ["title": "⛶", "action": "toggleFullScreen:", "discoverabilityTitle": "Whole Display"],
      ["title": "⌘", "action": "openHTMLPage:", "description": "Shows the source, as text."],
      [
        "id": "wheel", "title": "⚙︎", "subtitle": "Préférences", "action": "adjust2ndWheel:",
        "alternates": [["title": "Defaults", "action": "reset:", "modifiers": ["alternate"]]],
      ],
    ]
    let actions = [
      "applyFiveStarRating:", "applyOneStarRating:", "begin:", "toggleFullScreen:",
      "openHTMLPage:", "adjust2ndWheel:", "reset:",
    ]
    var handlers = JSONObject()
    for action in actions { handlers[action] = [:] }
    return try Stage(
      commands: commands,
      menus: [["identifier": "image", "title": "Image", "children": ["applyFiveStarRating:"]]],
      responders: ["view": ["kind": "view", "handlers": .object(handlers)]], focus: "view")
  }

  @Test(
    arguments: [
      ("5 star", ["★★★★★"]), ("five stars", []), ("FIVE STAR", ["★★★★★"]),
      ("image five", ["★★★★★"]),
      ("star", ["Start", "★", "★★★★★"]), ("rating 1", ["★"]), ("tar", ["Start"]),
      ("full", ["⛶"]), ("fullscreen", ["⛶"]), ("screen", ["⛶"]), ("display whole", ["⛶"]),
      ("toggleFullScreen:", ["⛶"]), ("html", ["⌘"]), ("page", ["⌘"]), ("source", ["⌘"]),
      ("tml", []), ("wheel", ["⚙︎"]), ("preferences", ["⚙︎"]), ("defaults", ["⚙︎"]),
      ("2nd", ["⚙︎"]), ("reset", ["⚙︎"]),
    ] as [(String, [String])])
  func `S8: a command is found by the words of its other texts and of its selector`(
    query: String, expected: [String]
  ) throws {
    #expect(try titles(query, in: Self.signs()) == expected)
  }

  @Test func `S8: what is found by other words stands behind titles, and before typos`() throws {
    let stage = try Self.signs()
    var finder = Self.finder()
    let stars = try found("star", in: stage, by: &finder)
    #expect(stars.map(\.ranges) == [[0..<4], [], []])
    #expect(stars.map(\.typos) == [0, 0, 0])
    #expect(stars.map(\.score)[1...] == [32, 32])
    // One word in the menus, another one in the selector.
    let five = try #require(try found("image five", in: stage, by: &finder).first)
    #expect(five.ranges.isEmpty)
    // The title in part.
    let begin = try #require(try found("start begin", in: stage, by: &finder).first)
    #expect(begin.ranges == [0..<5])
    #expect(try found("starx", in: stage, by: &finder).map(\.typos) == [1])
    #expect(try found("star", in: stage, limit: 1, by: &finder).map(\.item.title) == ["Start"])
  }

  @Test func `a finder tells how much room it takes`() throws {
    let stage = try Self.signs()
    var finder = Self.finder()
    #expect(finder.size == 0)
    _ = try found("star", in: stage, by: &finder)
    #expect((500..<100_000).contains(finder.size))
  }

  @Test func `what matches is told in units of UTF-16, neighbours as one`() throws {
    let stage = try Self.stage()
    var finder = Self.finder()
    #expect(try found("bo", in: stage, by: &finder).first?.ranges == [3..<4, 8..<9])
    #expect(try found("barn", in: stage, by: &finder).first?.ranges == [3..<7])
    #expect(try found("🦉", in: stage, by: &finder).first?.ranges == [0..<2])
  }

  @Test func `there are as many as wanted`() throws {
    let stage = try Self.stage()
    var finder = Self.finder()
    #expect(try found("", in: stage, limit: 2, by: &finder).count == 2)
  }

  @Test func `titles that are replaced again and again take no more room`() throws {
    var stage = try Self.stage()
    var finder = Self.finder()
    for turn in 0..<200 {
      try stage.apply(.mergeState(["isNew": .bool(turn.isMultiple(of: 2))]))
      let query = turn.isMultiple(of: 2) ? "store" : "save"
      #expect(!(try found(query, in: stage, by: &finder).isEmpty))
    }
  }
}
