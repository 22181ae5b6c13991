import JSONText
import Testing

@testable import MenuEngine

/// Registries, their order and their hooks (L1–L6).
struct LateRegistryTests {
  /// A view in a window, with a registry and late responders that are not registered yet.
  private func stage(
    _ registry: JSON = [:], late: [(ResponderID, JSON)] = [], others: JSON = [:]
  ) throws -> Stage {
    var stage = try Stage(
      responders: [
        "application": ["kind": "application"], "window": ["kind": "window"],
        "view": ["kind": "view", "superview": "window"],
        "a": ["kind": "responder"], "b": ["kind": "responder"], "c": ["kind": "responder"],
      ], focus: "view")
    for (id, json) in late { try stage.put(id, json) }
    for member in others.object?.members ?? [] {
      try stage.put(try #require(ResponderID(member.name)), member.value)
    }
    try stage.put(
      "view", ["kind": "view", "superview": "window", "lateResponders": registry])
    return stage
  }

  @Test func `L1: a new registry leads from its initial to its last`() throws {
    let stage = try stage()
    #expect(stage.session.graph.next(of: .lateInitial(of: "view")) == .lateLast(of: "view"))
    #expect(stage.session.graph["view"]?.lateResponders == LateRegistry())
  }

  @Test func `L1: the ends answer nothing, and traces show them`() throws {
    let stage = try stage()
    #expect(
      try stage.trace("copy:") == [
        "view respondsToSelector false", #"view next "view/late-initial""#,
        "view/late-initial respondsToSelector false",
        #"view/late-initial next "view/late-last""#, "view/late-last respondsToSelector false",
        #"view/late-last next "window""#, "window respondsToSelector false",
        #"window next "application""#, "application respondsToSelector false",
        "application next null",
      ])
  }

  @Test func `L1: the ends are not among the responders that a client named`() throws {
    let stage = try stage()
    #expect(stage.session.graph.ids.map(\.rawValue).filter { $0.contains("/") } == [])
    let text = "view/late-last"
    #expect(ResponderID(text) == nil)
  }

  @Test func `L2: the host comes before its late responders, what followed it after`() throws {
    var stage = try stage()
    try stage.register("a", "b", from: "view")
    #expect(
      stage.names(from: "view") == [
        "view", "view/late-initial", "a", "b", "view/late-last", "window", "application",
      ])
  }

  @Test func `L2: moves of the host are seen`() throws {
    var stage = try stage(others: ["other": ["kind": "window"]])
    try stage.register("a", from: "view")
    try stage.put(
      "view", ["kind": "view", "superview": "other", "lateResponders": ["responders": ["a"]]])
    #expect(stage.names(from: "a") == ["a", "view/late-last", "other", "application"])
  }

  @Test func `L2: an unhooked registry ends the chain, and diagnostics name it`() throws {
    var stage = try stage(["hooksLast": false])
    try stage.register("a", from: "view")
    #expect(stage.names(from: "view") == ["view", "view/late-initial", "a", "view/late-last"])
    let diagnostics = stage.session.diagnostics(in: stage.catalog)
    #expect(
      diagnostics.unhooked == [
        UnhookedRegistry(host: "view", unreachable: ["window", "application"])
      ])
    #expect(diagnostics.detached.contains("view"))
  }

  @Test func `L2: a hooked registry is nothing to be told of`() throws {
    let stage = try stage()
    #expect(stage.session.diagnostics(in: stage.catalog).unhooked == [])
  }

  @Test func `L2: a late responder can be a host itself`() throws {
    var stage = try stage(late: [("a", ["kind": "responder", "lateResponders": [:]])])
    try stage.register("a", "b", from: "view")
    try stage.register("c", from: "a")
    #expect(
      stage.names(from: "view") == [
        "view", "view/late-initial", "a", "a/late-initial", "c", "a/late-last", "b",
        "view/late-last", "window", "application",
      ])
  }

  @Test func `L3: the lightest comes first, of equal ones the first registered`() throws {
    var stage = try stage(late: [
      ("a", ["kind": "responder", "weight": 1]), ("b", ["kind": "responder", "weight": -3]),
      ("d", ["kind": "responder", "weight": 1]),
    ])
    try stage.register("a", "c", "d", "b", from: "view")
    #expect(stage.members(of: "view") == ["b", "c", "a", "d"])
  }

  @Test func `L3: who is registered again goes behind its equals`() throws {
    var stage = try stage()
    try stage.register("a", "b", "c", from: "view")
    try stage.apply(.deregisterLate("a", from: nil))
    try stage.register("a", from: "view")
    #expect(stage.members(of: "view") == ["b", "c", "a"])
  }

  @Test func `L3: the weight is fixed while its bearer is registered`() throws {
    var stage = try stage()
    try stage.register("a", from: "view")
    let heavier = Mutation.putResponder(try responder("a", ["kind": "responder", "weight": 2]))
    #expect(stage.refusal(of: heavier) == .lateResponder(.weightFixed("a", 0, host: "view")))
    try stage.apply(.deregisterLate("a", from: nil))
    try stage.apply(heavier)
    #expect(stage.session.graph["a"]?.weight == 2)
  }

  @Test func `L3: a document lists members in any order`() throws {
    let stage = try stage(
      ["responders": ["a", "b"]], late: [("a", ["kind": "responder", "weight": 9])])
    #expect(stage.members(of: "view") == ["b", "a"])
  }

  @Test func `L4: registering what is registered here already is silent`() throws {
    var stage = try stage()
    try stage.register("a", "b", from: "view")
    let outcome = try stage.apply(.registerLate("a", from: "view"))
    #expect(outcome == Outcome())
    #expect(stage.members(of: "view") == ["a", "b"])
  }

  @Test func `L4: registering is told`() throws {
    var stage = try stage()
    let outcome = try stage.apply(.registerLate("a", from: "view"))
    #expect(outcome.changes == [.lateResponders("view", ["a"])])
  }

  @Test func `L4: registered elsewhere it is moved, and both registries tell it`() throws {
    var stage = try stage(others: ["other": ["kind": "window", "lateResponders": [:]]])
    try stage.register("a", "b", from: "view")
    let outcome = try stage.apply(.registerLate("a", from: "other"))
    #expect(
      outcome.changes == [.lateResponders("view", ["b"]), .lateResponders("other", ["a"])])
    #expect(stage.names(from: "a") == ["a", "other/late-last", "application"])
  }

  @Test func `L5: deregistering who is absent is silent`() throws {
    var stage = try stage(others: ["other": ["kind": "window", "lateResponders": [:]]])
    #expect(try stage.apply(.deregisterLate("a", from: nil)) == Outcome())
    #expect(try stage.apply(.deregisterLate("ghost", from: "view")) == Outcome())
    try stage.register("a", from: "view")
    #expect(try stage.apply(.deregisterLate("a", from: "other")) == Outcome())
    #expect(stage.members(of: "view") == ["a"])
  }

  @Test func `L5: who is deregistered keeps its next, and the others are chained again`() throws {
    var stage = try stage()
    try stage.register("a", "b", "c", from: "view")
    let outcome = try stage.apply(.deregisterLate("b", from: "view"))
    #expect(outcome.changes == [.lateResponders("view", ["a", "c"])])
    #expect(stage.names(from: "b") == ["b", "c", "view/late-last", "window", "application"])
    #expect(stage.names(from: "a") == ["a", "c", "view/late-last", "window", "application"])
  }

  @Test func `L5: the last of all keeps the end, which follows the host`() throws {
    var stage = try stage(others: ["other": ["kind": "window"]])
    try stage.register("a", from: "view")
    try stage.apply(.deregisterLate("a", from: "view"))
    try stage.put("view", ["kind": "view", "superview": "other", "lateResponders": [:]])
    #expect(stage.names(from: "a") == ["a", "view/late-last", "other", "application"])
    let document = try #require(stage.session.graph["a"]).json
    #expect(document.object?["next"] == "view/late-last")
    try stage.put("a", document)
    #expect(stage.names(from: "a") == ["a", "view/late-last", "other", "application"])
  }

  @Test func `L5: a walk that stands on a removed responder goes on`() throws {
    var stage = try stage(others: [
      "window": ["kind": "window", "handlers": ["copy:": logging("window")]]
    ])
    try stage.register("a", from: "view")
    try stage.apply(.becomeFirstResponder("a"))
    let outcome = try stage.apply(.deregisterLate("a", from: "view"))
    #expect(!outcome.changes.contains(.firstResponder(nil)))
    #expect(try stage.target("copy:") == "window")
  }

  @Test func `L5: a deleted late responder leaves its registry, which tells it`() throws {
    var stage = try stage()
    try stage.register("a", "b", from: "view")
    let outcome = try stage.apply(.removeResponder("a"))
    #expect(outcome.changes == [.responderRemoved("a"), .lateResponders("view", ["b"])])
  }

  @Test func `L6: the registry is found from anybody below it`() throws {
    var stage = try stage(others: ["label": ["kind": "view", "superview": "view"]])
    #expect(stage.session.graph.registryHost(from: "label") == "view")
    try stage.register("a", from: "label")
    #expect(stage.members(of: "view") == ["a"])
  }

  @Test func `L6: the nearest registry counts`() throws {
    let stage = try stage(others: ["window": ["kind": "window", "lateResponders": [:]]])
    #expect(stage.session.graph.registryHost(from: "view") == "view")
    #expect(stage.session.graph.registryHost(from: "window") == "window")
  }

  @Test func `L6: a view controller also looks among its parents`() throws {
    let stage = try stage(others: [
      "root": ["kind": "viewController", "lateResponders": [:]],
      "middle": ["kind": "viewController", "parent": "root"],
      "leaf": ["kind": "viewController", "parent": "middle"],
    ])
    #expect(stage.session.graph.registryHost(from: "leaf") == "root")
  }

  @Test func `L6: a late responder finds the registry that it stands in`() throws {
    var stage = try stage(others: ["window": ["kind": "window", "lateResponders": [:]]])
    try stage.register("a", from: "view")
    #expect(stage.session.graph.registryHost(from: "a") == "view")
    try stage.register("b", from: "a")
    #expect(stage.members(of: "view") == ["a", "b"])
    try stage.apply(.deregisterLate("b", from: "a"))
    #expect(stage.members(of: "view") == ["a"])
    let answer = try stage.session.registry(from: "a", isExplaining: true)
    #expect(answer.host == "view")
    #expect(answer.trace.lines == [#"a lateResponders null"#, #"view lateResponders ["a"]"#])
  }

  @Test func `L6: a late responder with a registry of its own finds that one`() throws {
    var stage = try stage(late: [("a", ["kind": "responder", "lateResponders": [:]])])
    try stage.register("a", from: "view")
    #expect(stage.session.graph.registryHost(from: "a") == "a")
  }

  @Test func `L2: the registry says what follows a late responder, not a next of its own`() throws {
    var stage = try stage(late: [("a", ["kind": "responder", "next": "c"])])
    let outcome = try stage.apply(.registerLate("a", from: "view"))
    #expect(outcome.changes == [.lateResponders("view", ["a"]), .link("a", .next, nil)])
    #expect(stage.session.graph["a"]?.links[.next] == nil)
    let next = try responder("a", ["kind": "responder", "next": "c"])
    #expect(
      stage.refusal(of: .putResponder(next))
        == .lateResponder(.nextOfLateResponder("a", host: "view")))
    try stage.apply(.deregisterLate("a", from: nil))
    try stage.apply(.putResponder(next))
    #expect(stage.names(from: "a") == ["a", "c"])
    let host = try stage.put(
      "view", ["kind": "view", "superview": "window", "lateResponders": ["responders": ["a"]]])
    #expect(
      host.changes == [
        try stage.told("view"), .link("a", .next, nil), .lateResponders("view", ["a"]),
      ])
  }

  @Test func `L2: a session does not begin with a late responder that has a next`() {
    #expect(throws: MutationFault.lateResponder(.nextOfLateResponder("a", host: "view"))) {
      try Stage(responders: [
        "view": ["kind": "view", "lateResponders": ["responders": ["a"]]],
        "a": ["kind": "responder", "next": "b"], "b": ["kind": "responder"],
      ])
    }
  }

  @Test func `L6: without a registry nobody is registered`() throws {
    let stage = try stage()
    #expect(
      stage.refusal(of: .registerLate("a", from: "window")) == .lateResponder(.noRegistry("window"))
    )
    #expect(stage.refusal(of: .registerLate("ghost", from: "view")) == .unknownResponder("ghost"))
    #expect(stage.refusal(of: .registerLate("a", from: "ghost")) == .unknownResponder("ghost"))
  }

  @Test func `R9: a registry cannot lead back to its host`() throws {
    let stage = try stage()
    #expect(
      stage.refusal(of: .registerLate("view", from: "view"))
        == .link(
          .cycle(
            ["view", .lateInitial(of: "view"), "view"], along: .next)))
    guard
      case .link(.cycle(let path, along: .next))? = stage.refusal(
        of: .registerLate("window", from: "view"))
    else {
      Issue.record("no cycle")
      return
    }
    #expect(path.first == path.last)
  }

  @Test func `a member that is not there or has another registry is refused`() throws {
    var stage = try stage(["responders": ["a"]])
    let ghost = try responder(
      "window", ["kind": "window", "lateResponders": ["responders": ["g"]]])
    #expect(
      stage.refusal(of: .putResponder(ghost))
        == .lateResponder(.unknownLateResponder("g", host: "window")))
    let taken = try responder(
      "window", ["kind": "window", "lateResponders": ["responders": ["a"]]])
    #expect(
      stage.refusal(of: .putResponder(taken))
        == .lateResponder(.lateResponderTaken("a", host: "window", by: "view")))
    #expect(throws: MutationFault.lateResponder(.lateResponderTaken("b", host: "view", by: "view")))
    {
      try stage.put("view", ["kind": "view", "lateResponders": ["responders": ["b", "b"]]])
    }
  }

  @Test func `a host that is put again has the members of its document`() throws {
    var stage = try stage()
    try stage.register("a", "b", from: "view")
    let document = try #require(stage.session.graph["view"]).json
    #expect(try stage.put("view", document).changes == [])
    #expect(stage.members(of: "view") == ["a", "b"])
    let emptied = try stage.put(
      "view", ["kind": "view", "superview": "window", "lateResponders": [:]])
    #expect(try emptied.changes == [stage.told("view"), .lateResponders("view", [])])
  }

  @Test func `what is wrong with a template's registries is told with its place`() {
    let session: JSON = [
      "responders": [
        "a": ["kind": "view", "lateResponders": ["responders": ["ghost"]]],
        "b": ["kind": "responder", "proxied": "nobody"],
      ]
    ]
    let noted = #expect(throws: CatalogDocument.Faults.self) {
      try CatalogDocument([.session: session]).catalog()
    }
    #expect(
      noted?.faults.map { $0.fault.pointer.description } == [
        "/responders/b/proxied", "/responders/a/lateResponders/responders/0",
      ])
  }

  @Test func `registries of a session's template are those of its documents`() throws {
    let stage = try Stage(responders: [
      "window": ["kind": "window", "lateResponders": ["responders": ["a", "b"]]],
      "a": ["kind": "responder"], "b": ["kind": "responder", "weight": -1],
    ])
    #expect(
      stage.names(from: "window") == [
        "window", "window/late-initial", "b", "a", "window/late-last",
      ])
  }
}

extension Stage {
  mutating func register(_ ids: ResponderID..., from start: ResponderID) throws {
    for id in ids { try apply(.registerLate(id, from: start)) }
  }

  func members(of host: ResponderID) -> [ResponderID]? {
    session.graph[host]?.lateResponders?.members
  }

  func names(from id: ResponderID) -> [String] { chain(from: id).map(\.rawValue) }
}
