import Counters
import Foundation
import Glibc
import JSONText
import Measuring
import MenuEngine

/// Many sessions of an application at once, and what memory each of them takes.
struct OpenSessions {
  private let catalog: Catalog
  private var sessions: [Session] = []
  private var plans: [ValidationPlan] = []

  init(_ catalog: Catalog) { self.catalog = catalog }

  /// A table of the bytes that a session takes: as it was opened, after its state was changed, and with a
  /// plan that was asked.
  static func report(_ catalog: Catalog, count: Int) throws -> String {
    var open = OpenSessions(catalog)
    var rows: [[String]] = []
    let before = Memory.now()
    for (name, step) in [
      ("opened", { try $0.open(count) }),
      ("changed, as far as the state goes", { try $0.change() }),
      ("with responders of their own", { try $0.changeResponders() }),
      ("asked, with a plan each", { try $0.ask() }), ("idle again", { $0.plans = [] }),
    ] as [(String, (inout OpenSessions) throws -> Void)] {
      try step(&open)
      let now = Memory.now()
      rows.append([
        name, fixed(Double(now.heap - before.heap) / Double(count), 0),
        fixed(Double(now.resident - before.resident) / Double(count), 0),
      ])
    }
    return table(["\(count) sessions", "bytes of heap each", "bytes resident each"], rows)
  }

  private mutating func open(_ count: Int) throws {
    let template = catalog.template ?? SessionTemplate()
    sessions.reserveCapacity(count)
    for number in 0..<count {
      guard let id = SessionID("session\(number)") else { continue }
      sessions.append(try Session(id, opening: template, in: catalog))
    }
  }

  private mutating func change() throws {
    for index in sessions.indices {
      let patch: JSON = ["seen": .int(Int64(index))]
      _ = try sessions[index].apply(.mergeState(patch), in: catalog)
    }
  }

  private mutating func changeResponders() throws {
    for index in sessions.indices {
      guard let id = sessions[index].graph.ids.first else { continue }
      _ = try sessions[index].apply(.putKeyCommands([], of: id), in: catalog)
    }
  }

  private mutating func ask() throws {
    for session in sessions {
      var plan =
        plans.first?.forAnotherSession()
        ?? ValidationPlan { fault, writer in writer.value(fault) }
      _ = try plan.answer(to: ValidationRequest(), at: PlanMoment(session, in: catalog)) { writer in
        writer.member("session", session.id.rawValue)
      }
      plans.append(plan)
    }
  }
}

/// The memory of this process.
private struct Memory {
  let heap: Int
  let resident: Int

  static func now() -> Memory {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Memory(heap: Int(heap_bytes()), resident: pages * Int(getpagesize()))
  }
}
