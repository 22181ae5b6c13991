import ArgumentParser
import Counters
import JSONText
import Measuring
import MenuEngine

/// Measures how long it takes to find commands by what somebody types.
@main
struct Searches: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure searches for commands, as a palette asks for them.")

  @Option(help: "The number of commands.")
  var commands = 10_000

  @Option(help: "How often everything is measured, in turns.")
  var rounds = 7

  @Option(help: "How many searches make a measurement.")
  var count = 50

  /// The texts that are searched for, letter by letter and as whole words.
  private static let queries = [
    "", "s", "sh", "sho", "show", "show r", "rot lft", "exp sel", "svae", "photo album", "42",
    "zzz",
  ]

  func run() throws {
    let catalog = try CatalogDocument([
      .commands: .array((0..<commands).map(Self.command)), .menus: .array(menus),
      .classes: ["Everything": ["superclass": "UIView", "handlers": .object(handlers)]],
      .session: [
        "state": ["count": 0], "responders": ["view": ["kind": "view", "class": "Everything"]],
        "firstResponder": "view",
      ],
    ]).catalog()
    let session = try Session("s", opening: catalog.template ?? SessionTemplate(), in: catalog)
    var changed = session
    _ = try changed.apply(.mergeState(["count": 1]), in: catalog)
    let moments = [PlanMoment(session, in: catalog), PlanMoment(changed, in: catalog)]
    let fresh = ValidationPlan { _, writer in writer.null() }
    let times = try (0...max(rounds, 1)).map { _ in
      var plan = fresh
      return try milliseconds(of: 1) {
        _ = try plan.find(CommandQuery("", limit: 50), at: moments[0])
      }
    }
    var rows = [
      ["the first of a catalogue", "", fixed(times[0], 2)],
      ["the first of a session", "", fixed(median(Array(times[1...])), 2)],
    ]
    var plan = fresh
    for query in Self.queries {
      let wanted = CommandQuery(query, limit: 50, includesDisabled: true)
      var found = 0
      let times = try (0..<max(rounds, 1)).map { _ in
        try milliseconds(of: count) {
          found = try plan.find(wanted, at: moments[0]).commands.count
        }
      }
      rows.append(["'\(query)'", "\(found)", fixed(median(times), 2)])
    }
    var turn = 0
    let afterChange = try milliseconds(of: count) {
      turn += 1
      _ = try plan.find(CommandQuery("show", limit: 50), at: moments[turn % 2])
    }
    rows.append(["'show', after a change of the state", "", fixed(afterChange, 2)])
    print(table(["search", "found", "ms"], rows))
    let size = fixed(Double(plan.size) / 1_048_576, 1)
    print("\n\(commands) commands, the best 50; the session's plan takes \(size) MiB.")
    print("Medians of \(rounds) rounds. \(Machine.this())")
  }

  private func milliseconds(of count: Int, _ work: () throws -> Void) rethrows -> Double {
    let before = thread_nanoseconds()
    for _ in 0..<count { try work() }
    return Double(thread_nanoseconds() - before) / Double(count) / 1e6
  }

  private static let verbs = [
    "Show", "Hide", "Rotate", "Export", "Save", "Insert", "Delete", "Toggle", "Select", "Move",
  ]
  private static let things = [
    "Photo", "Album", "Layer", "Selection", "Path", "Group", "Window", "Sidebar", "Rating",
    "Colour",
    "Marker",
  ]
  private static let ways = [
    "Left", "Right", "as Copy", "in New Window", "to Front", "Again", "for All",
  ]

  private static func title(_ number: Int) -> String {
    let verb = verbs[number % verbs.count]
    let thing = things[number / verbs.count % things.count]
    let way = ways[number / (verbs.count * things.count) % ways.count]
    return "\(verb) \(thing) \(way) \(number)"
  }

  private static func command(_ number: Int) -> JSON {
    [
      "id": .string("c\(number)"), "title": .string(title(number)),
      "action": .string("a\(number):"),
    ]
  }

  /// A hundred commands in each menu.
  private var menus: [JSON] {
    stride(from: 0, to: commands, by: 100).map { start in
      [
        "identifier": .string("m\(start)"),
        "title": .string("\(Self.things[start / 100 % Self.things.count]) Menu"),
        "children": .array((start..<min(start + 100, commands)).map { .string("c\($0)") }),
      ]
    }
  }

  /// One in ten has a rule.
  private var handlers: JSONObject {
    var handlers = JSONObject()
    for number in 0..<commands {
      handlers["a\(number):"] =
        number % 10 == 0 ? ["validate": ["enabled": "state.count < \(number)"]] : [:]
    }
    return handlers
  }
}
