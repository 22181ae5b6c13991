import CEL
import JSONText
import Testing

@testable import MenuEngine

@Suite struct FirstResponderTests {
  private func stage(a: JSON = [:], b: JSON = [:], focus: String? = "a") throws -> Stage {
    func view(_ more: JSON) -> JSON {
      var object: JSONObject = ["kind": "view", "superview": "window"]
      for member in more.object?.members ?? [] { object[member.name] = member.value }
      return .object(object)
    }
    return try Stage(
      responders: [
        "window": ["kind": "window"], "window2": ["kind": "window"], "a": view(a), "b": view(b),
      ], focus: focus, key: "window")
  }

  @Test func `R8: focus moves when nobody objects`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.becomeFirstResponder("b"))
    #expect(outcome.changes == [.firstResponder("b")])
    #expect(stage.session.firstResponder == "b")
  }

  @Test
  func `R8: the responder with focus becomes first responder at once, whatever its rules say`()
    throws
  {
    var stage = try stage(
      a: [
        "canBecomeFirstResponder": "!has(state.used)", "canResignFirstResponder": "state.missing",
      ])
    try stage.apply(.mergeState(["used": true]))
    #expect(try stage.apply(.becomeFirstResponder("a")).changes == [])
    #expect(stage.session.revision == 1)
  }

  @Test func `R8: a candidate that cannot become is refused, and nothing changes`() throws {
    let stage = try stage(b: ["canBecomeFirstResponder": false])
    #expect(
      stage.refusal(of: .becomeFirstResponder("b"))
        == .focus(
          .firstResponderRefused(
            candidate: "b", by: "b", .canBecomeFirstResponder, because: ["false is false"])))
  }

  @Test func `R8: a refusal tells what made the rule false`() throws {
    let stage = try stage(b: [
      "canBecomeFirstResponder": "responder.id == 'b' && size(responder.id) > 9"
    ])
    #expect(
      stage.refusal(of: .becomeFirstResponder("b"))
        == .focus(
          .firstResponderRefused(
            candidate: "b", by: "b", .canBecomeFirstResponder,
            because: ["size(responder.id) > 9 is false: size(responder.id) is 1"])))
  }

  @Test func `R8: an old one that cannot resign is asked second, and nothing changes`() throws {
    let keeps = try stage(a: ["canResignFirstResponder": false])
    #expect(
      keeps.refusal(of: .becomeFirstResponder("b"))
        == .focus(
          .firstResponderRefused(
            candidate: "b", by: "a", .canResignFirstResponder, because: ["false is false"])))
    #expect(
      keeps.refusal(of: .resignFirstResponder)
        == .focus(
          .firstResponderRefused(
            candidate: nil, by: "a", .canResignFirstResponder, because: ["false is false"])))
    let both = try stage(
      a: ["canResignFirstResponder": false], b: ["canBecomeFirstResponder": false])
    #expect(
      both.refusal(of: .becomeFirstResponder("b"))
        == .focus(
          .firstResponderRefused(
            candidate: "b", by: "b", .canBecomeFirstResponder, because: ["false is false"])))
  }

  @Test func `R8: a rule that fails or answers no bool refuses`() throws {
    let stage = try stage(a: ["canResignFirstResponder": "state.missing"])
    guard
      case .focus(.firstResponderRule("a", let fault))? = stage.refusal(
        of: .becomeFirstResponder("b"))
    else {
      Issue.record("no rule fault")
      return
    }
    #expect(fault.place == "canResignFirstResponder")
    let other = try self.stage(b: ["canBecomeFirstResponder": "dyn('yes')"])
    #expect(
      other.refusal(of: .becomeFirstResponder("b"))
        == .focus(
          .firstResponderRule(
            "b",
            RuleFault(
              place: "canBecomeFirstResponder", source: "dyn('yes')",
              reason: .answered(.string, expected: .bool)))))
  }

  @Test func `R8: the rules read the state and the responder`() throws {
    var stage = try stage(
      b: [
        "properties": ["locked": true],
        "canBecomeFirstResponder": "state.master || !responder.properties.locked",
      ])
    try stage.apply(.mergeState(["master": true]))
    try stage.apply(.becomeFirstResponder("b"))
    #expect(stage.session.firstResponder == "b")
  }

  @Test
  func `R8: after resigning there is no first responder, and resigning again changes nothing`()
    throws
  {
    var stage = try stage()
    #expect(
      try stage.apply(.resignFirstResponder).changes == [.firstResponder(nil)])
    #expect(stage.session.firstResponder == nil)
    #expect(try stage.apply(.resignFirstResponder).changes == [])
  }

  @Test func `R8: a responder that is not there is refused`() throws {
    #expect(
      try stage().refusal(of: .becomeFirstResponder("ghost")) == .unknownResponder("ghost"))
  }

  @Test func `R8: deleting the first responder resigns it, without asking it`() throws {
    var stage = try stage(a: ["canResignFirstResponder": false])
    let outcome = try stage.apply(.removeResponder("a"))
    #expect(outcome.changes == [.responderRemoved("a"), .firstResponder(nil)])
    #expect(stage.session.firstResponder == nil)
  }

  @Test func `R8: removing it from its window, or the window, resigns it`() throws {
    var moved = try stage()
    #expect(
      try moved.put("a", ["kind": "view"]).changes == [moved.told("a"), .firstResponder(nil)])
    var elsewhere = try stage()
    try elsewhere.put("a", ["kind": "view", "superview": "window2"])
    #expect(elsewhere.session.firstResponder == nil)
    var closed = try stage()
    #expect(
      try closed.apply(.removeResponder("window")).changes == [
        .responderRemoved("window"),
        .linkCleared(ClearedLink(holder: "a", link: .superview, destination: "window")),
        .linkCleared(ClearedLink(holder: "b", link: .superview, destination: "window")),
        .keyWindow(nil), .firstResponder(nil),
      ])
  }

  @Test func `R8: removing a view it stands in resigns it`() throws {
    var stage = try stage(focus: nil)
    try stage.put("leaf", ["kind": "view", "superview": "a"])
    try stage.apply(.becomeFirstResponder("leaf"))
    try stage.apply(.removeResponder("a"))
    #expect(stage.session.firstResponder == nil)
  }

  @Test func `R8: it leaves its window with whatever it stands in`() throws {
    func nested() throws -> Stage {
      var stage = try stage(focus: nil)
      try stage.put("box", ["kind": "view", "superview": "b"])
      try stage.put("sheetView", ["kind": "view"])
      try stage.put("root", ["kind": "viewController", "view": "a"])
      try stage.put(
        "sheet",
        ["kind": "viewController", "view": "sheetView", "presentingViewController": "root"])
      return stage
    }
    var moved = try nested()
    try moved.put("leaf", ["kind": "view", "superview": "box"])
    try moved.apply(.becomeFirstResponder("leaf"))
    #expect(
      try moved.put("b", ["kind": "view", "superview": "window2"]).changes == [
        moved.told("b"), .firstResponder(nil),
      ])
    var dismissed = try nested()
    try dismissed.apply(.becomeFirstResponder("sheetView"))
    #expect(
      try dismissed.put("sheet", ["kind": "viewController", "view": "sheetView"]).changes == [
        dismissed.told("sheet"), .firstResponder(nil),
      ])
  }

  @Test func `R8: an explicit next does not take a view out of its window`() throws {
    var stage = try stage(focus: nil)
    try stage.put("helper", ["kind": "responder"])
    try stage.put("a", ["kind": "view", "superview": "window", "next": "helper"])
    try stage.apply(.becomeFirstResponder("a"))
    try stage.put("a", ["kind": "view", "superview": "window"])
    #expect(stage.session.firstResponder == "a")
    try stage.put("a", ["kind": "view", "superview": "window", "next": "helper"])
    #expect(stage.session.firstResponder == "a")
    #expect(
      try stage.put("a", ["kind": "view", "next": "helper"]).changes == [
        stage.told("a"), .firstResponder(nil),
      ])
  }

  @Test func `R8: moving about in its window keeps focus, and so does another's removal`() throws {
    var stage = try stage()
    try stage.put("a", ["kind": "view", "superview": "b"])
    try stage.apply(.removeResponder("window2"))
    #expect(stage.session.firstResponder == "a")
  }

  @Test func `R8: outside of any window focus ends with deletion only`() throws {
    var stage = try Stage(
      responders: ["r": ["kind": "responder", "next": "q"], "q": ["kind": "responder"]],
      focus: "r")
    try stage.apply(.removeResponder("q"))
    #expect(stage.session.firstResponder == "r")
    try stage.apply(.removeResponder("r"))
    #expect(stage.session.firstResponder == nil)
  }

  @Test func `R8: a session does not open with a first responder that refuses`() {
    #expect(
      throws: MutationFault.focus(
        .firstResponderRefused(
          candidate: "b", by: "b", .canBecomeFirstResponder, because: ["false is false"]))
    ) {
      _ = try stage(b: ["canBecomeFirstResponder": false], focus: "b")
    }
  }
}

@Suite struct KeyWindowTests {
  private func stage() throws -> Stage {
    try Stage(responders: ["w": ["kind": "window"], "v": ["kind": "view"]])
  }

  @Test func `R7: a window becomes key, and stops being it`() throws {
    var stage = try stage()
    #expect(try stage.apply(.makeWindow("w", .key)) == Outcome(changes: [.keyWindow("w")]))
    #expect(try stage.apply(.makeWindow("w", .key)) == Outcome())
    #expect(try stage.apply(.makeWindow(nil, .key)) == Outcome(changes: [.keyWindow(nil)]))
  }

  @Test func `R7: only a window can be the key window`() throws {
    let stage = try stage()
    #expect(stage.refusal(of: .makeWindow("v", .key)) == .focus(.notAWindow("v", .view, as: .key)))
    #expect(stage.refusal(of: .makeWindow("ghost", .key)) == .unknownResponder("ghost"))
  }

  @Test func `R7: a key window that becomes something else is key no more`() throws {
    var stage = try stage()
    try stage.apply(.makeWindow("w", .key))
    let outcome = try stage.put("w", ["kind": "view"])
    #expect(try outcome.changes == [stage.told("w"), .keyWindow(nil)])
    #expect(stage.session.keyWindow == nil)
  }
}
