import JSONText
package import MenuEngine
import MenuStore

/// Writes what came of a request as the members of its entry in the history (T5).
package struct HistoryMembers: HistoryWriter {
  package init() {}

  package func members(of outcomes: [Outcome]) -> [UInt8] {
    object { writer in
      if outcomes.count == 1 { writer.members(performedBy: outcomes[0]) }
      writer.member("changes")
      writer.beginArray()
      for outcome in outcomes { writer.elements(changesOf: outcome) }
      writer.endArray()
      let deliveries = outcomes.flatMap(\.delivered)
      if !deliveries.isEmpty { writer.member("deliveries", deliveries) }
      writer.optionalMember("undoName", outcomes.lazy.compactMap(\.undoName).last)
    }
  }

  package func members(of fault: MutationFault) -> [UInt8]? {
    switch fault {
    case .inList(index: _, let fault): return members(of: fault)
    case .command(.notPerformed(let refusal)):
      return members(of: refusal.item, action: refusal.action, refused: refusal.reason)
    case .command(.keyNotPerformed(let resolution)):
      return members(of: resolution.tried.first?.item, action: nil, refused: resolution.reason)
    default: return nil
    }
  }

  private func members(
    of item: ValidatedItem?, action: Selector?, refused reason: ValidationReason
  ) -> [UInt8] {
    object { writer in
      writer.optionalMember("command", item?.command.rawValue)
      writer.optionalMember("title", item?.title)
      writer.optionalMember("action", action?.rawValue)
      writer.optionalMember("target", item?.target?.description)
      writer.member("reason", reason.rawValue)
      writer.optionalMember("explanation", item?.explanation)
    }
  }

  private func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    write(&writer)
    writer.endObject()
    return writer.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func members(performedBy outcome: Outcome) {
    if let performance = outcome.performance {
      optionalMember("command", performance.invocation.sender?.command?.id.rawValue)
      optionalMember("title", performance.title)
      member("action", performance.invocation.originalSelector.rawValue)
      member("target", performance.target.description)
    }
    if let token = outcome.token { member("token", token) }
  }
}

/// An entry of the history as a document.
struct HistoryDocument {
  /// The kind of an entry.
  enum Kind: String, CaseIterable {
    case command
    case operations
    case refusal
  }

  let entry: HistoryEntry
  let kind: Kind
  /// The members about its result.
  private let result: JSONObject

  init(_ entry: HistoryEntry) {
    self.entry = entry
    let bytes =
      switch entry.result {
      case .outcomes(let outcomes): HistoryMembers().members(of: outcomes)
      case .members(let bytes): bytes
      }
    // Changes are deeper than the bodies that they repeat.
    if case .object(let object)? = try? JSON(parsing: bytes, maximumDepth: 4096) {
      result = object
    } else {
      result = JSONObject()
    }
    let isOfCommand = entry.record.mutations.count == 1 && entry.record.mutations[0].isOfCommand
    kind = entry.base == entry.revision ? .refusal : isOfCommand ? .command : .operations
  }

  /// The commands that were to be performed.
  var commands: [CommandID] {
    var commands = entry.record.mutations.flatMap(\.commands)
    if case .string(let text)? = result["command"], let id = CommandID(text) { commands.append(id) }
    return commands
  }

  /// The document for a viewer: without what was asked if that names commands that do not exist for the viewer, and without
  /// the deliveries of these.
  func json(for viewer: Viewer) -> JSON {
    var object = JSONObject()
    object["revision"] = .int(Int64(entry.revision))
    object["time"] = .string(InternetTimestamp(milliseconds: entry.time).text)
    object["kind"] = .string(kind.rawValue)
    object["actor"] = entry.record.actor.json
    guard viewer.shows(commands) else {
      object["changes"] = result["changes"]?.withoutDeliveries
      return .object(object)
    }
    let mutations = entry.record.mutations
    if mutations.count == 1, mutations[0].isOfCommand, case .object(let asked) = mutations[0].json {
      for member in asked.members where !["op", "when"].contains(member.name) {
        object[member.name] = member.value
      }
    } else {
      object["operations"] = .array(mutations.map(\.json))
    }
    for member in result.members { object[member.name] = member.value }
    return .object(object)
  }
}

extension Mutation {
  /// True if it performs a command, sends an action, or presses a key.
  fileprivate var isOfCommand: Bool { ["perform", "pressKey", "invoke"].contains(op) }
}

extension Viewer {
  /// True if all of these commands exist for the viewer, and what names none is shown too.
  fileprivate func shows(_ names: [CommandID]) -> Bool {
    commands == nil || (!names.isEmpty && names.allSatisfy(shows))
  }
}

extension JSON {
  /// The changes but for those of deliveries.
  fileprivate var withoutDeliveries: JSON {
    guard case .array(let changes) = self else { return self }
    return .array(
      changes.filter { change in
        guard case .string(let kind)? = change[JSONPointer(["change"])] else { return true }
        return !kind.hasPrefix("delivery")
      })
  }
}
