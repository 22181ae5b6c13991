import JSONText
import Patterns

/// `matches`, as a function and as a member.
extension Function {
  static let patterns = [
    Function(
      name: "matches", styles: [.global, .member],
      body: .binary({ (text, pattern, meter) throws(Failure) in
        guard case .string(let text) = text, case .string(let source) = pattern else {
          throw .noSuchOverload("matches", [text.type, pattern.type])
        }
        return .bool(try text.matches(try compiled(source, &meter), &meter))
      }),
      precompile: precompiled)
  ]

  /// Returns the function of the text for a pattern known at compile time.
  private static func precompiled(
    _ pattern: Value
  ) throws(Pattern.Fault) -> (body: Unary, work: Int)? {
    guard case .string(let source) = pattern else { return nil }
    let compiled = try Pattern(source)
    let body: Unary = { (text, meter) throws(Failure) in
      guard case .string(let text) = text else {
        throw .noSuchOverload("matches", [text.type, .string])
      }
      return .bool(try text.matches(compiled, &meter))
    }
    return (body, compiled.work)
  }

  private static func compiled(
    _ source: String, _ meter: inout Meter
  ) throws(Failure) -> Pattern {
    try meter.charge(bytes: source.utf8.count)
    if let known = meter.pattern, known.text.hasSameBytes(as: source) { return known.compiled }
    try meter.charge(min(Pattern.work(of: source), Pattern.maximumWork))
    let compiled: Pattern
    do throws(Pattern.Fault) {
      compiled = try Pattern(source)
    } catch {
      if case .tooLarge = error { try meter.charge(costOfTooLarge) }
      throw .argument(.pattern(error.message))
    }
    try meter.charge(Pattern.workOfInstruction * compiled.size)
    meter.pattern = (source, compiled)
    return compiled
  }

  /// The steps that RE2 takes before it gives up.
  private static let costOfTooLarge = 20_000
}

extension String {
  /// True if a part of the string matches `pattern`.
  fileprivate func matches(
    _ pattern: Pattern, _ meter: inout Meter
  ) throws(EvaluationFault.Reason) -> Bool {
    try meter.charge(pattern.work(on: self))
    return pattern.matches(self)
  }
}
