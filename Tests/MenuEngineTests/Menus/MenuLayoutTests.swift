import JSONText
import Testing

@testable import MenuEngine

/// A menu that is put together from its layout says what the session says, to the byte.
@Suite struct MenuLayoutTests {
  private static func stage() throws -> PlanStage {
    PlanStage(
      try Stage(
        commands: [
          ["id": "one", "action": "a:", "title": "One", "key": ["input": "1"]],
          ["id": "two", "action": "b:", "title": "Two", "propertyList": 2],
          [
            "id": "three", "action": "c:", "title": "Three",
            "alternates": [["modifiers": ["shift"], "title": "Held", "action": "b:"]],
          ],
          ["id": "four", "title": "Four \"é\""],
          [
            "id": "alone", "action": "a:", "title": "Alone",
            "propertyList": 5,
          ],
        ],
        menus: [
          [
            "identifier": "choice", "title": "Choice", "options": ["singleSelection"],
            "children": [
              "one", ["identifier": "deep", "title": "Deep", "children": ["two"]],
              [
                "identifier": "inline", "options": ["displayInline"],
                "children": ["two", ["command": "three", "systems": ["context"]], "one"],
              ],
            ],
          ],
          ["identifier": "empty", "title": "Empty", "image": "box"],
          [
            "identifier": "popup", "title": "Popup", "systems": ["context"], "children": ["three"],
          ],
          ["identifier": "rest", "title": "Rest", "children": ["three", "four", "three"]],
        ],
        responders: [
          "v": [
            "kind": "view",
            "handlers": [
              "a:": ["validate": ["checked": "state.on", "hidden": "state.hidden"]],
              "b:": ["validate": ["checked": "state.on", "title": "state.title"]],
              "c:": ["validate": ["enabled": "state.absent"]],
            ],
          ]
        ], focus: "v", state: ["on": true, "hidden": false, "title": "T"]))
  }

  /// The text that the layout gives, compared with the session's own; nil if there is none.
  private func answer(
    _ id: MenuID, _ stage: inout PlanStage,
    _ change: (inout ValidationRequest) -> Void = { _ in }
  ) throws -> String? {
    var request = ValidationRequest()
    change(&request)
    let (session, catalog) = (stage.stage.session, stage.stage.catalog)
    let body = try stage.plan.answer(
      to: request, aboutMenu: id, at: stage.stage.moment, opening: { _ in })
    guard let body else { return nil }
    let menu = try #require(catalog.menuAsShown(id))
    let expected = PlanStage.body(try session.validate(menu, request, in: catalog))
    let text = String(decoding: body, as: UTF8.self)
    #expect(text == String(decoding: expected, as: UTF8.self))
    return text
  }

  @Test(arguments: [Menu.rootIdentifier, "choice", "deep", "empty", "rest"] as [MenuID])
  func `a menu of the main menu has a layout`(_ id: MenuID) throws {
    var stage = try Self.stage()
    let first = try #require(try answer(id, &stage))
    #expect(try answer(id, &stage) == first)
    for state: JSON in [["on": false], ["on": true, "hidden": true], ["title": "é"], [:]] {
      try stage.apply(.mergeState(state))
      #expect(try answer(id, &stage) != nil)
    }
  }

  @Test func `M9: an item that loses its check mark says so, the same one elsewhere does not`()
    throws
  {
    var stage = try Self.stage()
    let text = try #require(try answer("choice", &stage))
    #expect(text.split(separator: #""lostSingleSelection":true"#).count == 3)
    try stage.apply(.mergeState(["hidden": true]))
    let hidden = try #require(try answer("choice", &stage))
    #expect(!hidden.contains("lostSingleSelection"))
  }

  @Test func `M11: the alternates stand in the layout's slots, also of an item shown twice`() throws
  {
    var stage = try Self.stage()
    let text = try #require(try answer("rest", &stage))
    #expect(text.split(separator: #""alternates":[{"command":"three","title":"T""#).count == 3)
  }

  @Test(arguments: ["inline", "popup", "nowhere"] as [MenuID])
  func `a menu that is another one when it is shown alone has none`(_ id: MenuID) throws {
    var stage = try Self.stage()
    #expect(try answer(id, &stage) == nil)
  }

  @Test func `context menus, traces and modifiers have none`() throws {
    var stage = try Self.stage()
    #expect(try answer("rest", &stage) { $0.kind = .context } == nil)
    #expect(try answer("rest", &stage) { $0.isExplaining = true } == nil)
    #expect(try answer("rest", &stage) { $0.modifiers = KeyModifiers([.shift]) } == nil)
  }

  @Test func `a layout follows the menus and the commands of the catalogue`() throws {
    var stage = try Self.stage()
    let first = try #require(try answer("rest", &stage))
    try stage.stage.catalog.remove("alone")
    let fewer = try #require(try answer(Menu.rootIdentifier, &stage))
    try stage.stage.catalog.make([
      .replaceChildren(ofMenu: "rest", with: [.command(CommandPlace("four"))])
    ])
    #expect(try #require(try answer("rest", &stage)).count < first.count)
    #expect(try #require(try answer(Menu.rootIdentifier, &stage)).count < fewer.count)
    _ = try stage.stage.catalog.declare(try command(["id": "new", "title": "New"]))
    try stage.stage.catalog.make([
      .replaceChildren(ofMenu: "rest", with: [.command(CommandPlace("new"))])
    ])
    #expect(try #require(try answer("rest", &stage)).contains("New"))
  }

  @Test func `a responder that is not there is refused as by a session`() throws {
    var stage = try Self.stage()
    #expect(throws: MutationFault.unknownResponder("nobody")) {
      try answer("rest", &stage) { $0.from = "nobody" }
    }
  }

  @Test func `a session has most in common with one of the same beginning`() throws {
    var stage = try Self.stage()
    #expect(stage.plan.resemblance(to: stage.stage.session, in: stage.stage.catalog) == 0)
    try stage.ask()
    #expect(
      stage.plan.resemblance(to: stage.stage.session, in: stage.stage.catalog)
        == ValidationPlan.fullResemblance)
    let plan = stage.plan
    try stage.put("w", ["kind": "view"])
    #expect(plan.resemblance(to: stage.stage.session, in: stage.stage.catalog) == 2)
    try stage.apply(.becomeFirstResponder("w"))
    #expect(plan.resemblance(to: stage.stage.session, in: stage.stage.catalog) == 1)
  }
}
