/// The commands of a catalogue that instances of a class answer to, with all that is inherited.
final class ClassAnswers: Sendable {
  /// The commands whose actions instances implement.
  let implemented: CommandSet
  /// The commands whose action a rule or a closure governs (R4), whichever class implements it.
  let governed: CommandSet
  /// The implemented ones whose items are not made by rules alone: by closures, or by undo managers.
  let special: CommandSet
  /// The numbers of the lists of rules of the implemented ones, in ascending order of these.
  private let lists: [Int32]
  /// The number of implemented ones before each word.
  private let ranks: [Int32]

  init(
    implemented: CommandSet, governed: CommandSet, special: CommandSet, lists: [Int32]
  ) {
    self.implemented = implemented
    self.governed = governed
    self.special = special
    self.lists = lists
    var rank: Int32 = 0
    ranks = implemented.words.map { word in
      defer { rank += Int32(word.nonzeroBitCount) }
      return rank
    }
  }

  /// The number of the list of rules of the handler for an implemented command; none is -1.
  func list(at position: Int) -> Int32 {
    let before = implemented.words[position >> 6] & (1 << UInt64(position & 63) - 1)
    return lists[Int(ranks[position >> 6]) + before.nonzeroBitCount]
  }
}
