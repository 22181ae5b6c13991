import JSONText
import MenuEngine

/// Why a tool cannot be called, and what would change that, for a model.
struct RemediesText {
  private let remedies: Remedies
  private let name: String

  /// The text of what was found.
  ///
  /// - Parameter name: The name of the tool.
  init(_ remedies: Remedies, of name: String) {
    self.remedies = remedies
    self.name = name
  }

  private var item: ValidatedItem { remedies.item }

  /// `'delete-' (“Delete”) is disabled: 'photoGrid' says no, since size(state.selection) > 0 is false.`
  var sentence: String {
    let name = quoted(name) + (item.title.isEmpty ? "" : " (“\(item.title.cut(to: 100))”)")
    guard !item.isEnabled else {
      return "\(name) was disabled when it was called, and is not any more; call it again."
    }
    return "\(name) cannot be performed now: \(reason)"
  }

  /// The ways out that were found.
  var lines: [String] {
    var lines = remedies.focuses.map { focus in
      focus.target == .responder(focus.responder)
        ? "\(quoted(focus.responder)) would perform it if it had focus."
        : "\(quoted(focus.target)) would perform it if \(quoted(focus.responder)) had focus."
    }
    let tools = remedies.commands.map { quoted(ToolName.text(of: $0)) }
    if !tools.isEmpty {
      lines.append("Calling \(list(tools, "or")) first would make it possible.")
    }
    return lines
  }

  /// The same for programs.
  var json: JSON {
    [
      "because": .array(causes.map(JSON.string)),
      "focus": .array(
        remedies.focuses.map { focus in
          [
            "responder": .string(focus.responder.rawValue),
            "target": .string(focus.target.description),
          ]
        }),
      "tools": .array(remedies.commands.map { .string(ToolName.text(of: $0)) }),
      "complete": .bool(remedies.isComplete),
    ]
  }

  /// The conditions that are not so, with their values.
  private var causes: [String] {
    let question: Trace.Question = item.target == nil ? .canPerformAction : .validate
    return item.trace.steps.filter { $0.question == question }.flatMap(\.explanation)
  }

  private var reason: String {
    let target = item.target.map { quoted($0) } ?? "its target"
    let told = causes.isEmpty ? "." : ": \(causes.joined(separator: "; "))."
    switch item.reason {
    case .noTarget:
      let start = remedies.start.map { " from \(quoted($0)) on" } ?? ""
      return "nobody\(start) can perform it\(told)"
    // The built-in methods of undo managers have no rules.
    case .ruleFalse where causes.isEmpty: return "\(target) has nothing to do."
    case .ruleFalse: return item.reason.clause(target: target) + told
    case .ruleError: return item.fault?.sentence ?? item.reason.clause(target: target) + "."
    case .noAction, .declaredDisabled, .cycle, .enabled, .unknownCommand, .noHandler, .recorded,
      .proxiedGone, .noMatch:
      return item.reason.clause(target: target) + "."
    }
  }
}
