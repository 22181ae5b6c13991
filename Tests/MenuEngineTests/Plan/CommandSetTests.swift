import Testing

@testable import MenuEngine

/// Sets of commands by bits, over the ends of words.
@Suite struct CommandSetTests {
  @Test(arguments: [0, 1, 63, 64, 65, 128, 130])
  func `all commands are in it, in order`(count: Int) {
    let set = CommandSet(all: count)
    #expect(Array(set) == Array(0..<count))
    #expect(set.isEmpty == (count == 0))
    #expect(Array(CommandSet(count: count)) == [])
  }

  @Test func `sets are joined, cut and subtracted`() {
    var some = CommandSet(count: 130)
    for position in [0, 63, 64, 129] { some[position] = true }
    var others = CommandSet(count: 130)
    for position in [63, 65, 129] { others[position] = true }
    #expect(Array(some.intersection(others)) == [63, 129])
    var rest = some
    rest.subtract(others)
    #expect(Array(rest) == [0, 64])
    rest.formUnion(others)
    #expect(Array(rest) == [0, 63, 64, 65, 129])
    rest[63] = false
    #expect(!rest[63] && rest[64])
  }

  @Test func `the lists of implemented commands are found by their ranks`() {
    var implemented = CommandSet(count: 200)
    let positions = [0, 5, 63, 64, 127, 128, 199]
    for position in positions { implemented[position] = true }
    let none = CommandSet(count: 200)
    let answers = ClassAnswers(
      implemented: implemented, governed: none, special: none,
      lists: positions.map { Int32($0 + 1000) })
    for position in positions { #expect(answers.list(at: position) == Int32(position + 1000)) }
  }
}
