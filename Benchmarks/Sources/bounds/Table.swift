import Glibc

/// The first two lines of the table, in Markdown.
let tableHeading = """
  | rule | where | what came of it | steps | ms | ns a step |
  |---|---|---|--:|--:|--:|
  """

/// The line of the table for a rule.
func row(of encounter: Encounter) -> String {
  let result = encounter.result
  let perStep = encounter.milliseconds * 1_000_000 / Double(max(result.steps, 1))
  let cells = [
    "`\(shortened(encounter.rule.name, to: 70))`", result.phase, shortened(result.outcome, to: 90),
    "\(result.steps)", inTenths(encounter.milliseconds),
    result.steps == 0 ? "" : "\(Int(perStep))",
  ]
  return "| " + cells.map(escaped).joined(separator: " | ") + " |"
}

/// The number with one decimal.
func inTenths(_ number: Double) -> String {
  let tenths = Int((number * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}

/// Prints a line at once, so that a rule that takes long is seen to.
func show(_ line: String) {
  print(line)
  fflush(nil)
}

/// Ends the program with the names of what took too long.
func fail(_ names: [String]) {
  print("Longer than \(Bounds.milliseconds) ms: \(names.count)")
  for name in names { print("  \(shortened(name, to: 100))") }
  exit(1)
}

private func shortened(_ text: String, to length: Int) -> String {
  text.count > length ? text.prefix(length - 1) + "…" : text
}

private func escaped(_ cell: String) -> String {
  cell.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    .split(separator: "\n").joined(separator: " ")
}
