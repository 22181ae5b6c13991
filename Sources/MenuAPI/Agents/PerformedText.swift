import JSONText
import MenuEngine

/// The effects of a performed command, for a model: its item before and after, what it answered, and what changed.
struct PerformedText {
  private(set) var text: ToolText

  /// The text for the answer of `POST /commands/perform`.
  init(_ answer: JSONObject, of tool: CalledTool) {
    if case .string(let result)? = answer["result"] {
      text = ToolText(whole: result)
      return
    }
    text = ToolText(Self.sentence(answer, of: tool))
    if let result = answer["result"], result != .null {
      text.add("It answered \(result.brief(1024)).")
    }
    guard case .array(let changes)? = Self.changes(of: answer) else { return }
    for change in changes {
      if let line = change.lineOfChange { text.add(line) }
    }
    text.end { count in
      "And \(count) more; read '\(tool.root)'."
    }
  }

  /// The changes of an answer, without those of deliveries, whose states are told for themselves.
  static func changes(of answer: JSONObject) -> JSON? {
    guard case .array(let changes)? = answer["changes"] else { return answer["changes"] }
    return .array(
      changes.filter { change in
        guard case .object(let object) = change, case .string(let kind)? = object["change"] else {
          return true
        }
        return !kind.hasPrefix("delivery")
      })
  }

  /// The numbers of the deliveries in an answer.
  static func deliveries(of answer: JSONObject) -> [Int] {
    guard case .array(let told)? = answer["deliveries"] else { return [] }
    return told.compactMap { delivery in
      guard case .object(let members) = delivery, case .int(let id)? = members["id"] else {
        return nil
      }
      return Int(exactly: id)
    }
  }

  /// The items before and after, as far as a model can use them.
  static func briefItems(_ items: JSON) -> JSON {
    guard case .object(let object) = items else { return items }
    var brief = JSONObject()
    for member in object {
      guard case .object(let item) = member.value else { continue }
      var members = JSONObject()
      for name in ["title", "state", "enabled"] { members[name] = item[name] }
      brief[member.name] = .object(members)
    }
    return .object(brief)
  }

  /// `Performed 'Unflag' (on). Now it is 'Flag' (off).`
  private static func sentence(_ answer: JSONObject, of tool: CalledTool) -> String {
    guard case .object(let items)? = answer["item"], case .object(let before)? = items["before"],
      case .string(let title)? = before["title"]
    else { return "Performed \(quoted(tool.name))." }
    let name = title.isEmpty ? tool.name : title
    guard case .object(let after)? = items["after"], case .string(let next)? = after["title"]
    else { return "Performed \(quoted(name))." }
    let hasState = [before, after].contains { $0["state"] != "off" }
    var words = next.hasSameBytes(as: title) ? "" : quoted(next)
    var marks = hasState && before["state"] != after["state"] ? [after.word("state")] : []
    if after["enabled"] == false { marks.append("disabled") }
    if !marks.isEmpty { words += words.isEmpty ? list(marks) : " (\(list(marks)))" }
    let was = hasState ? " (\(before.word("state")))" : ""
    return "Performed \(quoted(name))\(was)." + (words.isEmpty ? "" : " Now it is \(words).")
  }
}

extension JSONObject {
  fileprivate func word(_ name: String) -> String {
    if case .string(let word)? = self[name] { word } else { "" }
  }
}

extension JSON {
  /// A change in a line; nil for one that tells a model nothing.
  fileprivate var lineOfChange: String? {
    guard case .object(var change) = self, case .string(let kind)? = change["change"] else {
      return nil
    }
    switch kind {
    case "undoManager", "document", "messageQueue": return nil
    case "state":
      guard case .string(let path)? = change["path"] else { return nil }
      let place = path.cut(to: 200)
      if let value = change["value"] { return "\(place): \(value.brief())" }
      return change["op"] == "remove" ? "\(place) is removed" : "\(place): \(change.word("op"))"
    case "firstResponder": return "focus: \((change["responder"] ?? .null).brief())"
    default:
      change["change"] = nil
      // Its place in the session's document says the same once more.
      if change["path"] != nil {
        for name in ["op", "path", "value", "from", "position"] { change[name] = nil }
      }
      return "\(kind): \(JSON.object(change).brief())"
    }
  }
}
