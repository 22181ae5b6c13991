import JSONText
import Testing

@testable import MenuEngine

/// Actions that nobody can handle, and what else late responders and keys add to the diagnostics.
@Suite struct UnhandledActionsTests {
  private func diagnostics(_ stage: Stage) -> SessionDiagnostics {
    stage.session.diagnostics(in: stage.catalog)
  }

  @Test func `commands, alternates and key commands are told apart`() throws {
    let stage = try Stage(
      commands: [
        ["action": "a:", "title": "A"],
        [
          "action": "b:", "title": "B",
          "alternates": [
            ["modifiers": ["shift"], "title": "C", "action": "c:"],
            ["modifiers": ["alternate"], "title": "D", "action": "d:"],
          ],
        ],
        ["id": "none", "title": "None"],
      ],
      classes: [
        "Grid": ["superclass": "UIView", "keyCommands": [["input": "x", "action": "x:"]]]
      ],
      responders: [
        "v": [
          "kind": "view", "class": "Grid", "handlers": ["b:": [:], "d:": [:]],
          "keyCommands": [["input": "d", "action": "d:"], ["input": "y", "action": "y:"]],
        ]
      ], focus: "v")
    let unhandled = diagnostics(stage).unhandled
    #expect(unhandled.commands == ["a:", "none"])
    #expect(
      unhandled.alternates == [
        UnhandledActions.Alternate(
          command: "b:", modifiers: KeyModifiers([.shift]), action: "c:")
      ])
    #expect(
      unhandled.keyCommands == [
        UnhandledActions.Key(responder: "v", key: try pressed("y"), action: "y:"),
        UnhandledActions.Key(responder: "v", key: try pressed("x"), action: "x:"),
      ])
  }

  @Test func `what coordinators, late responders and proxies can be found for is handled`() throws {
    let stage = try Stage(
      commands: [
        ["action": "coordinated:", "title": "1"], ["action": "late:", "title": "2"],
        ["action": "proxied:", "title": "3"], ["action": "filtered:", "title": "4"],
        ["action": "explicit:", "title": "5"],
      ],
      responders: [
        "h": ["kind": "view", "coordinator": ["handlers": ["coordinated:": [:]]]],
        "e": [
          "kind": "view",
          "coordinator": ["forwarding": "explicit", "handlers": ["explicit:": [:]]],
        ],
        "v": ["kind": "view", "lateResponders": ["responders": ["late", "proxy"]]],
        "late": ["kind": "responder", "handlers": ["late:": [:]]],
        "proxy": ["kind": "responder", "proxied": "inner", "proxiedSelectors": ["proxied:"]],
        "inner": ["kind": "responder", "proxied": "list"],
        "list": ["kind": "view", "handlers": ["proxied:": [:], "filtered:": [:]]],
      ], focus: "v")
    #expect(diagnostics(stage).unhandled.commands == ["explicit:"])
    var alone = stage
    try alone.apply(.removeResponder("list"))
    #expect(
      diagnostics(alone).unhandled.commands == ["proxied:", "filtered:", "explicit:"])
  }

  @Test func `L10: proxies of nobody are named, proxies of those too`() throws {
    var stage = try Stage(responders: [
      "list": ["kind": "view"], "proxy": ["kind": "responder", "proxied": "list"],
      "outer": ["kind": "responder", "proxied": "proxy"],
    ])
    #expect(diagnostics(stage).deadProxies == [])
    try stage.apply(.removeResponder("list"))
    #expect(diagnostics(stage).deadProxies == ["proxy", "outer"])
  }

  @Test func `L2: a registry that no chain to the application passes is unreachable`() throws {
    let stage = try Stage(responders: [
      "app": ["kind": "application"], "w": ["kind": "window", "lateResponders": [:]],
      "loose": ["kind": "responder", "lateResponders": [:]],
      "panel": ["kind": "view", "superview": "w", "lateResponders": ["hooksLast": false]],
    ])
    #expect(diagnostics(stage).unreachableRegistries == ["loose", "panel"])
  }

  @Test func `K6: the keys claimed twice on the chain are part of the diagnostics`() throws {
    let stage = try Stage(
      commands: [["action": "copy:", "title": "Copy", "key": ["input": "c"]]],
      responders: [
        "v": ["kind": "view", "keyCommands": [["input": "c", "action": "cut:"]]]
      ], focus: "v")
    #expect(
      diagnostics(stage).keyConflicts?.map(\.line) == ["c: v cut:, copy: (respondersFirst)"])
  }

  @Test func `shadows are told for any action, those of commands first`() throws {
    let handlers: JSON = ["z:": [:], "b:": [:], "a:": [:]]
    let stage = try Stage(
      commands: [["action": "z:", "title": "Z"]],
      responders: [
        "v": ["kind": "view", "superview": "w", "handlers": handlers],
        "w": ["kind": "window", "handlers": handlers],
      ], focus: "v")
    #expect(diagnostics(stage).shadowed.map(\.action) == ["z:", "a:", "b:"])
  }
}
