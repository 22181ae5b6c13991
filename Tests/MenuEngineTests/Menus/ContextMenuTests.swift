import JSONText
import Testing

@testable import MenuEngine

@Suite struct ContextMenuTests {
  private func stage() throws -> Stage {
    func command(_ id: String, _ attributes: JSON = []) -> JSON {
      ["action": .string(id), "title": .string(id), "attributes": attributes]
    }
    return try Stage(
      commands: [
        command("yes"), command("nobody"), command("no"), command("hidden", ["hidden"]),
        command("off", ["disabled"]), command("also"),
      ],
      menus: [
        [
          "identifier": "m", "options": ["singleSelection"],
          "children": [
            "no", "nobody", "yes", ["identifier": "gone", "children": ["off", "hidden"]],
            ["identifier": "empty"],
            [
              "identifier": "kept", "options": ["displayInline"],
              "children": ["no", ["identifier": "deep", "children": ["nobody"]], "also"],
            ], "hidden",
          ],
        ]
      ],
      responders: [
        "v": [
          "kind": "view",
          "handlers": [
            "yes": ["validate": ["checked": true]], "also": ["validate": ["checked": true]],
            "no": ["validate": ["enabled": false, "checked": true]], "hidden": [:], "off": [:],
          ],
        ]
      ], focus: "v")
  }

  private func menu(_ kind: MenuKind?, of id: MenuID = "m") throws -> ValidatedMenu {
    let stage = try stage()
    var request = ValidationRequest()
    if let kind { request.kind = kind }
    let menu = try #require(stage.catalog.menu(id))
    return try stage.session.validate(menu, request, in: stage.catalog)
  }

  @Test func `M8: a main menu, the default, shows what cannot be performed as disabled`() throws {
    let menu = try menu(nil)
    #expect(menu == (try self.menu(.main)))
    #expect(
      menu.items.map { "\($0.command) \($0.isEnabled)" } == [
        "no false", "nobody false", "yes true", "off false", "hidden true", "no false",
        "nobody false", "also true", "hidden true",
      ])
    #expect(menu.leftOut == [])
  }

  @Test func `M8: a context menu leaves it out, hidden items and empty submenus too`() throws {
    let menu = try menu(.context)
    #expect(menu.text == "m(yes kept(also))")
    #expect(menu.leftOut.map(\.command) == ["no", "nobody", "off", "hidden", "hidden"])
    #expect(menu.leftOut.map(\.reason).prefix(3) == [.ruleFalse, .noTarget, .declaredDisabled])
  }

  @Test func `M8: a context menu with nothing in it is there, and disabled`() throws {
    let menu = try menu(.context, of: "gone")
    #expect(menu.children.isEmpty)
    #expect(!menu.isEnabled)
    #expect(try self.menu(.main, of: "gone").isEnabled)
  }

  @Test func `M9: what a context menu leaves out takes no check mark away`() throws {
    let main = try menu(.main).items.filter { $0.state == .on }.map(\.command)
    #expect(main == ["no"])
    let context = try menu(.context)
    #expect(context.items.map { "\($0.command) \($0.state)" } == ["yes on", "also off"])
    #expect(context.items.last?.lostSingleSelection == true)
  }
}

extension ValidatedMenu {
  fileprivate var text: String {
    let children = children.map { child in
      switch child {
      case .item(let item): item.command.rawValue
      case .menu(let menu): menu.text
      }
    }
    return "\(identifier)(\(children.joined(separator: " ")))"
  }
}
