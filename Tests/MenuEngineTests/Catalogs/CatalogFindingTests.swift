import JSONText
import Testing

@testable import MenuEngine

/// Everything that is wrong with the parts of a catalogue, and what depends on it.
@Suite struct CatalogFindingTests {
  /// The pointers of the faults in each part: `menus/2/identifier`.
  private func places(
    _ parts: [CatalogDocument.Part: JSON], unreadable: Set<CatalogDocument.Part> = []
  ) -> [String] {
    var document = CatalogDocument(parts)
    document.unreadable = unreadable
    return document.findings().faults.map { "\($0.part)\($0.fault.pointer)" }
  }

  @Test func `menus of one name and unknown commands are found beside what cannot be read`() {
    let menus: JSON = [
      5, "nobody:", ["identifier": "a", "titel": "A", "children": ["nobody:", ["command": "x:"]]],
      ["identifier": "a", "children": 5], ["identifier": 7],
    ]
    #expect(
      places([.menus: menus]) == [
        "menus/0", "menus/2/titel", "menus/3/children", "menus/4/identifier", "menus/1",
        "menus/2/children/0", "menus/2/children/1", "menus/3/identifier",
      ])
  }

  @Test func `commands that cannot be read are not missing in menus`() {
    let menus: JSON = ["nobody:", ["identifier": "a"], ["identifier": "a"]]
    #expect(places([.menus: menus], unreadable: [.commands]) == ["menus/2/identifier"])
    #expect(places([.menus: menus, .commands: 5]) == ["commands", "menus/2/identifier"])
  }

  @Test(arguments: [CatalogDocument.Part.classes, .protocols, .storyboards])
  func `one part is checked even if another is no JSON`(
    part: CatalogDocument.Part
  ) {
    var parts: [CatalogDocument.Part: JSON] = [
      .protocols: ["P": ["required": 5]],
      .classes: ["List": ["superclass": "UIView", "delegateProtocol": "Q", "no": 1]],
      .storyboards: [
        "Main": ["initialViewController": "a", "scenes": ["a": ["class": "Lst", "no": 1]]]
      ],
      .session: ["no": 1, "responders": ["v": ["kind": "view", "class": "Lst"]]],
    ]
    let all = [
      "protocols/P/required", "classes/List/no", "classes/List/delegateProtocol",
      "storyboards/Main/scenes/a/no", "storyboards/Main/scenes/a/class", "session/no",
      "session/responders/v/class",
    ]
    #expect(places(parts) == all)
    parts[part] = nil
    let dependent: [CatalogDocument.Part: [String]] = [
      .protocols: ["classes/List/delegateProtocol"],
      .classes: ["storyboards/Main/scenes/a/class", "session/responders/v/class"],
    ]
    let expected = all.filter {
      !$0.hasPrefix(part.rawValue) && dependent[part]?.contains($0) != true
    }
    #expect(places(parts, unreadable: [part]) == expected)
  }

  @Test
  func `links are checked beside other mistakes, but not links of responders that cannot be read`()
  {
    let session: JSON = [
      "responders": [
        "a": ["kind": "view", "class": "Ghost"], "b": ["kind": "view", "superview": "nobody"],
        "c": ["kind": "view", "superview": "nobody", "no": 1],
      ]
    ]
    #expect(
      places([.session: session]) == [
        "session/responders/c/no", "session/responders/a/class",
        "session/responders/b/superview",
      ])
    let unread: JSON = [
      "responders": ["a": ["kind": "x"], "b": ["kind": "view", "superview": "a"]]
    ]
    #expect(places([.session: unread]) == ["session/responders/a/kind"])
  }

  @Test func `links and focus are checked beside responders that cannot be read`() {
    let session: JSON = [
      "responders": [
        "a": ["kind": "view", "next": "a"], "b": ["kind": "view", "next": "zz"],
        "c": ["kind": "vieww"], "d": ["kind": "view", "superview": "c"],
      ], "firstResponder": "q", "keyWindow": "c",
    ]
    #expect(
      places([.session: session]) == [
        "session/responders/c/kind", "session/responders/b/next", "session/firstResponder",
        "session/responders",
      ])
  }

  @Test func `a cycle is found beside other mistakes`() {
    let session: JSON = [
      "responders": [
        "a": ["kind": "view", "superview": "b"], "b": ["kind": "view", "superview": "a"],
      ], "no": 1,
    ]
    #expect(places([.session: session]) == ["session/no", "session/responders"])
  }

  @Test func `a session is opened as a trial though commands and menus are at fault`() {
    let session: JSON = [
      "responders": [
        "a": ["kind": "view", "superview": "b"], "b": ["kind": "view", "superview": "a"],
      ]
    ]
    let alone = places([.session: session])
    #expect(alone.count == 1)
    #expect(
      places([.session: session, .commands: [5], .menus: ["nobody:"]])
        == ["commands/0", "menus/0"] + alone)
  }

  private func missing(
    _ rule: String, state: JSON? = ["draft": ["title": "A"], "list": [1], "none": nil],
    adding path: String? = nil, at member: String = "path"
  ) -> [String] {
    var session: JSONObject = ["responders": [:]]
    session["state"] = state
    let effects = path.map { path in
      var effect: JSONObject = ["op": "add", "value": "1"]
      effect[member] = .string(path)
      return JSON.object(effect)
    }
    let classes: JSON = [
      "List": [
        "superclass": "UIView",
        "handlers": [
          "a:": ["canPerform": .string(rule), "perform": .array(effects.map { [$0] } ?? [])]
        ],
      ]
    ]
    let document = CatalogDocument([.session: .object(session), .classes: classes])
    return document.findings().missingMembers.map { "\($0.place) \($0.path) \($0.present)" }
  }

  private let place = "/List/handlers/a:/canPerform"

  @Test(arguments: [
    ("state.draftt == 1", #"/draftt ["draft", "list", "none"]"#),
    ("state.draft.titel == 'A'", #"/draft/titel ["title"]"#),
    ("false && state.draft.x.y", #"/draft/x ["title"]"#),
    ("has(state.drafft.x)", #"/drafft ["draft", "list", "none"]"#),
  ])
  func `a rule that reads what the state does not have is found`(
    rule: String, expected: String
  ) {
    #expect(missing(rule) == ["\(place) \(expected)"])
  }

  @Test(arguments: [
    "state.draft.title == 'A'", "has(state.x) && state.x.y", "state.?x.orValue(true)",
    "'x' in state && state.x", "state.none.x == 1", "state.list[7] == 1",
    "state.draft.title.size == 1", "sender.x == 1",
  ])
  func `a rule that tests, or reads what may come, is not`(rule: String) {
    #expect(missing(rule) == [])
  }

  @Test func `an effect that adds the member makes up for it`() {
    #expect(missing("state.x.y == 1", adding: "/x") == [])
    #expect(missing("state.draft.y == 1", adding: "/draft/y") == [])
    #expect(missing("state.x.y == 1", adding: "/xy").count == 1)
    #expect(missing("state.x == 1", adding: "/x/y").count == 1)
  }

  @Test(
    arguments: [
      ("'/draft/' + 'built'", true), ("'/draft/bu' + sender.x", true), ("'/draft/built'", true),
      ("['draft', sender.x]", true), ("[ 'draft' , 'built' ]", true), ("sender.place", true),
      ("[sender.x, 'built']", true), ("'/' + sender.x", true), ("'/list/' + sender.x", false),
      ("['list', 'built']", false), ("\"/none/\" + sender.x", false),
      ("sender.x ? '/a' : '/draft/built'", true),
      ("'/list/a' == sender.x ? '/a' : '/draft/b'", true),
    ])
  func `an effect that adds at a computed place makes up for what lies there`(
    rule: String, isFound: Bool
  ) {
    let missing = missing("state.draft.built == 1", adding: rule, at: "pathRule")
    #expect(missing.isEmpty == isFound, "\(missing)")
  }

  @Test func `nothing is missing where nothing says what the state is`() {
    #expect(missing("state.x == 1", state: nil) == [])
    #expect(missing("state.x == 1", state: [:]) == ["\(place) /x []"])
  }
}
