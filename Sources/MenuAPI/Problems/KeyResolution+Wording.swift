package import MenuEngine

extension KeyResolution {
  /// The reason for which a key does nothing, as a sentence.
  package var sentence: String {
    guard !tried.isEmpty else {
      return "The key \(key.wording) does nothing here: no command or key command matches it."
    }
    let reasons = tried.map { "\($0.claim.wording) (\($0.reason.rawValue))" }
    return
      "The key \(key.wording) does nothing here: passed over \(reasons.count == 1 ? "is" : "are") "
      + "\(list(reasons))."
  }
}

extension KeyClaim {
  /// The action that is claimed and by whom, as a clause.
  var wording: String {
    let action = action.map { quoted($0) } ?? "it"
    switch holder {
    case .responder(let id): return "\(action) of the responder \(quoted(id))"
    case .instances(of: let name): return "\(action) of the class \(quoted(name))"
    case .command(let id): return "the command \(quoted(id))"
    }
  }
}

extension KeyCombination {
  /// The modifiers and the input: `'command+5'`.
  var wording: String {
    quoted((modifiers.names.map(\.rawValue) + [input]).joined(separator: "+"))
  }
}

extension KeyModifiers {
  /// The names of the modifiers: `'command+shift'`.
  var wording: String { quoted(names.map(\.rawValue).joined(separator: "+")) }
}
