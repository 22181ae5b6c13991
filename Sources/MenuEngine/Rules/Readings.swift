/// What was asked for on the way to an answer: who goes on with other things has to ask again only when one of
/// the rules may say something else.
struct Readings: Sendable {
  /// The rules that were evaluated.
  private(set) var rules: [Rule] = []
  /// Whether the answer tells of more than the rules read, as the message of a fault may.
  private(set) var isEverything = false

  mutating func note(_ rule: Rule) { rules.append(rule) }

  mutating func noteEverything() { isEverything = true }
}
