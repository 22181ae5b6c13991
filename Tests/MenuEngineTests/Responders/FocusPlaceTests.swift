import JSONText
import RandomSessions
import Randomness
import Testing

@testable import MenuEngine

/// Responders that leave the screen lose focus (R8).
@Suite struct FocusPlaceTests {
  /// A stack in a window; the detail, with a field in its view, is to be pushed.
  private func stage(_ more: JSONObject = [:]) throws -> Stage {
    var responders: JSONObject = [
      "window": ["kind": "window", "rootViewController": "nav"],
      "nav": controller("UINavigationController", ["list"], ["view": "navView"]),
      "navView": ["kind": "view"], "list": controller(nil, nil, ["view": "listView"]),
      "listView": ["kind": "view", "superview": "navView"],
      "detail": controller(nil, nil, ["view": "detailView"]), "detailView": ["kind": "view"],
      "field": ["kind": "view", "superview": "detailView"],
    ]
    for member in more.members { responders[member.name] = member.value }
    return try Stage(responders: .object(responders))
  }

  private func superview(of id: ResponderID, _ stage: Stage) -> ResponderID? {
    stage.session.graph[id]?.links[.superview]
  }

  @Test func `R8: what follows on the chain, and does not contain it, takes nobody's focus`() throws
  {
    let hidden: JSONObject = [
      "hidden": ["kind": "view"], "helper": controller(nil, nil, ["view": "hidden"]),
    ]
    var stage = try stage(hidden)
    try stage.put("owner", controller(nil, ["helper"], [:]))
    try stage.apply(.becomeFirstResponder("listView"))
    try stage.put("window", ["kind": "window", "rootViewController": "nav", "next": "helper"])
    #expect(stage.chain(from: "listView").contains("helper"))
    #expect(stage.session.firstResponder == "listView")
  }

  @Test func `R8: an own successor keeps nobody on the screen`() throws {
    var stage = try stage(["other": ["kind": "view", "superview": "listView", "next": "window"]])
    try stage.apply(.becomeFirstResponder("other"))
    try stage.apply(.push("detail", onto: "nav"))
    #expect(stage.session.firstResponder == nil)
  }

  @Test func `R8: an own successor of its controller attaches no view`() throws {
    let detail = controller(nil, nil, ["view": "detailView", "next": "window", "parent": "nav"])
    var stage = try stage(["detail": detail])
    try stage.put("detailView", ["kind": "view", "superview": "navView"])
    try stage.apply(.becomeFirstResponder("detailView"))
    try stage.put("detailView", ["kind": "view"])
    #expect(stage.session.firstResponder == nil)
  }

  @Test func `R8: deleting a view controller that was pushed takes its view off the screen`() throws
  {
    var stage = try stage()
    try stage.apply(.push("detail", onto: "nav"))
    #expect(superview(of: "detailView", stage) == "navView")
    #expect(superview(of: "listView", stage) == nil)
    try stage.apply(.becomeFirstResponder("field"))
    #expect(
      try stage.apply(.removeResponder("detail")).changes == [
        .responderRemoved("detail"), .viewControllers("nav", ["list"]),
        .superview("detailView", nil), .superview("listView", "navView"), .firstResponder(nil),
      ])
    #expect(stage.session.graph.window(of: "field") == nil)
    #expect(stage.chain(from: "listView") == ["listView", "list", "navView", "nav", "window"])
  }

  @Test(
    arguments: [
      ["parent": "nav"], ["parent": "nav", "inView": true], ["inView": true],
      ["presentingViewController": "nav"], ["presentingViewController": "list", "inView": true],
    ] as [JSONObject])
  func `R8: deleting a view controller takes focus with its view, however it got there`(
    place: JSONObject
  ) throws {
    var document: JSONObject = ["kind": "viewController", "view": "detailView"]
    for member in place.members where member.name != "inView" {
      document[member.name] = member.value
    }
    var view: JSONObject = ["kind": "view"]
    if place["inView"] != nil { view["superview"] = "navView" }
    var stage = try stage(["detail": .object(document), "detailView": .object(view)])
    try stage.apply(.becomeFirstResponder("field"))
    #expect(stage.session.graph.window(of: "field") == "window")
    try stage.apply(.removeResponder("detail"))
    #expect(stage.session.firstResponder == nil)
    #expect(stage.session.graph.window(of: "field") == nil)
    #expect(superview(of: "detailView", stage) == nil)
  }

  @Test func `R8: deleting the root view controller of a window takes its view off the screen`()
    throws
  {
    var stage = try stage(["navView": ["kind": "view", "superview": "window"]])
    try stage.apply(.becomeFirstResponder("listView"))
    try stage.apply(.removeResponder("nav"))
    #expect(stage.session.firstResponder == nil && superview(of: "navView", stage) == nil)
  }

  @Test func `R8: without a window, focus in the view of a view controller goes with that`() throws
  {
    var stage = try Stage(
      responders: [
        "c": controller(nil, nil, ["view": "v"]), "v": ["kind": "view"],
        "field": ["kind": "view", "superview": "v"],
      ], focus: "field")
    try stage.apply(.removeResponder("c"))
    #expect(stage.session.firstResponder == nil)
  }

  private func hosts() throws -> Stage {
    try Stage(
      responders: [
        "w": ["kind": "window"], "w2": ["kind": "window"],
        "host": ["kind": "view", "superview": "w"], "field": ["kind": "view", "superview": "host"],
      ], focus: "field")
  }

  private func put(_ id: ResponderID, in superview: String?) throws -> Mutation {
    var document: JSONObject = ["kind": "view"]
    document["superview"] = superview.map(JSON.string)
    return .putResponder(try responder(id, .object(document)))
  }

  @Test func `R8: whether focus left its window is decided when all of a list is applied`() throws {
    let detach = try put("host", in: nil)
    let move = try put("field", in: "w")
    for list in [[detach, move], [move, detach]] {
      var stage = try hosts()
      _ = try stage.session.apply(list, in: stage.catalog)
      #expect(stage.session.firstResponder == "field")
    }
    let away = try put("field", in: "w2")
    for list in [[detach, away], [away, detach]] {
      var stage = try hosts()
      let outcomes = try stage.session.apply(list, in: stage.catalog)
      #expect(stage.session.firstResponder == nil)
      #expect(outcomes.flatMap(\.changes).filter { $0 == .firstResponder(nil) }.count == 1)
    }
  }

  @Test func `R8: focus in a host that is in no window stays, in whatever order it is moved`()
    throws
  {
    let lists = try [
      [put("host", in: "w"), put("field", in: nil)], [put("field", in: nil), put("host", in: "w")],
    ]
    for list in lists {
      var stage = try hosts()
      try stage.put("host", ["kind": "view"])
      try stage.apply(.becomeFirstResponder("field"))
      _ = try stage.session.apply(list, in: stage.catalog)
      #expect(stage.session.firstResponder == "field")
    }
  }

  @Test func `R8: focus stays while a list takes its view away and gives it back`() throws {
    var stage = try hosts()
    let list = try [put("host", in: nil), put("host", in: "w")]
    let outcomes = try stage.session.apply(list, in: stage.catalog)
    #expect(outcomes.map { $0.changes.count } == [1, 1])
    #expect(stage.session.firstResponder == "field")
  }

  @Test func `R8: an action in the middle of a list finds the present first responder`() throws {
    var stage = try hosts()
    try stage.apply(.putHandler(try handler(logging("go")), for: "go:", of: "field"))
    let list = try [
      put("host", in: nil), .perform(ActionRequest(.action("go:"))), put("host", in: "w"),
    ]
    _ = try stage.session.apply(list, in: stage.catalog)
    #expect(stage.log == ["go"])
    #expect(stage.session.firstResponder == "field")
  }

  @Test func `R8: focus that a list gives counts from there`() throws {
    let back = try put("host", in: "w")
    let detach = try put("host", in: nil)
    for (list, focus) in [
      // It was in another window before, and has focus where it is now.
      ([try put("field", in: "w2"), .becomeFirstResponder("field")], "field"),
      ([.resignFirstResponder, .becomeFirstResponder("field"), detach], nil),
      ([detach, .resignFirstResponder, .becomeFirstResponder("field"), back], "field"),
    ] as [([Mutation], ResponderID?)] {
      var stage = try hosts()
      _ = try stage.session.apply(list, in: stage.catalog)
      #expect(stage.session.firstResponder == focus)
    }
  }

  @Test func `R8: lost focus is told together with the change that caused it`() throws {
    var stage = try hosts()
    let outcomes = try stage.session.apply(
      [put("host", in: nil), .mergeState([:])], in: stage.catalog)
    #expect(outcomes[0].changes.last == .firstResponder(nil))
    #expect(outcomes[1].isNothing)
  }

  @Test func `R8: focus does not return to a responder that was deleted, resigned, or gave it up`()
    throws
  {
    let back = try put("host", in: "w")
    let detach = try put("host", in: nil)
    for (list, focus) in [
      ([.removeResponder("field"), try put("field", in: "host")], nil),
      ([detach, .resignFirstResponder, back], nil),
      ([detach, .becomeFirstResponder("host"), back], "host"),
      ([detach, .removeResponder("field"), back, try put("field", in: "host")], nil),
    ] as [([Mutation], ResponderID?)] {
      var stage = try hosts()
      _ = try stage.session.apply(list, in: stage.catalog)
      #expect(stage.session.firstResponder == focus)
    }
  }

  @Test func `R8: a view controller that a list pops and pushes again keeps focus in it`() throws {
    var stage = try stage()
    try stage.apply(.push("detail", onto: "nav"))
    try stage.apply(.becomeFirstResponder("field"))
    _ = try stage.session.apply(
      [.pop("nav"), .push("detail", onto: "nav")],
      in: stage.catalog)
    #expect(stage.session.firstResponder == "field")
  }

  @Test func `R8: a document that selects another tab takes focus from the one it covers`() throws {
    var stage = try Stage(
      responders: [
        "window": ["kind": "window", "rootViewController": "tabs"],
        "tabs": controller("UITabBarController", ["a", "b"], ["view": "tabsView"]),
        "tabsView": ["kind": "view"], "a": controller(nil, nil, ["view": "aView"]),
        "aView": ["kind": "view", "superview": "tabsView"], "b": controller(),
      ], focus: "aView")
    try stage.put(
      "tabs",
      controller(
        "UITabBarController", ["a", "b"], ["view": "tabsView", "selectedViewController": "b"]))
    #expect(stage.session.firstResponder == nil)
  }

  /// Views move about in two windows and out of them; with the order of the moves nothing changes.
  @Test(arguments: Seeds.first(12))
  func `R8: whatever links a list changes, their order does not matter to focus`(seed: UInt64)
    throws
  {
    var random = SeededGenerator(seed: seed)
    let ids = (0..<6).map { ResponderID("v\($0)") }
    var stage = try Stage(responders: ["w0": ["kind": "window"], "w1": ["kind": "window"]])
    for id in ids { try stage.put(id, ["kind": "view"]) }
    var compared = 0
    for _ in 0..<40 {
      if let id = ids.randomElement(using: &random), Bool.random(using: &random) {
        try stage.apply(.becomeFirstResponder(id))
      }
      let moved = ids.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
      let list = try moved.map { id in
        try put(
          id, in: (["w0", "w1", nil] + ids.map(\.rawValue)).randomElement(using: &random) ?? nil)
      }
      var (one, other) = (stage.session, stage.session)
      guard (try? one.apply(list, in: stage.catalog)) != nil,
        (try? other.apply(list.shuffled(using: &random), in: stage.catalog)) != nil
      else { continue }
      #expect(one.firstResponder == other.firstResponder)
      stage.session = one
      compared += 1
    }
    #expect(compared > 0)
  }
}
