import JSONText
import RandomSessions
import Testing

@testable import MenuEngine

extension Stage {
  /// Returns the matches of a key as text: `near a: enabled -> view`, `copy: behind`.
  func matches(
    _ input: String, _ modifiers: KeyModifiers.Name..., on platform: KeyPlatform = .apple,
    from: ResponderID? = nil
  ) throws -> [String] {
    try resolution(KeyPress(try pressed(input, modifiers), on: platform, from: from)).lines
  }

  func resolution(_ press: KeyPress) throws -> KeyResolution {
    try session.resolve(press, in: catalog, isExplaining: true)
  }

  @discardableResult
  mutating func press(_ input: String, _ modifiers: KeyModifiers.Name...) throws -> Outcome {
    try apply(.pressKey(KeyPress(try pressed(input, modifiers))))
  }

  /// The keys claimed more than once: the key, the winner, each one behind with why.
  func conflicts(from: ResponderID? = nil) throws -> [String] {
    try session.keyConflicts(from: from, in: catalog).map(\.line)
  }
}

func pressed(_ input: String, _ modifiers: [KeyModifiers.Name] = []) throws -> KeySequence {
  try #require(KeySequence(input: input, modifiers: KeyModifiers(modifiers)))
}

extension KeyClaim {
  var line: String {
    let alternate = alternate.map { "+" + $0.modifiers.names.map(\.rawValue).joined() } ?? ""
    let action = action?.rawValue ?? ""
    return switch holder {
    case .responder(let id): "\(id) \(action)"
    case .instances(of: let name): "\(name)* \(action)"
    case .command(let id): "\(id)\(alternate)"
    case .entry(of: let name, let index): "\(name)/\(index) \(command?.rawValue ?? "")"
    }
  }
}

extension KeySequence {
  /// The strokes as text: `command-k s`.
  var line: String {
    strokes.map { $0.modifiers.names.map { "\($0)-" }.joined() + $0.input }.joined(separator: " ")
  }
}

extension KeyResolution {
  var lines: [String] {
    tried.map { "\($0.claim.line): \($0.reason)" + ($0.target.map { " -> \($0)" } ?? "") }
      + shadowed.map { "\($0.line) behind" }
  }
}

extension KeyConflict {
  var line: String {
    let key = key.line
    let behind = shadowed.map { "\($0.claim.line) (\($0.reason))" }.joined(separator: ", ")
    let platform = platform.map { " on \($0)" } ?? ""
    return "\(key)\(platform): \(winner.line), \(behind)"
  }
}
