extension Explanation {
  /// The explanation as a terminal shows it: under every line of the source what its parts are
  /// worth, then the conditions that make the program false, or its fault.
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

  /// The conditions that make the program false with what they compare, a line for each: at most
  /// eight, in short.
  public var shortText: [String] { reasons.prefix(8).map { reason($0, false) } }

  /// The values of the bodies of macros for the elements that are told.
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
  /// The ANSI code of its colour; other values than booleans have none.
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
