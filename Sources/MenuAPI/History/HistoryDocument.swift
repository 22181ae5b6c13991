import JSONText
import MenuEngine
import MenuStore

/// The document of an entry in the history.
struct HistoryDocument {
  /// The kind of an entry.
  enum Kind: String, CaseIterable {
    case command
    case operations
    case refusal
  }

  let entry: HistoryEntry
  let kind: Kind
  /// The members for its result.
  private let result: JSONObject

  init(_ entry: HistoryEntry) {
    self.entry = entry
    let bytes =
      switch entry.result {
      case .outcomes(let outcomes): HistoryMembers().members(of: outcomes)
      case .members(let bytes): bytes
      }
    let parsed = try? JSON(parsing: bytes, maximumDepth: JSON.depthOfAnswers)
    if case .object(let object)? = parsed {
      result = object
    } else {
      result = JSONObject()
    }
    let isOfCommand = entry.record.mutations.count == 1 && entry.record.mutations[0].isOfCommand
    kind = entry.isRefusal ? .refusal : isOfCommand ? .command : .operations
  }

  /// The requested commands.
  var commands: [CommandID] {
    let told = [result] + performed
    return entry.record.mutations.flatMap(\.commands)
      + told.compactMap { object in
        if case .string(let text)? = object["command"] { CommandID(text) } else { nil }
      }
  }

  /// The results of the operations of a list.
  private var performed: [JSONObject] {
    guard case .array(let elements)? = result["performed"] else { return [] }
    return elements.map { if case .object(let object) = $0 { object } else { JSONObject() } }
  }

  /// Returns true if the request is visible to a viewer: the viewer sees all commands, or the request names only
  /// commands that are visible to the viewer.
  func isShown(to viewer: Viewer) -> Bool {
    guard viewer.commands != nil else { return true }
    return !commands.isEmpty && commands.allSatisfy(viewer.shows)
      && entry.record.mutations.allSatisfy { $0.op == "perform" || $0.op == "pressKey" }
  }

  /// Returns the document for a viewer, without the parts that are not visible to the viewer.
  func json(for viewer: Viewer) -> JSON {
    var object = JSONObject()
    object["revision"] = .int(Int64(entry.revision))
    object["time"] = .string(InternetTimestamp(milliseconds: entry.time).text)
    object["kind"] = .string(kind.rawValue)
    object["actor"] = entry.record.actor.json
    let (isShown, isLimited) = (isShown(to: viewer), viewer.commands != nil)
    if isShown { addAsked(to: &object) }
    for member in result.members where member.name != "performed" {
      if member.name == "changes" {
        object["changes"] = isLimited ? member.value.deliveries(for: viewer) : member.value
      } else if !isLimited || isShown && member.name != "deliveries" {
        object[member.name] = member.value
      }
    }
    return .object(object)
  }

  /// Adds the request: the members of a single operation, or else a list of operations with their results.
  private func addAsked(to object: inout JSONObject) {
    let mutations = entry.record.mutations
    if mutations.count == 1, mutations[0].isOfCommand, case .object(let asked) = mutations[0].json {
      for member in asked.members where !["op", "when"].contains(member.name) {
        object[member.name] = member.value
      }
      return
    }
    let performed = performed
    let operations = mutations.enumerated().map { index, mutation -> JSON in
      guard performed.indices.contains(index), case .object(var asked) = mutation.json else {
        return mutation.json
      }
      for member in performed[index].members { asked[member.name] = member.value }
      return .object(asked)
    }
    if !operations.isEmpty { object["operations"] = .array(operations) }
  }
}

extension Mutation {
  /// True if it performs a command, sends an action, or presses a key.
  fileprivate var isOfCommand: Bool { ["perform", "pressKey", "invoke"].contains(op) }
}

extension JSON {
  /// Returns changes without those of deliveries whose commands are not visible to a viewer.
  fileprivate func deliveries(for viewer: Viewer) -> JSON {
    guard case .array(let changes) = self else { return self }
    return .array(
      changes.filter { change in
        guard case .string(let kind)? = change[JSONPointer(["change"])], kind.hasPrefix("delivery")
        else { return true }
        guard case .string(let text)? = change[JSONPointer(["value", "command"])] else {
          return false
        }
        return CommandID(text).map(viewer.shows) ?? false
      })
  }
}
