import JSONText
import Testing

@testable import MenuEngine

/// Registries on hosts of every kind, whose chains change (L1, L2, L6), and in AppKit's search (R10).
struct LateHostTests {
  @Test(arguments: ResponderKind.allCases)
  func `L1: a registry sits on a responder of any kind`(kind: ResponderKind) throws {
    var stage = try Stage(
      responders: [
        "host": ["kind": .string(kind.rawValue), "lateResponders": [:]],
        "late": ["kind": "responder", "handlers": ["copy:": [:]]],
      ], focus: "host")
    try stage.register("late", from: "host")
    #expect(stage.names(from: "host") == ["host", "host/late-initial", "late", "host/late-last"])
    #expect(try stage.target("copy:") == "late")
  }

  /// All but the application, to which windows lead.
  @Test(arguments: ResponderKind.allCases.filter { $0 != .application })
  func `L1: a responder of any kind can be a late one`(kind: ResponderKind) throws {
    var stage = try Stage(
      responders: [
        "host": ["kind": "view", "superview": "window", "lateResponders": [:]],
        "window": ["kind": "window"], "late": ["kind": .string(kind.rawValue)],
      ], focus: "host")
    try stage.register("late", from: "host")
    #expect(
      stage.names(from: "late").starts(with: ["late", "host/late-last", "window"]))
  }

  @Test func `L2: the application's delegate follows its late responders`() throws {
    let stage = try Stage(responders: [
      "app": ["kind": "application", "delegate": "d", "lateResponders": ["responders": ["a"]]],
      "d": ["kind": "delegate"], "a": ["kind": "responder"],
    ])
    #expect(stage.names(from: "app") == ["app", "app/late-initial", "a", "app/late-last", "d"])
  }

  @Test func `L2: an explicit next of the host follows its late responders`() throws {
    let stage = try Stage(responders: [
      "v": [
        "kind": "view", "superview": "w", "next": "x", "lateResponders": ["responders": ["a"]],
      ], "w": ["kind": "window"], "x": ["kind": "responder"], "a": ["kind": "responder"],
    ])
    #expect(stage.names(from: "a") == ["a", "v/late-last", "x"])
  }

  @Test func `L2: what follows the host is looked up each time, whatever changes it`() throws {
    var stage = try Stage(responders: [
      "w": ["kind": "window"],
      "v": ["kind": "view", "superview": "w", "lateResponders": ["responders": ["a"]]],
      "a": ["kind": "responder"],
    ])
    try stage.put("c", ["kind": "viewController", "view": "v"])
    #expect(stage.names(from: "a") == ["a", "v/late-last", "c", "w"])
    try stage.put("app", ["kind": "application"])
    #expect(stage.names(from: "a") == ["a", "v/late-last", "c", "w", "app"])
    try stage.put("w", ["kind": "window", "lateResponders": [:]])
    #expect(
      stage.names(from: "a") == [
        "a", "v/late-last", "c", "w", "w/late-initial", "w/late-last", "app",
      ])
    // The view leaves the screen with its view controller (R8).
    try stage.apply(.removeResponder("c"))
    #expect(stage.names(from: "a") == ["a", "v/late-last"])
  }

  @Test func `L2: a registry can be hooked later, and unhooked again`() throws {
    var stage = try Stage(responders: [
      "w": ["kind": "window"],
      "v": [
        "kind": "view", "superview": "w",
        "lateResponders": ["hooksLast": false, "responders": ["a"]],
      ], "a": ["kind": "responder"],
    ])
    #expect(stage.names(from: "a") == ["a", "v/late-last"])
    try stage.put(
      "v", ["kind": "view", "superview": "w", "lateResponders": ["responders": ["a"]]])
    #expect(stage.names(from: "a") == ["a", "v/late-last", "w"])
    try stage.put(
      "v",
      [
        "kind": "view", "superview": "w",
        "lateResponders": ["hooksLast": false, "responders": ["a"]],
      ])
    #expect(stage.names(from: "v") == ["v", "v/late-initial", "a", "v/late-last"])
  }

  @Test func `L3: weights can be as low and as high as numbers go`() throws {
    let stage = try Stage(responders: [
      "w": ["kind": "window", "lateResponders": ["responders": ["high", "low", "none"]]],
      "high": ["kind": "responder", "weight": .int(.max)], "none": ["kind": "responder"],
      "low": ["kind": "responder", "weight": .int(.min)],
    ])
    #expect(stage.members(of: "w") == ["low", "none", "high"])
  }

  @Test func `L3: a responder that is put again with the same weight keeps its place`() throws {
    var stage = try Stage(responders: [
      "w": ["kind": "window", "lateResponders": ["responders": ["a", "b"]]],
      "a": ["kind": "responder", "weight": 1], "b": ["kind": "responder", "weight": 1],
    ])
    let outcome = try stage.put(
      "a", ["kind": "responder", "weight": 1, "handlers": ["copy:": [:]]])
    #expect(try outcome.changes == [stage.told("a")])
    #expect(stage.members(of: "w") == ["a", "b"])
    #expect(try stage.target("copy:", from: "w") == "a")
  }

  @Test func `L4: a moved late responder goes behind its equals there, and back again`() throws {
    var stage = try Stage(responders: [
      "w": ["kind": "window", "lateResponders": ["responders": ["a", "b"]]],
      "x": ["kind": "window", "lateResponders": ["responders": ["c"]]],
      "a": ["kind": "responder"], "b": ["kind": "responder"], "c": ["kind": "responder"],
    ])
    try stage.register("a", from: "x")
    #expect(stage.members(of: "x") == ["c", "a"])
    let back = try stage.apply(.registerLate("a", from: "w"))
    #expect(back.changes == [.lateResponders("x", ["c"]), .lateResponders("w", ["b", "a"])])
  }

  @Test func `L6: the trace names the responders that were asked, the chain before the parents`()
    throws
  {
    let stage = try Stage(responders: [
      "root": ["kind": "viewController", "lateResponders": ["responders": ["a"]]],
      "child": ["kind": "viewController", "parent": "root", "view": "v"],
      "v": ["kind": "view", "superview": "window"], "window": ["kind": "window"],
      "a": ["kind": "responder"],
    ])
    let answer = try stage.session.registry(from: "child", isExplaining: true)
    #expect(answer.host == "root")
    #expect(
      answer.trace.says == [
        "L6: 'child' has no registry of late responders.",
        "L6: 'window' has no registry of late responders.",
        "L6: 'root' hosts the registry, whose late responders are 'a'.",
      ])
    let none = try stage.session.registry(from: "v", isExplaining: true)
    #expect(none.host == nil)
    #expect(
      none.trace.lines == [
        "v lateResponders null", "child lateResponders null", "window lateResponders null",
      ])
    #expect(try stage.session.registry(from: "child").trace.steps == [])
    #expect(throws: MutationFault.unknownResponder("ghost")) {
      try stage.session.registry(from: "ghost")
    }
  }

  @Test func `L6: the chain comes before the parents`() throws {
    let stage = try Stage(responders: [
      "root": ["kind": "viewController", "lateResponders": [:]],
      "child": ["kind": "viewController", "parent": "root", "view": "v"],
      "v": ["kind": "view", "superview": "window"],
      "window": ["kind": "window", "lateResponders": [:]],
    ])
    #expect(stage.session.graph.registryHost(from: "child") == "window")
  }

  @Test func `L10: a registry that is made anew under the same name has no members`() throws {
    var stage = try Stage(responders: [
      "w": ["kind": "window", "lateResponders": ["responders": ["a"]]],
      "a": ["kind": "responder"],
    ])
    try stage.apply(.removeResponder("w"))
    try stage.put("w", ["kind": "window", "lateResponders": [:]])
    #expect(stage.members(of: "w") == [])
    #expect(stage.session.graph.host(ofLate: "a") == nil)
    #expect(try stage.apply(.deregisterLate("a", from: "w")) == Outcome())
    try stage.register("a", from: "w")
    #expect(stage.members(of: "w") == ["a"])
  }
}

/// Late responders and proxies in AppKit's search (R10).
struct LateWindowSearchTests {
  private func stage(_ more: JSON) throws -> Stage {
    var responders: JSONObject = [
      "app": ["kind": "application", "delegate": "d", "lateResponders": ["responders": ["ofApp"]]],
      "d": ["kind": "delegate"],
      "w": [
        "kind": "window", "delegate": "wd", "lateResponders": ["responders": ["ofWindow"]],
      ], "wd": ["kind": "responder"], "v": ["kind": "view", "superview": "w"],
      "ofApp": ["kind": "responder"], "ofWindow": ["kind": "responder"],
      "list": ["kind": "view", "handlers": ["up:": logging("list")]],
    ]
    for member in more.object?.members ?? [] { responders[member.name] = member.value }
    return try Stage(
      responders: .object(responders), focus: "v", key: "w", search: "appkit")
  }

  @Test func `L2: those of a window come after its delegate, the application's before its own`()
    throws
  {
    let stage = try stage([:])
    let asked = try stage.session.target(for: "copy:", in: stage.catalog).trace.steps
      .filter { $0.question == .respondsToSelector }.map(\.asked.description)
    #expect(
      asked == [
        "v", "w", "wd", "w/late-initial", "ofWindow", "w/late-last", "app", "app/late-initial",
        "ofApp", "app/late-last", "d",
      ])
  }

  @Test func `L2: registries of delegates are asked too, and nobody twice`() throws {
    let stage = try stage([
      "wd": ["kind": "responder", "lateResponders": ["responders": ["more"]]],
      "more": ["kind": "responder", "handlers": ["copy:": [:]]],
    ])
    #expect(try stage.target("copy:") == "more")
    #expect(try stage.target("copy:", from: "ofWindow") == "noTarget")
  }

  @Test func `L8: a proxy answers for another one, and can name whom to ask in its place`() throws {
    let named = try stage(["ofApp": ["kind": "responder", "proxied": "list"]])
    #expect(try named.target("up:") == "ofApp")
    let supplement = try stage([
      "v": ["kind": "view", "superview": "w", "supplementalTarget": "proxy"],
      "proxy": ["kind": "responder", "proxied": "list"],
    ])
    let answer = try supplement.session.target(for: "up:", in: supplement.catalog)
    #expect(answer.target == .responder("proxy") && answer.proxied == "list")
    let chained = try stage([
      "ofWindow": [
        "kind": "responder", "proxied": "list", "proxiedSelectors": [],
        "supplementalTarget": "list",
      ]
    ])
    #expect(try chained.target("up:") == "list")
  }

  @Test func `L13: touch bar and user activity begin where searches do`() throws {
    var stage = try stage([
      "v": ["kind": "view", "superview": "w", "userActivity": ["activityType": "a"]]
    ])
    try stage.put("w", ["kind": "window", "firstResponder": "v"])
    try stage.apply(.resignFirstResponder)
    #expect(try stage.session.userActivity().responder == "v")
  }
}
