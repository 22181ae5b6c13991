import CEL
import JSONText
package import MenuEngine

extension RuleFault {
  /// The failed rule and the reason, as a sentence.
  package var sentence: String {
    let text =
      "The rule at '\(place)' failed: "
      + [message, hint].compactMap(\.self).joined(separator: "; ")
    return text.hasSuffix("?") ? text : text + "."
  }

  /// The name that was probably meant, or another way to write the rule; nil if neither can be guessed.
  package var hint: String? {
    guard case .evaluation(let fault) = reason else { return nil }
    guard case .noSuchKey(let key, _, _) = fault.reason, key.hasPrefix("\""), readsState else {
      return fault.hint
    }
    // A hint of the language itself comes first.
    let removal = "a merge patch with null removes a member (RFC 7396)"
    guard let hint = fault.hint, hint.hasSuffix("?") else {
      return "has() and .? are for what may be missing; \(removal)"
    }
    return "\(removal); \(hint)"
  }

  /// The fault as a clause.
  package var message: String { (index.map { "for the element at index \($0), " } ?? "") + clause }

  private var clause: String {
    switch reason {
    case .evaluation(let fault): fault.message
    case .answered(let type, let expected):
      "it answers with a value of type \(type.rawValue) instead of \(expected.rawValue)"
    case .unrepresentable(let reason): "it answers with \(reason.clause)"
    case .misnamed(let text, let expected):
      "it answers \(quoted(text)), which is \(expected.negation)"
    case .unfit(nil): "the command takes no parameters"
    case .unfit(let faults?): "the command does not take \(faults.clause)"
    case .closure(let message): message
    }
  }

  /// The place in the source, in bytes.
  package var offset: Int { evaluation?.offset ?? 0 }

  /// The line, from 1.
  package var line: Int { evaluation?.line ?? 1 }

  /// The column, from 1.
  package var column: Int { evaluation?.column ?? 1 }

  /// The failed evaluation; nil if the rule has another fault.
  private var evaluation: EvaluationFault? {
    if case .evaluation(let fault) = reason { fault } else { nil }
  }
}

extension Value.Unrepresentable {
  /// The value, and the reason why it has no JSON form.
  fileprivate var clause: String {
    switch self {
    case .notFinite: "infinity or with no number, which JSON cannot carry"
    case .key(let type):
      "a map with a key of type \(type.rawValue); the members of a JSON object have strings for names"
    case .type(let type): "a value of type \(type.rawValue), which JSON cannot carry"
    case .largeInteger(let uint):
      "the integer \(uint), which JSON cannot carry exactly; make it a string"
    case .tooLarge: "a value of more than \(Value.maximumJSONSize) values and bytes"
    }
  }
}

extension RuleFault.Expectation {
  /// The expected form, negated.
  fileprivate var negation: String {
    switch self {
    case .pointer: "no JSON Pointer (empty, or beginning with '/')"
    case .selector: "no selector (a name like 'copy:', its colons counting its arguments)"
    case .identifier: "no id (letters, digits, '_', '.', ':' and '-')"
    case .receiver: "neither an id nor that of a forwarder (an id and '/forwarder')"
    case .locale: "no tag of a language, such as 'de' or 'pt-BR'"
    case .itemKey: "no key of an item (1 to \(ItemKey.maximumLength) bytes)"
    case .choiceMember: "no member of a choice (\(rawValue))"
    case .bool, .state, .string, .object, .array, .integer, .selectors, .count, .identifiers,
      .patch, .key, .modifiers, .sender, .invocation, .choices, .texts, .time, .boundedValue:
      "not \(rawValue)"
    }
  }
}

extension Refusal {
  /// The reason why nothing was performed, as a sentence.
  package var sentence: String {
    let subject =
      item.map { "The \($0.wording) is disabled" } ?? "The action \(actionWording) is not sent"
    if let explanation = item?.explanation { return "\(subject): \(explanation)" }
    switch reason {
    case .unknownItem:
      return "The menus have no \(item?.wording ?? "such item"); ask for them again."
    case .noTarget: return "\(subject): nobody on the chain can perform \(actionWording)."
    case .noAction: return "\(subject): it has no action."
    case .ruleFalse: return "\(subject): the rule of \(targetWording) says so."
    case .ruleError: return "\(subject). \(fault?.sentence ?? "")"
    case .declaredDisabled: return "\(subject): it is declared so and \(targetWording) lets it be."
    case .cycle: return "\(subject): the chain leads back into itself."
    case .enabled, .unknownCommand, .noHandler, .recorded, .proxiedGone, .noMatch, .pending:
      return "\(subject)."
    }
  }

  private var actionWording: String { action.map { quoted($0) } ?? "it" }
  private var targetWording: String { item?.target.map { quoted($0) } ?? "its target" }
}

extension ValidatedItem {
  fileprivate var wording: String {
    let ofItem = itemKey.map { "item \(quoted($0.text)) of the " } ?? ""
    return "\(ofItem)command \(quoted(command))"
  }
}

extension CompilationFault {
  /// The fault as a member of a problem.
  var json: JSON {
    var object = JSONObject()
    object["message"] = .string(message)
    object["offset"] = .int(Int64(offset))
    object["line"] = .int(Int64(line))
    object["column"] = .int(Int64(column))
    object["hint"] = hint.map(JSON.string)
    object["excerpt"] = excerpt(of: description).map(JSON.string)
    return .object(object)
  }
}

/// Returns the source line and the carets below it: the last two lines of a fault's description; nil if it
/// shows no source.
func excerpt(of description: String) -> String? {
  let lines = description.utf8.split(
    separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  guard lines.count > 2 else { return nil }
  return lines.suffix(2).map { String(Substring($0)) }.joined(separator: "\n")
}

extension KeyResolution {
  /// The reason why a key has no effect, as a sentence.
  package var sentence: String {
    let shown = key.wording(on: platform)
    if isPending {
      let longer = continuations.compactMap { $0.claim.key?.wording(on: platform) }
      return
        "The key \(shown) is the beginning of \(list(Array(longer.prefix(10)))); add the next stroke, or "
        + "'final' if none follows."
    }
    guard !tried.isEmpty else {
      return "The key \(shown) does nothing here: no command or key command matches it."
    }
    let reasons = tried.map { match in
      let words = match.item?.explanation.map { "“\($0)”" } ?? match.fault?.message
      let reason = [match.reason.rawValue, words].compactMap(\.self).joined(separator: ", ")
      return "\(match.claim.wording) (\(reason))"
    }
    return
      "The key \(shown) does nothing here: passed over \(reasons.count == 1 ? "is" : "are") "
      + "\(list(reasons))."
  }
}

extension KeyClaim {
  /// The claimed action and its owner, as a clause.
  var wording: String {
    let action = action.map { quoted($0) } ?? "it"
    switch holder {
    case .responder(let id): return "\(action) of the responder \(quoted(id))"
    case .instances(of: let name): return "\(action) of the class \(quoted(name))"
    case .command(let id): return "the command \(quoted(id))"
    case .entry(of: let name, let index):
      return
        "the entry \(index) of the keymap \(quoted(name)) for \(command.map { quoted($0) } ?? "it")"
    }
  }
}

extension KeySequence {
  /// The key as people write it on a platform: `'ctrl+5'`.
  fileprivate func wording(on platform: KeyPlatform) -> String {
    KeyText.text(of: self, on: platform).map { quoted($0) } ?? wording
  }

  /// The modifiers and the input of each stroke: `'command+5'`.
  var wording: String {
    quoted(
      strokes.map { ($0.modifiers.names.map(\.rawValue) + [$0.input]).joined(separator: "+") }
        .joined(separator: " "))
  }
}

extension KeyModifiers {
  /// The names of the modifiers: `'command+shift'`.
  var wording: String { quoted(names.map(\.rawValue).joined(separator: "+")) }
}

extension KeyConflict {
  /// Returns the claim that wins the key and the reason, as a sentence.
  package func sentence(about shadow: Shadow) -> String {
    "The key \(key.wording) goes to \(winner.wording) first: \(shadow.reason.clause)."
  }
}

extension KeyConflict.Reason {
  fileprivate var clause: String {
    switch self {
    case .priority: "it wants priority over system behaviour"
    case .nearer: "it is nearer to the first responder"
    case .listOrder: "it stands before this one in the list"
    case .respondersFirst: "responders come before menus"
    case .menuOrder: "it stands before this one in the menus"
    case .keymap: "the session's keymap comes first"
    case .lastEntry: "the last entry of a keymap comes first"
    }
  }
}
