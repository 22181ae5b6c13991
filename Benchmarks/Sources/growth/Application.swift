import Foundation
import JSONText
import Measuring

/// An application with menus of ten commands, whose rules read a member of the state for each menu.
struct Application {
  var commands = 100
  /// The number of responders from the first one to the one that handles everything.
  var depth = 2
  /// The number of places in the innermost responder to which focus can move; each handles one
  /// command.
  var places = 0
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
      (
        "classes",
        [
          "Groups": ["superclass": "UIView", "handlers": handlers(commands)],
          "Place": ["superclass": "UIView", "handlers": handlers(1)],
        ]
      ),
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

  private func handlers(_ count: Int) -> JSON {
    object(
      (0..<count).map { number in
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

  private var session: JSON { object(session(at: 0, with: [])) }

  /// Opens a session with the same chain, a state that no other time has, and a responder more.
  func opening(of id: String, _ time: Int) -> Request {
    let other: (String, JSON) = ("other", ["kind": "view", "superview": "window"])
    let opening = session(at: time, with: [other]) + [("id", .string(id))]
    return .post("/sessions", object(opening).text())
  }

  /// The members of a session whose state tells the time, with other responders too.
  private func session(at time: Int, with others: [(String, JSON)]) -> [(String, JSON)] {
    var responders: [(String, JSON)] = [
      ("application", ["kind": "application"]),
      ("window", ["kind": "window"]),
      ("view0", ["kind": "view", "class": "Groups", "superview": "window"]),
    ]
    responders += (1..<max(depth, 2)).map {
      ("view\($0)", ["kind": "view", "superview": .string("view\($0 - 1)")])
    }
    let innermost = JSON.string("view\(max(depth, 2) - 1)")
    responders += (0..<places).map {
      ("place\($0)", ["kind": "view", "class": "Place", "superview": innermost])
    }
    return [
      ("state", state(at: time)), ("responders", object(responders + others)),
      ("keyWindow", "window"),
      ("firstResponder", innermost),
    ]
  }

  private func state(at time: Int) -> JSON {
    let menus = (0..<groups).map { group in
      ("group\(group)", ["count": .int(Int64(group % 3)), "choice": 0] as JSON)
    }
    let rest = max(stateSize - object(menus).text().utf8.count, 0)
    let size = photo(0).text().utf8.count + 1
    let members = menus + [("time", .int(Int64(time)))]
    return object(members + [("photos", .array((0..<(rest / size + 1)).map(photo)))])
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
