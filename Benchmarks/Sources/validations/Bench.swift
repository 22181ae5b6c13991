import Foundation
import JSONText
import MenuEngine

/// A session of the application in a folder, and the questions that it is asked.
struct Bench {
  private let catalog: Catalog
  /// The session as it was opened, and after the state changed, in one group each.
  private let sessions: [Session]
  /// Another session of the same beginning.
  private let other: Session
  /// The session after a responder's properties changed.
  private let mutated: Session
  private let ten: [CommandID]

  /// The way in which a session is asked.
  enum Question: String, CaseIterable {
    case alone
    case cold
    case coldBeside = "cold-beside"
    case warm
    case changed
    case focus
    case focusFirst = "focus-first"
    case responders
    case tenCold = "ten-cold"
    case tenWarm = "ten-warm"
    case tenChanged = "ten-changed"
    case menu

    /// The measurement, in words.
    var description: String {
      switch self {
      case .alone: "100 commands, without a plan"
      case .cold: "100 commands, cold: with a plan that knows nothing"
      case .coldBeside: "100 commands, cold, after another session of the same beginning was asked"
      case .warm: "100 commands, warm: nothing changed"
      case .changed: "100 commands, after one change that ten rules read"
      case .focus: "100 commands, after focus moved to and fro"
      case .focusFirst: "100 commands, after focus moved to where it never was"
      case .responders: "100 commands, after a responder that nobody asks was changed"
      case .tenCold: "10 of 100 commands, cold"
      case .tenWarm: "10 of 100 commands, warm"
      case .tenChanged: "10 of 100 commands, after one change that these ten read"
      case .menu: "the whole menu as a tree, after one change"
      }
    }
  }

  /// The catalogue in a folder.
  static func catalog(in folder: String) throws -> Catalog {
    var parts: [CatalogDocument.Part: JSON] = [:]
    for part in CatalogDocument.Part.allCases {
      guard let text = FileManager.default.contents(atPath: "\(folder)/\(part.rawValue).json")
      else { continue }
      parts[part] = try JSON(parsing: String(decoding: text, as: UTF8.self))
    }
    return try CatalogDocument(parts).catalog()
  }

  init(folder: String) throws {
    let catalog = try Self.catalog(in: folder)
    self.catalog = catalog
    let first = try Session("s", opening: catalog.template ?? SessionTemplate(), in: catalog)
    var sessions = [first]
    for choice: JSON in [1, 2] {
      var session = sessions[sessions.count - 1]
      _ = try session.apply(.mergeState(["group1": ["choice": choice]]), in: catalog)
      sessions.append(session)
    }
    other = try Session("t", opening: catalog.template ?? SessionTemplate(), in: catalog)
    var session = sessions[sessions.count - 1]
    _ = try session.apply(.becomeFirstResponder("rootView"), in: catalog)
    self.sessions = sessions + [session]
    var mutated = first
    let replaced = try Responder("window", ["kind": "window", "rootViewController": "root"])
    _ = try mutated.apply(.putResponder(replaced), in: catalog)
    self.mutated = mutated
    ten = (10..<20).map { catalog.commands[$0].id }
  }

  /// Asks so many times, and answers how many bytes that gave.
  func ask(_ question: Question, count: Int) throws -> Int {
    var plan = ValidationPlan { fault, writer in writer.value(fault) }
    var request = ValidationRequest()
    switch question {
    case .tenCold, .tenWarm, .tenChanged: request.commands = ten
    case .alone, .cold, .coldBeside, .warm, .changed, .focus, .focusFirst, .responders, .menu: break
    }
    _ = try answer(request, question == .focusFirst ? 2 : 0, &plan)
    let warm = plan
    let fresh = ValidationPlan { fault, writer in writer.value(fault) }
    let beside = plan.forAnotherSession()
    var size = 0
    for turn in 0..<count {
      switch question {
      case .alone: size += try answer(request)
      case .cold, .tenCold:
        plan = fresh
        size += try answer(request, 0, &plan)
      case .coldBeside:
        plan = beside
        size += try answer(request, other, &plan)
      case .warm, .tenWarm: size += try answer(request, 0, &plan)
      case .changed, .tenChanged: size += try answer(request, 1 + turn % 2, &plan)
      case .focus: size += try answer(request, 2 + turn % 2, &plan)
      case .focusFirst:
        plan = warm
        size += try answer(request, 3, &plan)
      case .responders:
        size += try answer(request, turn % 2 == 0 ? mutated : sessions[0], &plan)
      case .menu:
        let session = sessions[1 + turn % 2]
        let body = try plan.answer(
          to: request, aboutMenu: catalog.menus.identifier, at: PlanMoment(session, in: catalog)
        ) { open(&$0, session) }
        size += body?.count ?? 0
      }
    }
    return size
  }

  private func answer(
    _ request: ValidationRequest, _ index: Int, _ plan: inout ValidationPlan
  ) throws -> Int {
    try answer(request, sessions[index], &plan)
  }

  private func answer(
    _ request: ValidationRequest, _ session: Session, _ plan: inout ValidationPlan
  ) throws -> Int {
    try plan.answer(to: request, at: PlanMoment(session, in: catalog)) { open(&$0, session) }.count
  }

  /// The answer of a session that nobody knows anything of.
  private func answer(_ request: ValidationRequest) throws -> Int {
    let items = try sessions[0].validate(request, in: catalog)
    var writer = JSONWriter()
    writer.beginObject()
    open(&writer, sessions[0])
    writer.member("items")
    writer.beginArray()
    for item in items { writer.value(item, isExplaining: false) }
    writer.endArray()
    writer.endObject()
    return writer.bytes.count
  }

  private func open(_ writer: inout JSONWriter, _ session: Session) {
    writer.member("session", session.id.rawValue)
    writer.member("revision", session.revision)
    writer.member("catalogRevision", catalog.revision)
  }
}
