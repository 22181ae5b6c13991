import Foundation
import JSONText
import Measuring

/// A rule as menus have them.
struct TypicalRule {
  let name: String
  let source: String
  /// The value that it answers.
  let value: JSON
  /// The number of allocations that one evaluation may make: only for a value that it makes.
  let allocations: Int
}

/// The rules, and the state for which they are evaluated.
struct Workload {
  let state: JSON
  let rules: [TypicalRule]

  /// Reads `state.json` and `rules.json`, and leaves out rules that have `only` nowhere.
  init(folder: String, only: String?) throws {
    state = try Self.json(folder + "/state.json")
    let file = folder + "/rules.json"
    guard case .array(let rules) = try Self.json(file) else {
      throw Failure.malformed(file: file, "it is no array")
    }
    self.rules = try rules.map { json in
      guard let rule = TypicalRule(json) else {
        throw Failure.malformed(file: file, "no name, rule, value and allocations: \(json)")
      }
      return rule
    }
    .filter { rule in only.map { rule.name.contains($0) || rule.source.contains($0) } ?? true }
  }

  /// The first lines that an evaluator reads: the state, and the rules.
  var opening: String {
    "\(state)\n\(JSON.array(rules.map { .string($0.source) }))\n"
  }

  private static func json(_ path: String) throws -> JSON {
    do {
      return try JSON(parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
    } catch let fault as JSONFault {
      throw Failure.malformed(file: path, "\(fault)")
    }
  }
}

extension TypicalRule {
  fileprivate init?(_ json: JSON) {
    guard case .object(let object) = json, case .string(let name) = object["name"],
      case .string(let source) = object["rule"], let value = object["value"],
      case .int(let allocations) = object["allocations"]
    else { return nil }
    self.init(name: name, source: source, value: value, allocations: Int(clamping: allocations))
  }
}

extension Workload {
  /// Returns the answers and allocations of menud that differ from those that the rules say.
  func mistakes(of menud: Evaluator, allocations: [Double]) throws -> [String] {
    try rules.indices.flatMap { index in
      let rule = rules[index]
      let value = try menud.value(of: index)
      var mistakes: [String] = []
      if value != .json(rule.value) {
        mistakes.append("'\(rule.source)' is \(value), not \(rule.value)")
      }
      if allocations[index] > Double(rule.allocations) {
        mistakes.append(
          "'\(rule.source)' allocates \(allocations[index]) times, not \(rule.allocations)")
      }
      return mistakes
    }
  }

  /// Throws unless `peer` has the same values, or says that it cannot evaluate the rule.
  func expectSameValues(of peer: Evaluator) throws {
    for (index, rule) in rules.enumerated() {
      let value = try peer.value(of: index)
      guard case .json(let json) = value, json != rule.value else { continue }
      throw Failure.value(
        peer.command, rule: rule.source, "\(value)", expected: "\(rule.value)")
    }
  }
}

extension Workload {
  /// The instructions of one evaluation: what twice as many evaluations take more, so that starting
  /// and compiling cancel out.
  func instructions(of rule: Int) throws -> Double {
    func collected(_ count: Int) throws -> Double {
      try Measuring.instructions(
        of: Evaluator.menud.arguments, input: opening + "time \(rule) \(count)\n")
    }
    let count = 2000
    return try (collected(2 * count) - collected(count)) / Double(count)
  }
}
