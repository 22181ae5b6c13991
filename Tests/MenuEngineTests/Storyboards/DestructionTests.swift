import JSONText
import Testing

@testable import MenuEngine

/// Messages to view controllers that clients delete (V9).
@Suite struct DestructionTests {
  private static let told = noting("sender.name + ' of ' + sender.responder.id")

  /// A stack of a list and a detail, and somebody who observes both.
  private func stage(_ handlers: JSONObject = [:]) throws -> StoryboardStage {
    var stage = try StoryboardStage(
      launching: [
        "root": ["class": "UINavigationController", "viewControllers": ["list"]],
        "list": ["segues": [["identifier": "Go", "kind": "push", "destination": "detail"]]],
        "detail": ["handlers": .object(handlers), "viewControllers": ["inner"]], "inner": [:],
      ])
    try stage.segue("Go", from: "list")
    let observes: JSON = [
      ["event": "viewDidDisappear", "action": "told:"], ["event": "dealloc", "action": "told:"],
    ]
    try stage.apply(
      .putResponder(
        try responder(
          "observer",
          ["kind": "responder", "observes": observes, "handlers": ["told:": Self.told]])))
    return stage
  }

  @Test func `V9: a deletion is told to the view controller and to observers, while it is there`()
    throws
  {
    var stage = try stage(["dealloc": noting("'own of ' + responder.parent")])
    let outcome = try stage.apply(.removeResponder("detail"))
    #expect(
      stage.log == [
        "viewDidDisappear of detail", "own of root", "dealloc of detail",
        "viewDidDisappear of inner", "dealloc of inner",
      ])
    #expect(
      outcome.lifecycle == [
        "viewWillDisappear detail", "viewDidDisappear detail", "dealloc detail",
        "viewWillDisappear inner", "viewDidDisappear inner", "viewWillAppear list",
        "viewDidAppear list", "dealloc inner",
      ])
    #expect(outcome.gone == ["detail", "inner", "inner.view", "detail.view"])
    #expect(stage["root"]?.viewControllers == ["list"])
    #expect(stage["detail.view"] == nil && stage["inner"] == nil)
  }

  @Test func `V9: a controller that is not on screen does not disappear`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.removeResponder("list"))
    #expect(outcome.lifecycle == ["dealloc list"])
    #expect(stage["root"]?.viewControllers == ["detail"])
  }

  @Test func `V9: with a container that is deleted goes what it contains`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.removeResponder("root"))
    #expect(outcome.lifecycle.filter { $0.hasPrefix("dealloc") }.count == 4)
    #expect(
      stage.session.graph.ids == ["appDelegate", "application", "window", "observer"])
  }

  @Test
  func `V9: a view controller that a front end put is told of, too; other responders are not`()
    throws
  {
    var stage = try stage()
    let own: JSON = ["kind": "viewController", "handlers": ["dealloc": logging("own")]]
    try stage.apply(.putResponder(try responder("own", own)))
    let outcome = try stage.apply(.removeResponder("own"))
    #expect(outcome.events == [.lifecycle(.dealloc, "own", told: ["observer"])])
    #expect(stage.log == ["own", "dealloc of own"])
    #expect(try stage.apply(.removeResponder("inner.view")).events == [])
    #expect(stage.refusal(of: .removeResponder("own")) == .unknownResponder("own"))
  }

  @Test func `V9: a method that fails stops the deletion, and nothing is left of it`() throws {
    let stage = try stage([
      "dealloc": ["perform": [["op": "replace", "path": "/log", "value": "state.nothing"]]]
    ])
    guard
      case .effect(.rule(.responder("detail"), "dealloc", _))? =
        stage.refusal(of: .removeResponder("detail"))
    else {
      Issue.record("deleted")
      return
    }
  }

  @Test func `V9: what a method shows when its view controller is deleted goes with it`() throws {
    var stage = try stage(["dealloc": ["perform": [["op": "present", "viewController": "'own'"]]]])
    try stage.apply(.putResponder(try responder("own", ["kind": "viewController"])))
    try stage.apply(.removeResponder("detail"))
    #expect(stage["detail"] == nil && stage.link(.presentingViewController, of: "own") == nil)
  }

  @Test func `V9: a view controller that is dropped while it is told of its end goes once`() throws
  {
    let registration: JSON = [
      "op": "registerUndo", "target": "'helper'", "action": "'do:'", "arguments": "[1]",
    ]
    let undo: JSON = ["op": "undo"]
    var stage = try stage([
      "viewWillDisappear:": ["perform": [["op": "pop"], registration]],
      "dealloc": ["perform": [undo]],
    ])
    let helper: JSON = ["kind": "responder", "handlers": ["do:": ["perform": []]]]
    try stage.apply(.putResponder(try responder("helper", helper)))
    try stage.apply(.removeResponder("observer"))
    let outcome = try stage.apply(.removeResponder("detail"))
    #expect(outcome.lifecycle.filter { $0 == "dealloc detail" }.count == 1)
    #expect(outcome.events.contains { if case .didUndoChange = $0 { true } else { false } })
    #expect(stage["detail"] == nil)
  }

  @Test func `V9: telling a controller counts as an effect, even if it does nothing`() throws {
    let observes = JSON.array(
      Array(repeating: ["event": "dealloc", "action": "told:"] as JSON, count: Limits.effects))
    var stage = try stage()
    let crowd: JSON = ["kind": "responder", "observes": observes]
    try stage.apply(.putResponder(try responder("crowd", crowd)))
    try stage.apply(.removeResponder("inner"))
    try stage.apply(.putHandler(try handler(["perform": []]), for: "told:", of: "crowd"))
    #expect(
      stage.refusal(of: .removeResponder("detail"))
        == .effect(.tooManyEffects(limit: Limits.effects)))
  }
}
