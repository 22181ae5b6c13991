import Foundation
import JSONText

/// An application with menus of ten commands, whose rules read a member of the state for each menu.
struct Application {
  var commands = 100
  /// How many responders there are from the first one to the one that handles everything.
  var depth = 2
  /// About how many bytes of JSON the state has: photos that no rule reads, and the menus' members.
  var stateSize = 0

  /// Writes it into a new folder, which is whose asks to remove.
  func write() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("growth-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (part, json) in parts {
      try Data(json.text().utf8).write(to: folder.appendingPathComponent("\(part).json"))
    }
    return folder
  }

  private var parts: [(String, JSON)] {
    let names = (0..<commands).map { "command\($0):" }
    return [
      (
        "commands",
        .array(names.map { ["title": .string("Title of \($0)"), "action": .string($0)] })
      ),
      ("menus", .array((0..<groups).map(menu))),
      ("classes", ["Groups": ["superclass": "UIView", "handlers": handlers]]),
      ("session", session),
    ]
  }

  private var groups: Int { (commands + 9) / 10 }

  private func menu(_ group: Int) -> JSON {
    let commands = (group * 10)..<min(group * 10 + 10, commands)
    return [
      "identifier": .string("group\(group)"), "title": .string("Group \(group)"),
      "children": .array(commands.map { .string("command\($0):") }),
    ]
  }

  private var handlers: JSON {
    object(
      (0..<commands).map { number in
        let state = "state.group\(number / 10)"
        return (
          "command\(number):",
          [
            "validate": [
              "enabled": .string("\(state).count > 0"),
              "checked": .string("\(state).choice == \(number % 10)"),
            ]
          ]
        )
      })
  }

  private var session: JSON {
    var responders: [(String, JSON)] = [
      ("application", ["kind": "application"]),
      ("window", ["kind": "window"]),
      ("view0", ["kind": "view", "class": "Groups", "superview": "window"]),
    ]
    responders += (1..<max(depth, 2)).map {
      ("view\($0)", ["kind": "view", "superview": .string("view\($0 - 1)")])
    }
    return [
      "state": state, "responders": object(responders), "keyWindow": "window",
      "firstResponder": .string("view\(max(depth, 2) - 1)"),
    ]
  }

  private var state: JSON {
    let menus = (0..<groups).map { group in
      ("group\(group)", ["count": .int(Int64(group % 3)), "choice": 0] as JSON)
    }
    let rest = max(stateSize - object(menus).text().utf8.count, 0)
    let size = photo(0).text().utf8.count + 1
    return object(menus + [("photos", .array((0..<(rest / size + 1)).map(photo)))])
  }

  private func photo(_ number: Int) -> JSON {
    [
      "id": .string("photo-\(100_000 + number)"), "title": "Lights over the lake", "rating": 3,
      "tags": ["travel", "north"],
    ]
  }
}

/// An object with these members, in this order.
private func object(_ members: [(String, JSON)]) -> JSON {
  var object = JSONObject()
  for (name, value) in members { object[name] = value }
  return .object(object)
}
