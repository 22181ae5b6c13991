import JSONText
import MenuEngine
import MicroHTTP

/// The result of a refused call, with advice that a model can act on.
struct RefusedTool {
  let problem: Problem
  let name: String

  /// The problem's document; nil if it is not an object.
  var document: JSON? { problem.response.object.map(JSON.object) }

  /// The result: the sentence of the problem and each fault.
  var result: JSONObject {
    let faults = problem.parts.map(\.line)
    if problem.type == .invalidBody, !faults.isEmpty {
      return result(
        ToolText("\(quoted(name)) was not performed: its arguments do not fit its schema."),
        faults)
    }
    return result(
      ToolText("\(quoted(name)) was not performed. \(problem.detail)"),
      faults.count == 1 ? [] : faults)
  }

  /// Returns the result, with the changes that would allow the call.
  func result(_ advice: RemediesText) -> JSONObject {
    result(ToolText(advice.sentence), advice.lines, help: advice.json)
  }

  private func result(_ first: ToolText, _ lines: [String], help: JSON? = nil) -> JSONObject {
    var text = first
    for line in lines { text.add(line) }
    text.end { "And \($0) more." }
    return [
      "content": [text.block], "structuredContent": structure(help), "isError": true,
    ]
  }

  private func structure(_ help: JSON?) -> JSON {
    guard case .object(let problem)? = document else { return document ?? .null }
    var structure = ToolStructure()
    for member in problem where member.name != "errors" {
      structure.add(member.name, member.value, rest: nil)
    }
    structure.add("tool", .string(name), rest: nil)
    structure.add("help", help, rest: nil)
    structure.add("errors", problem["errors"], rest: nil)
    return structure.json
  }
}

extension Problem {
  /// Returns the problem with the places of a tool's arguments in place of those of the request's body.
  ///
  /// - Parameter place: Returns the place of a member of the body among the arguments; nil if it is not among them.
  func blamingArguments(at place: (String) -> [String]?) -> Problem {
    var problem = self
    problem.parts = parts.compactMap { part in
      let tokens = part.pointer.tokens
      guard let place = tokens.first.map(place) ?? [] else { return nil }
      return BlamedPart(
        pointer: JSONPointer(["arguments"] + place + tokens.dropFirst()), detail: part.detail,
        rule: part.rule)
    }
    return problem
  }
}

extension Problem.BlamedPart {
  /// The fault as a line: `/arguments/width: Expected …`.
  var line: String { "\(pointer): \(detail)" }
}

/// The reasons for which a tool cannot be called, and the changes that would allow it, for a model.
struct RemediesText {
  private let remedies: Remedies
  private let name: String
  private let rights: Rights
  /// The names of the fixed set, if the model has it; nil if it has a tool of each command.
  private let fixed: FixedToolNames?
  private let isFromElsewhere: Bool
  private let catalog: Catalog

  /// Creates the text of the remedies.
  ///
  /// - Parameters:
  ///   - name: The name of the tool or command.
  ///   - rights: The rights of the token; values of rules and names of responders require the right `read` (T3).
  ///   - fixed: The names of the fixed set of tools, if the model uses it; nil if each command is a tool.
  ///   - isFromElsewhere: True if the request named the start of the search, so that no other responders were tried.
  init(
    _ remedies: Remedies, of name: String, rights: Rights, fixed: FixedToolNames?,
    isFromElsewhere: Bool, in catalog: Catalog
  ) {
    (self.remedies, self.name, self.rights) = (remedies, name, rights)
    (self.fixed, self.isFromElsewhere, self.catalog) = (fixed, isFromElsewhere, catalog)
  }

  private var isFixed: Bool { fixed != nil }

  private var showsDocuments: Bool { rights.contains(.read) }

  var item: ValidatedItem { remedies.item }

  /// `'delete-' (“Delete”) is disabled: 'photoGrid' says no, since size(state.selection) > 0 is false.`
  var sentence: String {
    let name = quoted(name) + (item.title.isEmpty ? "" : " (“\(item.title.cut(to: 100))”)")
    guard !item.isEnabled else {
      return "\(name) was disabled when it was called, and is not any more; call it again."
    }
    return "\(name) cannot be performed now: \(item.explanation ?? reason)"
  }

  /// The reason, unless it is in the sentence, and the remedies, one per line.
  var lines: [String] {
    var lines = item.explanation == nil || item.isEnabled ? [] : ["That is because \(reason)"]
    // Tools of commands cannot name the start of the search.
    lines += focuses.filter { isFixed || $0.isByFocus }.map(line)
    if focuses.isEmpty { lines += refusing.map(line) }
    if !remedies.commands.isEmpty {
      let names = list(remedies.commands.map(words), "or")
      lines.append("\(isFixed ? "Performing" : "Calling") \(names) first would make it possible.")
    }
    if !remedies.isComplete, focuses.isEmpty, remedies.commands.isEmpty {
      lines.append("Not everything that could help was tried.")
    }
    return lines
  }

  /// Returns the easiest next step, preferably one that the model can take itself.
  private func line(about focus: Remedies.Focus) -> String {
    let start = "\(quoted(focus.target)) would perform it"
    if let fixed, focus.isFrom, rights.contains(.perform) {
      return "\(start): call \(fixed.name(of: .perform)) with 'from': "
        + "\(JSON.string(focus.responder.rawValue).text())."
    }
    if let fixed, focus.isByFocus, rights.contains(.focus) {
      return
        "\(start): call \(fixed.name(of: .focus)) with \(quotedWhole(focus.responder.rawValue)) first."
    }
    if !focus.isByFocus {
      return "\(start) if \(quoted(focus.responder)) were asked."
    }
    let isItself = focus.target == .responder(focus.responder)
    return "\(start) if \(isItself ? "it" : quoted(focus.responder)) had focus."
  }

  /// `'recipeAdd' can perform it, but not now: Name the recipe first. responder.properties.name is "".`
  private func line(about refusing: Remedies.Refusing) -> String {
    let item = refusing.item
    let causes = causes(of: item)
    let words = item.explanation.map { " \($0.onOneLine)" } ?? ""
    return "\(quoted(refusing.responder)) can perform it, but not now:\(words)"
      + (causes.isEmpty ? "" : " \(causes.joined(separator: "; ")).")
      + (words.isEmpty && causes.isEmpty ? " \(Self.reason(of: item))" : "")
  }

  private static func reason(of item: ValidatedItem) -> String {
    item.reason.clause(target: item.target.map { quoted($0) } ?? "its target") + "."
  }

  /// Returns the name by which a model calls a command.
  private func name(of suggestion: Remedies.Suggestion) -> String {
    isFixed ? suggestion.command.rawValue : ToolName.text(of: suggestion.command)
  }

  /// Returns the arguments of a call, besides the name of the command; nil for none.
  private func arguments(of suggestion: Remedies.Suggestion) -> JSONObject? {
    guard let command = catalog.command(suggestion.command) else { return nil }
    if let key = suggestion.itemKey {
      return [isFixed ? "itemKey" : ToolArgument.key.name(for: command): .string(key.text)]
    }
    return suggestion.parameters.map { isFixed ? ["arguments": .object($0)] : $0 }
  }

  /// `'openProduct:' with {"itemKey":"kettle"}`
  private func words(for suggestion: Remedies.Suggestion) -> String {
    quoted(name(of: suggestion))
      + (arguments(of: suggestion).map { " with \(JSON.object($0).brief())" } ?? "")
  }

  /// The remedies for programs, without parts that were not tried or are not visible.
  var json: JSON {
    var object = JSONObject()
    if showsDocuments {
      object["because"] = .array(causes.map(JSON.string))
      if !isFromElsewhere { object["focus"] = .array(focuses.map(\.json)) }
      if !refusing.isEmpty { object["refusing"] = .array(refusing.map(document)) }
    }
    if rights.contains(.perform) {
      object[isFixed ? "commands" : "tools"] = .array(
        remedies.commands.map { .string(name(of: $0)) })
      var arguments = JSONObject()
      for suggestion in remedies.commands {
        arguments[name(of: suggestion)] = self.arguments(of: suggestion).map(JSON.object)
      }
      if !arguments.isEmpty { object["arguments"] = .object(arguments) }
    }
    object["complete"] = .bool(remedies.isComplete)
    return .object(object)
  }

  private var focuses: [Remedies.Focus] { showsDocuments ? remedies.focuses : [] }
  private var refusing: [Remedies.Refusing] { showsDocuments ? remedies.refusing : [] }

  private func document(of refusing: Remedies.Refusing) -> JSON {
    var object: JSONObject = [
      "responder": .string(refusing.responder.rawValue),
      "reason": .string(refusing.item.reason.rawValue),
    ]
    object.add("explanation", refusing.item.explanation.map(JSON.string))
    object.add("because", .array(causes(of: refusing.item).map(JSON.string)))
    return .object(object)
  }

  private var causes: [String] { causes(of: item) }

  /// Returns the conditions that are false for an item, with their values.
  private func causes(of item: ValidatedItem) -> [String] {
    guard showsDocuments else { return [] }
    let question: Trace.Question = item.target == nil ? .canPerformAction : .validate
    return item.trace.steps.filter { $0.question == question }.flatMap(\.explanation)
  }

  private var reason: String {
    let target = item.target.map { quoted($0) } ?? "its target"
    let told = causes.isEmpty ? "." : ": \(causes.joined(separator: "; "))."
    switch item.reason {
    case .noTarget where !showsDocuments: return "nobody can perform it."
    case .noTarget:
      let start = remedies.start.map { " from \(quoted($0)) on" } ?? ""
      return "nobody\(start) can perform it\(told)"
    // The built-in methods of undo managers have no rules.
    case .ruleFalse where showsDocuments && causes.isEmpty: return "\(target) has nothing to do."
    case .ruleFalse: return item.reason.clause(target: target) + told
    case .ruleError where showsDocuments:
      return item.fault?.sentence ?? Self.reason(of: item)
    case .ruleError, .noAction, .declaredDisabled, .cycle, .enabled, .unknownCommand, .unknownItem,
      .noHandler, .recorded, .proxiedGone, .noMatch, .pending:
      return Self.reason(of: item)
    }
  }
}

extension Remedies.Focus {
  fileprivate var json: JSON {
    [
      "responder": .string(responder.rawValue), "target": .string(target.description),
      "from": .bool(isFrom), "focus": .bool(isByFocus),
    ]
  }
}

/// The effects of a performed command, for a model: its item before and after, its result, and the changes.
struct PerformedText {
  private(set) var text: ToolText

  /// Creates the text of an answer of `POST /commands/perform`.
  init(_ answer: JSONObject, of tool: CalledTool) {
    if case .string(let result)? = answer["result"] {
      text = ToolText(whole: result)
      return
    }
    text = ToolText(Self.sentence(answer, of: tool))
    if let result = answer["result"], result != .null {
      text.add("It answered \(result.brief(1024)).")
    }
    guard let lines = Self.lines(of: answer) else { return }
    for line in lines { text.add(line) }
    text.end { count in
      "And \(count) more; read '\(tool.root)'."
    }
  }

  /// Returns the changes of an answer, without those of deliveries, whose states are reported separately.
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

  /// Returns the changes that are useful to a model, one per line; nil if the answer has none.
  static func lines(of answer: JSONObject) -> [String]? {
    guard case .array(let changes)? = changes(of: answer) else { return nil }
    return changes.compactMap(\.lineOfChange)
  }

  /// Returns the ids of the deliveries in an answer.
  static func deliveries(of answer: JSONObject) -> [Int] {
    guard case .array(let told)? = answer["deliveries"] else { return [] }
    return told.compactMap { delivery in
      guard case .object(let members) = delivery, case .int(let id)? = members["id"] else {
        return nil
      }
      return Int(exactly: id)
    }
  }

  /// Returns the items before and after, reduced to the members that a model can use.
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
  /// Returns a member that is a string; nil for any other.
  func text(_ name: String) -> String? {
    if case .string(let text)? = self[name] { text } else { nil }
  }

  /// Returns a member that is an integer; nil for any other.
  func int(_ name: String) -> Int? {
    if case .int(let value)? = self[name] { Int(value) } else { nil }
  }

  fileprivate func word(_ name: String) -> String { text(name) ?? "" }
}

extension JSON {
  /// A change in one line; nil if it is not useful to a model.
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
      // The operation on the session's document repeats the change.
      if change["path"] != nil {
        for name in ["op", "path", "value", "from", "position"] { change[name] = nil }
      }
      return "\(kind): \(JSON.object(change).brief())"
    }
  }
}
