import JSONText
import MenuEngine
import MenuStore

/// The commands that `find_commands` answers, for a model and for programs.
struct FoundTools {
  private var text = ToolText("Commands:")
  private var commands: [JSON] = []
  /// The remaining bytes of the structure, beside the member `next`.
  private var room = ToolStructure.maximumSize - 100
  /// The number of the search's results that were examined, from the first on.
  var offset: Int
  /// The number of the search's results; unknown before the search.
  var total = Int.max

  private static let told = [
    "command", "itemKey", "title", "menus", "enabled", "state", "reason", "explanation",
  ]

  init(beginning offset: Int) { self.offset = offset }

  var count: Int { commands.count }

  /// Adds an item of a search, with the responders from which it could be performed; returns false if the text or the
  /// structure has no room for it.
  mutating func add(_ item: JSONObject, enabledBy focuses: [Remedies.Focus]) -> Bool {
    var brief = JSONObject()
    for name in Self.told { brief.add(name, item[name]) }
    for (name, helps) in [("focus", \Remedies.Focus.isByFocus), ("from", \.isFrom)] {
      let places = focuses.filter { $0[keyPath: helps] }.map { JSON.string($0.responder.rawValue) }
      if !places.isEmpty { brief.add(name, .array(places)) }
    }
    let (line, command) = (Self.line(about: item, focuses), JSON.object(brief))
    room -= command.writtenSize + 1
    guard text.hasRoom(for: line), room > 0 else { return false }
    text.add(line)
    commands.append(command)
    return true
  }

  var result: JSONObject {
    let next = offset < total && total < .max ? offset : nil
    var text =
      commands.isEmpty
      ? ToolText("No command matches. Use fewer or other words, or no query for all commands.")
      : text
    if let next {
      text.add("There are more: ask with 'offset' \(next), or with a narrower query.")
    }
    var structure = ToolStructure()
    if let next { structure.add("next", .int(Int64(next)), rest: nil) }
    structure.add("commands", .array(commands), rest: nil)
    return ["content": [text.block], "structuredContent": structure.json]
  }

  /// `'zoomIn:' “Zoom In” (View) is disabled: Open a photo first. It is enabled if 'viewer' has focus.`
  private static func line(about item: JSONObject, _ focuses: [Remedies.Focus]) -> String {
    let ofItem = item.text("itemKey").map { " with the key \(quotedWhole($0))" } ?? ""
    let title = (item.text("title") ?? "").cut(to: 100).onOneLine
    var line = "\(quotedWhole(item.text("command") ?? ""))\(ofItem) “\(title)”"
    if case .array(let menus)? = item["menus"], !menus.isEmpty {
      let path = menus.map { if case .string(let title) = $0 { title } else { "" } }
      line += " (\(path.joined(separator: " › ").cut(to: 100).onOneLine))"
    }
    if item["enabled"] == false {
      let reason = ValidationReason(rawValue: item.text("reason") ?? "")?
        .clause(target: "its target")
      let words = item.text("explanation")?.cut(to: 200).onOneLine
      line += " is disabled: \(words ?? "\(reason ?? "nobody can perform it").")"
    }
    let focused = focuses.filter(\.isByFocus).map { quotedWhole($0.responder.rawValue) }
    if !focused.isEmpty { line += " It is enabled if \(list(focused, "or")) has focus." }
    let asked = focuses.filter { !$0.isByFocus }.map { quotedWhole($0.responder.rawValue) }
    if !asked.isEmpty { line += " It is enabled 'from' \(list(asked, "or"))." }
    return line
  }
}

/// The answer of `explain_command`, for a model and for programs.
struct ExplainedTool {
  private let command: Command
  private let advice: RemediesText
  private let items: [ValidatedItem]
  private let faults: [Problem.BlamedPart]
  private let names: FixedToolNames
  private let tool: AgentTool
  private let isPerformedByItems: Bool
  private let isPlanned: Bool

  /// - Parameters:
  ///   - items: The command's items from data (M12).
  ///   - schema: The present schema of its arguments.
  ///   - faults: The faults of the given arguments.
  ///   - isPerformedByItems: True if it can only be performed with the key of an item.
  ///   - isPlanned: True if it requires a plan.
  init(
    _ command: Command, advice: RemediesText, items: [ValidatedItem], asking schema: JSON,
    faults: [Problem.BlamedPart], isPerformedByItems: Bool, isPlanned: Bool, in menus: MenuTitles,
    _ names: FixedToolNames
  ) {
    (self.command, self.advice, self.items, self.faults) = (command, advice, items, faults)
    (self.isPerformedByItems, self.isPlanned, self.names) = (isPerformedByItems, isPlanned, names)
    tool = AgentTool(
      command, titled: isPerformedByItems ? command.title : advice.item.title,
      advice.item.attributes, in: menus, asking: schema, isPlanned: false)
  }

  var result: JSONObject { ["content": [text.block], "structuredContent": structure] }

  private var isEnabled: Bool {
    isPerformedByItems ? items.contains(where: \.isEnabled) : advice.item.isEnabled
  }

  private var text: ToolText {
    var text = ToolText(sentence)
    if !isEnabled, !isPerformedByItems { for line in advice.lines { text.add(line) } }
    for fault in faults { text.add(fault.line) }
    if isPlanned { text.add("Without a plan, \(names.name(of: .perform)) says what it would do.") }
    text.add(tool.description)
    // Many clients pass only the text to models.
    if tool.schema != CommandForm.schemaWithoutParameters {
      text.add("The schema of its arguments: \(tool.schema.brief(1024))")
    }
    for item in items { text.add(item.line) }
    text.end { "And \($0) more lines; see the structured content." }
    return text
  }

  private var sentence: String {
    let name = "\(quotedWhole(command.id.rawValue)) (“\(tool.title.cut(to: 100).onOneLine)”)"
    guard isPerformedByItems else {
      guard isEnabled else { return advice.sentence }
      return "\(name) can be performed now"
        + (faults.isEmpty ? "." : ", but not with these arguments:")
    }
    return items.isEmpty
      ? "\(name) has no items now." : "\(name) is performed with the 'itemKey' of one of its items:"
  }

  private var structure: JSON {
    let item = advice.item
    var structure = ToolStructure()
    structure.add("command", .string(command.id.rawValue), rest: nil)
    structure.add("enabled", .bool(isEnabled), rest: nil)
    if !isPerformedByItems {
      structure.add("reason", .string(item.reason.rawValue), rest: nil)
      structure.add("explanation", item.explanation.map(JSON.string), rest: nil)
    }
    structure.add("confirmation", item.confirmation?.json, rest: nil)
    structure.add("arguments", tool.schema, rest: nil)
    if !items.isEmpty {
      structure.add("items", .array(items.map(\.briefJSON)), rest: nil)
    }
    if !isEnabled, !isPerformedByItems { structure.add("help", advice.json, rest: nil) }
    if !faults.isEmpty {
      structure.add("errors", .array(faults.map(\.json)), rest: nil)
    }
    return structure.json
  }
}

/// The effects of undoing or redoing, for a model.
struct UndoneText {
  private let answer: JSONObject
  private let session: SessionID
  private let isRedo: Bool

  /// Creates the text of an answer of `POST /sessions/{s}/undo` or `…/redo`.
  init(_ answer: JSONObject, of session: SessionID, isRedo: Bool) {
    (self.answer, self.session, self.isRedo) = (answer, session, isRedo)
  }

  var result: JSONObject {
    var text = ToolText(sentence)
    for line in PerformedText.lines(of: answer) ?? [] { text.add(line) }
    if let kept = answer["kept"], kept != [] {
      text.add("These places keep newer values: \(kept.brief(1024)).")
    }
    text.end { "And \($0) more; read '\(SessionResource.root(session))'." }
    var structure = ToolStructure()
    for name in ["undone", "redone", "actionName", "kept", "revision"] {
      structure.add(name, answer[name], rest: nil)
    }
    structure.add(
      "changes", PerformedText.changes(of: answer), rest: SessionResource.root(session))
    return ["content": [text.block], "structuredContent": structure.json]
  }

  private var sentence: String {
    guard answer[isRedo ? "redone" : "undone"] == true else {
      return "There is nothing to \(isRedo ? "do again" : "take back")."
    }
    let name = answer.text("actionName").map { " “\($0)”" } ?? ""
    return isRedo ? "Did\(name) again." : "Took back\(name.isEmpty ? " what was done last" : name)."
  }
}

extension Problem.BlamedPart {
  fileprivate var json: JSON {
    ["pointer": .string(pointer.description), "detail": .string(detail)]
  }
}

extension ValidatedItem {
  /// An item from data: `'a.txt' “Notes”, disabled`.
  fileprivate var line: String {
    "\(quotedWhole(itemKey?.text ?? "")) “\(title.cut(to: 100).onOneLine)”"
      + (isEnabled ? "" : ", disabled")
  }

  fileprivate var briefJSON: JSON {
    var brief = JSONObject()
    brief["itemKey"] = itemKey.map { .string($0.text) }
    brief["title"] = .string(title)
    brief["enabled"] = .bool(isEnabled)
    brief["explanation"] = explanation.map(JSON.string)
    return .object(brief)
  }
}

extension String {
  /// The text with its line breaks replaced by spaces.
  var onOneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.isWhitespace ? " " : $0 }))
  }
}
