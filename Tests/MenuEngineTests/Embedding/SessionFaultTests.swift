import JSONText
import MenuEngine
import Testing

/// The words of refusals for programs that embed the engine.
@Suite struct SessionFaultTests {
  private let catalog: Catalog
  private var session: Session

  init() throws {
    catalog = try CatalogDocument([
      .commands: [
        ["title": "Print", "action": "print:"],
        [
          "title": "Rate", "action": "rate:",
          "parameters": [
            "type": "object", "properties": ["stars": ["type": "integer"]], "required": ["by"],
          ],
        ],
        [
          "title": "Delete", "action": "delete:",
          "confirmation": ["title": "Delete the photo?"],
        ],
      ]
    ]).catalog()
    session = try Session(
      "main",
      opening: SessionTemplate([
        "responders": ["photo": ["kind": "view", "handlers": ["rate:": [:], "delete:": [:]]]],
        "firstResponder": "photo",
      ]), in: catalog)
  }

  private mutating func fault(of mutation: Mutation) throws -> SessionFault {
    do throws(MutationFault) {
      _ = try session.apply(mutation, in: catalog)
    } catch {
      return SessionFault(error)
    }
    return try #require(nil)
  }

  private mutating func print(_ handler: Handler) throws -> SessionFault {
    _ = try session.apply(.putHandler(handler, for: "print:", of: "photo"), in: catalog)
    return try fault(of: .perform(ActionRequest(.command("print:"))))
  }

  private struct Jam: Error, CustomStringConvertible {
    let description = "the paper is jammed"
  }

  @Test mutating func `M10: a closure throws any error, whose words are in the fault`() throws {
    let performing = try print(Handler(perform: { _ in throw HandlerFailure("no paper") }))
    #expect(performing.rule?.message == "no paper")
    #expect(performing.description == "print: of photo failed: perform: no paper")
    let other = try print(Handler(perform: { _ in throw Jam() }))
    #expect(other.rule?.message == "the paper is jammed")
    let validating = try print(
      Handler(validate: { _, _ in throw HandlerFailure("no ink") }, perform: { _ in [] }))
    #expect(validating.rule?.message == "no ink")
    #expect(
      validating.description == "print: is not performed: ruleError, validate: no ink")
    let asking = try print(
      Handler(canPerform: { _ in throw HandlerFailure("busy") }, perform: { _ in [] }))
    #expect(asking.description == "print: is not performed: ruleError, canPerform: busy")
  }

  @Test mutating func `P2: a fault has the places of parameters that do not fit`() throws {
    let fault = try fault(
      of: .perform(ActionRequest(.command("rate:"), parameters: ["stars": "five"])))
    #expect(fault.invalidParameters.map(\.description) == ["", "/stars"])
    #expect(
      fault.description
        == "rate: has invalid parameters: missing member: by; /stars: type: integer, found: \"five\""
    )
    #expect(fault.confirmation == nil)
  }

  @Test mutating func `W4: a fault has the confirmation that is asked for`() throws {
    let fault = try fault(of: .perform(ActionRequest(.command("delete:"))))
    #expect(fault.confirmation?.title == "Delete the photo?")
    #expect(fault.description == "delete: needs a confirmation: Delete the photo?")
    #expect(fault.reason == nil)
  }

  @Test mutating func `other faults are words, too`() throws {
    #expect(
      try fault(of: .becomeFirstResponder("ghost")).description == "unknown responder: ghost")
    let key = try KeyPress(["key": ["input": "x"]])
    #expect(try fault(of: .pressKey(key)).description == "the key is not performed: noMatch")
    let action = ActionRequest(.action("fly:"))
    #expect(try fault(of: .perform(action)).description == "fly: is not performed: noTarget")
    let state = try JSONPatch([["op": "remove", "path": "/a"]])
    #expect(
      try fault(of: .patchState(state)).description
        == "patch: Operation 0 cannot be applied: there is no value at \"/a\".")
  }

  @Test func `documents name each fault with its place`() {
    #expect {
      try CatalogDocument([
        .commands: [["title": "Copy", "id": "copy", "action": 5]], .menus: [["title": 1]],
        .classes: 5,
      ]).catalog()
    } throws: { error in
      "\(error)" == """
        commands/0/action: expected: selector, found: 5
        menus/0/title: expected: string, found: 1
        classes: expected: object, found: 5
        """
    }
    #expect {
      try SessionTemplate(["first": "a"])
    } throws: { error in
      "\(error)".hasPrefix("/first: unknown member: first, known: state, ")
    }
  }

  @Test(arguments: [(-1, 0), (0, 0), (1, 1), (.max, 3), (.min, 0)])
  func `S: a search has at most as many results as asked`(limit: Int, count: Int) throws {
    var session = session
    _ = try session.apply(
      .putHandler(Handler(), for: "print:", of: "photo"), in: catalog)
    #expect(try session.find("", limit: limit, in: catalog).count == count)
  }

  @Test func `S, M12: a search finds more items from data than there are commands`() throws {
    let catalog = try CatalogDocument([
      .commands: [["title": "Open", "action": "open:", "parameters": ["type": "object"]]],
      .menus: [
        [
          "identifier": "recent", "title": "Recent",
          "children": [
            [
              "forEach": "state.recent", "key": "item", "command": "open:", "title": "item",
              "parameters": "{}",
            ]
          ],
        ]
      ],
    ]).catalog()
    let session = try Session(
      "main",
      opening: SessionTemplate([
        "state": ["recent": ["a1", "a2", "a3", "a4"]],
        "responders": ["list": ["kind": "view", "handlers": ["open:": [:]]]],
        "firstResponder": "list",
      ]), in: catalog)
    #expect(try session.find("a", limit: 3, in: catalog).count == 3)
  }

  @Test mutating func `R8: a rule that fails when focus moves is in the fault`() throws {
    let shy: Responder = try responder(
      "shy", ["kind": "view", "canBecomeFirstResponder": "state.absent"])
    _ = try session.apply(.putResponder(shy), in: catalog)
    #expect(try fault(of: .becomeFirstResponder("shy")).rule != nil)
  }
}
