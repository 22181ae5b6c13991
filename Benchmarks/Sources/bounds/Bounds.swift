import CEL

/// Meets every bound of rules with rules that are made to be expensive, and prints what came of it.
///
///     bounds [TEXT]
///
/// With a text only the rules that contain it. Ends with 1 when a rule took longer than it may.
@main
enum Bounds {
  /// The longest that a rule may take, whatever it is; an explanation evaluates it once more.
  static let milliseconds = 20.0

  static func main() {
    let wanted = CommandLine.arguments.dropFirst().first ?? ""
    let rules = HostileRule.all.filter { $0.name.contains(wanted) || $0.source.contains(wanted) }
    // What is made once is not the rules'.
    _ = Encounter(with: HostileRule("size('a') + size(range) < 0"))
    print(tableHeading)
    let encounters = rules.map { rule in
      let encounter = Encounter(with: rule)
      show(row(of: encounter))
      return encounter
    }
    let slow = encounters.filter(\.isTooLong)
    let slowest = encounters.map(\.milliseconds).max() ?? 0
    print("\n\(encounters.count) rules, the slowest \(inTenths(slowest)) ms.")
    guard slow.isEmpty else { return fail(slow.map(\.rule.name)) }
  }
}
