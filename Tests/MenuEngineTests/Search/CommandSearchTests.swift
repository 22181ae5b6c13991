import JSONText
import Testing

@testable import MenuEngine

/// Commands are found by what somebody types (S).
@Suite struct CommandSearchTests {
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

  private static func plan() -> ValidationPlan { ValidationPlan { _, writer in writer.null() } }

  private func found(
    _ query: String, in stage: Stage, limit: Int = 20, includesDisabled: Bool = false,
    by plan: inout ValidationPlan
  ) throws -> [FoundCommand] {
    try plan.find(
      CommandQuery(query, limit: limit, includesDisabled: includesDisabled),
      at: PlanMoment(stage.session, in: stage.catalog)
    ).commands
  }

  private func titles(_ query: String, in stage: Stage, includesDisabled: Bool = false) throws
    -> [String]
  {
    var plan = Self.plan()
    return try found(query, in: stage, includesDisabled: includesDisabled, by: &plan)
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
    var plan = Self.plan()
    let all = try found("a", in: stage, by: &plan)
    #expect(all.first?.item.title == "Save As…")
    #expect(all.map(\.score) == all.map(\.score).sorted(by: >))
  }

  @Test(arguments: [
    // The better `c` of "Cache" is not beside its `h`.
    ("che", ["Cahe", "Cache"]),
    // A delimiter behind a space begins a word, as a letter does there.
    ("/b", ["Foo /bar", "A/b"]),
  ])
  func `S2: the best match counts, and no better one than there is`(
    query: String, expected: [String]
  ) throws {
    let titles: JSON = ["Cache", "Cahe", "A/b", "Foo /bar"]
    let commands = try #require(titles.asArray).enumerated().map { number, title -> JSON in
      ["title": title, "action": .string("a\(number):")]
    }
    let stage = try Stage(commands: .array(commands))
    #expect(try self.titles(query, in: stage, includesDisabled: true) == expected)
  }

  @Test func `S2: the menus around an item are searched too, after its title`() throws {
    let stage = try Self.stage()
    #expect(try titles("image left", in: stage) == ["Rotate Left"])
    #expect(try titles("more", in: stage).first == "Rotate Right")
    var plan = Self.plan()
    let found = try #require(try found("more rotate", in: stage, by: &plan).first)
    #expect(found.menus == ["Image", "More"])
    #expect(found.ranges == [0..<6])
  }

  @Test(
    arguments: [
      ("svae", ["Save", "Save As…"]), ("rotqte left", ["Rotate Left"]),
      ("rotqt", ["Rotate Left", "Rotate Right"]), ("rihgt", ["Rotate Right"]),
      ("prinnt", ["Print"]), ("rpint", ["Print"]), ("ptint", ["Print"]),
      ("emlie", ["Émile’s Café"]), ("savt", ["Save", "Save As…"]),
      // Too short, wrong from the first character on, and more mistakes than one.
      ("rqt", []), ("xrint", []), ("rxtxte", []),
      // The beginning of a word is no mistake of one that ends otherwise.
      ("prim", []),
    ] as [(String, [String])])
  func `S3: a word may be typed with a mistake`(query: String, expected: [String]) throws {
    #expect(try titles(query, in: Self.stage(), includesDisabled: true) == expected)
  }

  @Test func `S3: commands that are found with a mistake stand last, and tell it`() throws {
    let stage = try Self.stage()
    var plan = Self.plan()
    let found = try found("svae", in: stage, by: &plan)
    #expect(found.map(\.typos) == [1, 1])
    #expect(found.map(\.ranges) == [[0..<4], [0..<4]])
    let other = try Stage(titles: ["Slave", "Save"])
    #expect(try self.found("save", in: other, by: &plan).map(\.typos) == [0, 0])
    let mixed = try Stage(titles: ["Exit", "Text Editor", "Edit"])
    var second = Self.plan()
    let exits = try self.found("edit", in: mixed, by: &second)
    #expect(exits.map(\.item.title) == ["Edit", "Text Editor", "Exit"])
    #expect(exits.map(\.typos) == [0, 0, 1])
  }

  @Test func `S3: what is typed is not taken for something else`() throws {
    let stage = try Stage(titles: [
      "Quick Fix…", "Git: Initialize Repository", "Preferences: Color Theme",
      "Customize Color Theme",
    ])
    #expect(try titles("quit", in: stage) == [])
    #expect(try titles("zoom", in: stage) == [])
    #expect(try titles("fix", in: stage) == ["Quick Fix…"])
    #expect(try titles("preferneces", in: stage) == ["Preferences: Color Theme"])
  }

  @Test func `S2: a word whose characters are scattered is not found`() throws {
    let stage = try Stage(titles: ["Resize the Form of Images", "Zen or Other Mode", "Foo Import"])
    #expect(try titles("zoom", in: stage) == ["Zen or Other Mode"])
    #expect(try titles("port", in: stage) == ["Foo Import"])
    #expect(try titles("fimp", in: stage) == ["Foo Import"])
  }

  @Test func `S9: a command whose title begins with the query stands first`() throws {
    var stage = try Stage(titles: [
      "Go to File", "Format Document", "Open File", "Filed Things", "File",
    ])
    #expect(
      try titles("file", in: stage) == ["File", "Filed Things", "Open File", "Go to File"])
    for _ in 0..<9 { try stage.apply(.perform(ActionRequest(.command("c2")))) }
    #expect(
      try titles("file", in: stage) == ["File", "Filed Things", "Open File", "Go to File"])
    #expect(try titles("fi", in: stage).prefix(2) == ["File", "Filed Things"])
  }

  @Test(
    arguments: [
      ("convert tabs to spaces", "Convert Tabs to Spaces"),
      ("Convert  Spaces to Tabs ", "Convert Spaces to Tabs"),
      ("convert tabs", "Convert Tabs to Spaces"), ("tabs to spaces", "Convert Tabs to Spaces"),
      ("spaces to tabs", "Convert Spaces to Tabs"), ("to spaces", "Convert Tabs to Spaces"),
    ])
  func `S9: words that are typed in the order of the title rank first`(
    query: String, best: String
  ) throws {
    let stage = try Stage(titles: [
      "Convert Spaces to Tabs", "Convert Tabs to Spaces", "Convert All Tabs to Spaces",
    ])
    let found = try titles(query, in: stage)
    #expect(found.first == best)
    #expect(found.count == 3)
  }

  @Test(
    arguments: [
      ("STRASSE", "Neue Straße", [5..<11]), ("strasse", "Neue Straße", [5..<11]),
      ("straße", "Neue Straße", [5..<11]), ("stras", "Neue Straße", [5..<10]),
      ("ße", "Neue Straße", [5..<6, 9..<11]), ("aße", "Neue Straße", [8..<11]),
      ("sse", "Neue Straße", [5..<6, 9..<11]), ("straẞe", "Neue Straße", [5..<11]),
      ("office", "Oﬃce", [0..<4]), ("oﬃce", "Office", [0..<6]),
      ("οδοσ", "Οδός", [0..<4]), ("cafe", "Cafe\u{301} Bar", [0..<5]),
      ("각", "각도", [0..<1]), ("İs", "istanbul", [0..<2]), ("x y", "X\u{A0}Y", [0..<1, 2..<3]),
    ] as [(String, String, [Range<Int>])])
  func `S1: case is compared by the full folding of Unicode`(
    query: String, title: String, ranges: [Range<Int>]
  ) throws {
    let stage = try Stage(titles: [title, "Nothing"])
    var plan = Self.plan()
    let found = try found(query, in: stage, by: &plan)
    #expect(found.map(\.item.title) == [title])
    #expect(found.map(\.ranges) == [ranges])
  }

  @Test func `S1: syllables of Hangul differ by all of their letters`() throws {
    let stage = try Stage(titles: ["각도", "고급"])
    #expect(try titles("고", in: stage) == ["고급"])
    // A syllable that is not finished yet begins those that it may become, and letters make syllables.
    for query in ["가", "각", "각도", "\u{1100}\u{1161}", "\u{1100}\u{1161}\u{11A8}\u{1103}\u{1169}"] {
      #expect(try titles(query, in: stage) == ["각도"], "\(query)")
    }
    let letters = try Stage(titles: ["\u{1100}\u{1161}\u{11A8}\u{1103}\u{1169}", "고급"])
    var plan = Self.plan()
    #expect(try found("각", in: letters, by: &plan).map(\.ranges) == [[0..<3]])
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
    var plan = Self.plan()
    #expect(
      try found("show", in: stage, by: &plan).map(\.item.command) == ["c:", "second", "b:", "a:"])
  }

  @Test func `S6: disabled commands are found when they are wanted, hidden ones never`() throws {
    let stage = try Self.stage()
    #expect(try titles("print", in: stage) == [])
    #expect(try titles("print", in: stage, includesDisabled: true) == ["Print"])
    #expect(try titles("secret", in: stage, includesDisabled: true) == [])
  }

  @Test func `S7: an item is found by the title that it has now`() throws {
    var stage = try Self.stage()
    var plan = Self.plan()
    #expect(try found("store", in: stage, by: &plan).isEmpty)
    try stage.apply(.mergeState(["isNew": true]))
    #expect(try found("store", in: stage, by: &plan).map(\.item.title) == ["Store"])
    try stage.apply(.mergeState(["isNew": false]))
    #expect(try found("store", in: stage, by: &plan).isEmpty)
    #expect(try found("save", in: stage, by: &plan).map(\.item.title).first == "Save")
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
    var plan = Self.plan()
    let stars = try found("star", in: stage, by: &plan)
    #expect(stars.map(\.ranges) == [[0..<4], [], []])
    #expect(stars.map(\.typos) == [0, 0, 0])
    #expect(stars.map(\.score)[1...] == [32, 32])
    // One word in the menus, another one in the selector.
    let five = try #require(try found("image five", in: stage, by: &plan).first)
    #expect(five.ranges.isEmpty)
    // The title in part.
    let begin = try #require(try found("start begin", in: stage, by: &plan).first)
    #expect(begin.ranges == [0..<5])
    #expect(try found("starx", in: stage, by: &plan).map(\.typos) == [1])
    #expect(try found("star", in: stage, limit: 1, by: &plan).map(\.item.title) == ["Start"])
  }

  @Test func `what a catalogue declares is prepared once, and again when it changes`() throws {
    var stage = try Self.stage()
    let index = stage.catalog.searchIndex
    #expect(try titles("rotate", in: stage) == ["Rotate Left", "Rotate Right"])
    #expect(stage.catalog.searchIndex === index)
    try stage.catalog.make([.remove(menu: "more")])
    #expect(stage.catalog.searchIndex !== index)
    #expect(try titles("more", in: stage) == [])
  }

  @Test func `what matches is told in units of UTF-16, neighbours as one`() throws {
    let stage = try Self.stage()
    var plan = Self.plan()
    #expect(try found("bo", in: stage, by: &plan).first?.ranges == [3..<4, 8..<9])
    #expect(try found("barn", in: stage, by: &plan).first?.ranges == [3..<7])
    #expect(try found("🦉", in: stage, by: &plan).first?.ranges == [0..<2])
  }

  @Test(arguments: ["", "a", "rotate", "svae", "file save", "zz"])
  func `pages are the parts of the whole, and each tells the total`(query: String) throws {
    let stage = try Self.stage()
    var plan = Self.plan()
    let moment = PlanMoment(stage.session, in: stage.catalog)
    let all = try plan.find(CommandQuery(query, limit: 100), at: moment)
    #expect(all.total == all.commands.count)
    for size in 1...3 {
      var paged: [CommandID] = []
      for offset in stride(from: 0, to: all.total + size, by: size) {
        let page = try plan.find(CommandQuery(query, limit: size, offset: offset), at: moment)
        #expect(page.total == all.total)
        #expect(page.commands.count <= size)
        paged += page.commands.map(\.item.command)
      }
      #expect(paged == all.commands.map(\.item.command))
    }
  }

  @Test func `titles that are replaced again and again take no more room`() throws {
    var stage = try Self.stage()
    var plan = Self.plan()
    for turn in 0..<200 {
      try stage.apply(.mergeState(["isNew": .bool(turn.isMultiple(of: 2))]))
      let query = turn.isMultiple(of: 2) ? "store" : "save"
      #expect(!(try found(query, in: stage, by: &plan).isEmpty))
    }
  }
}

extension Stage {
  /// Commands with these titles, which the first responder performs.
  fileprivate init(titles: [String]) throws {
    var handlers = JSONObject()
    for number in titles.indices { handlers["a\(number):"] = [:] }
    try self.init(
      commands: .array(
        titles.enumerated().map { number, title in
          ["id": .string("c\(number)"), "title": .string(title), "action": .string("a\(number):")]
        }),
      responders: ["view": ["kind": "view", "handlers": .object(handlers)]], focus: "view")
  }
}
