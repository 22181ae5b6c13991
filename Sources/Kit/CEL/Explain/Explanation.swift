/// The values of all parts of a program, which explain its result.
public struct Explanation: Sendable {
  /// The value of a part, or the fault with the part where it arose, possibly an operand.
  public typealias Outcome = Result<Value, EvaluationFault>

  /// An evaluated part of the program.
  public struct Part: Sendable {
    /// The range of the part in the source.
    public let range: SourceRange
    /// The range of its operator, field or function name.
    public let anchor: SourceRange
    /// The value or the fault.
    public let outcome: Outcome
    /// True if the result depends on it: false for an operand that a decided `&&`, `||` or `?:` skips.
    public let isDecisive: Bool
    /// True for a literal, which needs no explanation.
    public let isLiteral: Bool
    /// The index of the element for which the body of a macro was evaluated.
    public let element: Int?
  }

  /// A condition that makes a program false.
  public struct Reason: Sendable {
    /// The condition: false, or true where the program negates it.
    public let part: Part
    /// The operands that it compares or tests.
    public let operands: [Part]
  }

  /// The source of the program.
  public let source: String
  /// The value or fault of the program, as from evaluating it.
  public let outcome: Outcome
  /// The parts, operands first; after a macro, those of its body for the first elements and the decisive one.
  public let parts: [Part]
  /// True if all parts are included; false if the steps of an evaluation did not suffice.
  public let isComplete: Bool
  /// The conditions that make the program false; to make it true, all of them must change. Empty if it is not
  /// false.
  public let reasons: [Reason]
  /// The steps of evaluation and explanation together.
  public let steps: Int
}

extension Program {
  /// Returns the values of all parts; `root` returns a variable by index, with a value that need not be JSON.
  ///
  /// All operands are evaluated, even those that do not matter for the result, in at most as many additional
  /// steps as an evaluation may take.
  public func explanation(binding root: (Int) -> Value) -> Explanation {
    let outcome: Explanation.Outcome
    var steps = 0
    do throws(EvaluationFault) {
      outcome = .success(try value(addingStepsTo: &steps, binding: root))
    } catch {
      outcome = .failure(error)
    }
    var explainer = Explainer(code, limits, source: source)
    return explainer.explanation(of: outcome, steps, root)
  }
}

extension Explanation {
  /// Returns the explanation for a terminal: the values of the parts under every source line, then the
  /// conditions that make the program false, or its fault.
  ///
  /// With `isColored` true values are green, false ones red and faults yellow, by ANSI codes.
  public func text(isColored: Bool = false) -> String {
    var lines = SourceLines(source).flatMap { line in
      let labels = labels(of: line, isColored)
      return [line.text] + ValueDiagram(labels).lines
    }
    lines += elements(isColored)
    if !isComplete {
      lines.append("(there is more, but the steps of an evaluation did not suffice)")
    }
    lines += conclusion(isColored)
    return lines.joined(separator: "\n")
  }

  /// The conditions that make the program false with their operands, one short line for each, at most eight.
  public var shortText: [String] { reasons.prefix(8).map { reason($0, false) } }

  /// Returns the values of macro bodies for the included elements.
  private func elements(_ isColored: Bool) -> [String] {
    parts.indices.compactMap { index in
      let part = parts[index]
      let next = index + 1 < parts.count ? parts[index + 1].element : nil
      guard let element = part.element, next != element else { return nil }
      let worth = Self.label(part) ?? "a fault"
      let colored = part.outcome.colored(worth, isColored)
      return "  element \(element): \(text(of: part.range)) is \(colored)"
    }
  }

  private func labels(of line: SourceLine, _ isColored: Bool) -> [ValueDiagram.Label] {
    var labels: [ValueDiagram.Label] = []
    for part in parts where !part.isLiteral && part.element == nil {
      if labels.count == Self.mostLabels { break }
      guard line.range.contains(part.anchor.start), let text = Self.label(part) else { continue }
      let column = line.column(of: part.anchor.start)
      if labels.contains(where: { $0.column == column }) { continue }
      labels.append(
        ValueDiagram.Label(column: column, text: text, color: isColored ? part.outcome.color : nil))
    }
    return labels
  }

  private static let mostLabels = 48

  /// A fault is shown where it arose.
  private static func label(_ part: Part) -> String? {
    switch part.outcome {
    case .success(let value): shortened(value.description)
    case .failure(let fault): fault.range == part.range ? shortened(fault.message) : nil
    }
  }

  private func conclusion(_ isColored: Bool) -> [String] {
    switch outcome {
    case .failure(let fault): return ["fault: \(fault)"]
    case .success(let value):
      let result = outcome.colored(Self.shortened(value.description), isColored)
      if reasons.isEmpty { return ["= \(result)"] }
      return ["= \(result), because"] + reasons.map { "  " + reason($0, isColored) }
    }
  }

  /// `state.a == 1 is false: 2 == 1`, or `x > 1 is false: 1 > 1 (element 3)`.
  private func reason(_ reason: Reason, _ isColored: Bool) -> String {
    let part = reason.part
    let told = reason.operands.filter { !$0.isLiteral }.compactMap { operand -> String? in
      guard case .success(let value) = operand.outcome else { return nil }
      return "\(text(of: operand.range)) is \(Self.shortened(value.description))"
    }
    let worth = part.outcome.colored(part.outcome.bool == true ? "true" : "false", isColored)
    let place = part.element.map { " (element \($0))" } ?? ""
    let details = told.isEmpty ? "" : ": " + told.joined(separator: ", ")
    return "\(text(of: part.range)) is \(worth)\(place)\(details)"
  }

  private func text(of range: SourceRange) -> String {
    let bytes = source.utf8.dropFirst(range.start).prefix(range.end - range.start)
    let words = String(decoding: Array(bytes), as: UTF8.self)
    return Self.shortened(printable(words), to: 64)
  }

  private static func shortened(_ text: String, to length: Int = 32) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > length else { return text }
    var short = String.UnicodeScalarView()
    short.append(contentsOf: scalars.prefix(length - 1))
    return String(short) + "…"
  }
}

extension Explanation.Outcome {
  /// The ANSI code of its color; nil for values other than Booleans.
  fileprivate var color: Int? {
    switch self {
    case .success(.bool(let bool)): bool ? 32 : 31
    case .success: nil
    case .failure: 33
    }
  }

  fileprivate func colored(_ text: String, _ isColored: Bool) -> String {
    guard isColored, let color else { return text }
    return "\u{1B}[\(color)m\(text)\u{1B}[0m"
  }
}

/// A line of a source, for display.
struct SourceLine {
  let text: String
  /// The offsets of its bytes, including its end.
  let range: ClosedRange<Int>
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    range = bytes.startIndex...bytes.endIndex
    text = printable(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the number of columns before the byte at `offset`.
  func column(of offset: Int) -> Int {
    String(decoding: bytes[range.lowerBound..<offset], as: UTF8.self).width
  }
}

/// The lines of a source.
struct SourceLines: Sequence {
  private let source: String

  init(_ source: String) { self.source = source }

  func makeIterator() -> IndexingIterator<[SourceLine]> {
    let parts = Array(source.utf8)
      .split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
    return parts.map { SourceLine($0) }.makeIterator()
  }
}

/// Returns the text without control characters, which would reach the reader's terminal.
func printable(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    result.append(scalar == "\t" ? " " : isControl ? "\u{FFFD}" : scalar)
  }
  return String(result)
}

/// Values below their columns, connected by bars:
///
///     a == 1
///     | |
///     2 false
struct ValueDiagram {
  struct Label {
    let column: Int
    let text: String
    /// An ANSI code.
    let color: Int?
  }

  private let labels: [Label]

  init(_ labels: [Label]) { self.labels = labels.sorted { $0.column < $1.column } }

  /// The lines: bars, then in each line as many values as fit, from the right.
  var lines: [String] {
    guard !labels.isEmpty else { return [] }
    var lines = [row([], bars: labels)]
    var open = labels
    while !open.isEmpty {
      let placed = lastFitting(open)
      open.removeAll { label in placed.contains { $0.column == label.column } }
      lines.append(row(placed, bars: open))
    }
    return lines
  }

  /// Returns the labels that do not overlap those to their right.
  private func lastFitting(_ open: [Label]) -> [Label] {
    var placed: [Label] = []
    var limit = Int.max
    for label in open.reversed() {
      if label.column + label.text.width < limit { placed.append(label) }
      limit = label.column
    }
    return placed
  }

  private func row(_ placed: [Label], bars: [Label]) -> String {
    let bars = bars.map { Label(column: $0.column, text: "|", color: nil) }
    var text = ""
    var column = 0
    for label in (placed + bars).sorted(by: { $0.column < $1.column }) {
      text += String(repeating: " ", count: max(label.column - column, 0))
      text += label.color.map { "\u{1B}[\($0)m\(label.text)\u{1B}[0m" } ?? label.text
      column = label.column + label.text.width
    }
    return text
  }
}
