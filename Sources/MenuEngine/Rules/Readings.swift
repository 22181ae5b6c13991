/// The values that were read on the way to an answer: an answer is asked for again only when one of
/// the rules may say something else.
struct Readings: Sendable {
  /// The rules that were evaluated.
  private(set) var rules: [Rule] = []
  /// True if the answer tells of more than the rules read, as the message of a fault may.
  private(set) var isEverything = false

  mutating func note(_ rule: Rule) { rules.append(rule) }

  mutating func noteEverything() { isEverything = true }
}
