/// The history of a place's clocks, and the rule by which it goes on.
struct ZoneRules: Sendable {
  /// The times at which the offset changed, in seconds since 1970, in ascending order.
  let transitions: [Int64]
  /// The offsets from each transition on, in seconds ahead of UTC.
  let offsets: [Int]
  /// The offset before the first transition.
  let first: Int
  /// The rule after the last transition; without one the last offset stays.
  let rule: ZoneFooter?

  /// The seconds by which clocks are ahead of UTC.
  func offset(at seconds: Int64) -> Int {
    guard let last = transitions.last, seconds < last else {
      return rule?.offset(at: seconds) ?? offsets.last ?? first
    }
    let passed = countOfTransitions(through: seconds)
    return passed == 0 ? first : offsets[passed - 1]
  }

  private func countOfTransitions(through seconds: Int64) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
