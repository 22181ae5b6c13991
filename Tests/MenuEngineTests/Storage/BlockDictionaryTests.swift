import Randomness
import Testing

@testable import MenuEngine

/// Dictionaries and sets in blocks are what dictionaries and sets are.
@Suite struct BlockDictionaryTests {
  @Test(arguments: Seeds.first(3))
  func `whatever is done to it, it has what a dictionary has, and copies keep what they had`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let keys = seed.isMultiple(of: 2) ? 40 : seed % 3 == 0 ? 10 : 2000
    var (mine, model) = (BlockDictionary<Int, [Int]>(), [Int: [Int]]())
    var copies: [(BlockDictionary<Int, [Int]>, [Int: [Int]])] = []
    for step in 0..<6000 {
      let key = Int.random(in: 0..<keys, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: (mine[key], model[key]) = ([step], [step])
      case 1: (mine[key], model[key]) = (nil, nil)
      case 2:
        mine[key]?.append(step)
        model[key]?.append(step)
      case 3: #expect(mine.removeValue(forKey: key) == model.removeValue(forKey: key))
      case 4:
        #expect(mine.updateValue([], forKey: key) == model.updateValue([], forKey: key))
      default:
        mine[key, default: [-1]].append(step)
        model[key, default: [-1]].append(step)
      }
      #expect(mine[key] == model[key])
      #expect(mine.count == model.count)
      #expect(mine.isEmpty == model.isEmpty)
      if step.isMultiple(of: 500) { copies.append((mine, model)) }
    }
    #expect(mine.plain == model)
    for (copy, model) in copies { #expect(copy.plain == model) }
  }

  @Test func `one that grew and one that shrank are equal when they have the same`() {
    var grown = BlockDictionary<Int, Int>()
    var shrunk = BlockDictionary<Int, Int>()
    for key in 0..<3000 { shrunk[key] = key }
    for key in 0..<10 { grown[key] = key }
    #expect(grown != shrunk)
    for key in 10..<3000 { shrunk[key] = nil }
    #expect(grown == shrunk)
    grown[3] = 4
    #expect(grown != shrunk)
    #expect(BlockDictionary<Int, Int>() == BlockDictionary())
  }

  @Test func `of a large one all is found again`() {
    var dictionary = BlockDictionary<String, Int>()
    let keys = (0..<20_000).map { number in "responder\(number)" }
    for (number, key) in keys.enumerated() { dictionary[key] = number }
    #expect(dictionary.count == 20_000)
    #expect(keys.map { dictionary[$0] } == Array(0..<20_000))
    #expect(dictionary["responder20000"] == nil)
  }

  @Test func `a set has what was put in and not taken out, once`() {
    var random = SeededGenerator(seed: 9)
    var (mine, model) = (BlockSet<Int>(), Set<Int>())
    #expect(mine.isEmpty)
    var copies: [(BlockSet<Int>, Set<Int>)] = []
    for step in 0..<4000 {
      let member = Int.random(in: 0..<300, using: &random)
      if Bool.random(using: &random) {
        mine.insert(member)
        model.insert(member)
      } else {
        mine.remove(member)
        model.remove(member)
      }
      #expect(mine.contains(member) == model.contains(member))
      if step.isMultiple(of: 400) { copies.append((mine, model)) }
    }
    copies.append((mine, model))
    for (copy, model) in copies {
      #expect(copy.count == model.count)
      #expect(Set(copy) == model)
      #expect(copy.isEmpty == model.isEmpty)
    }
    #expect(copies.first?.0 != copies.last?.0)
  }
}

extension BlockDictionary {
  /// The same as a dictionary.
  var plain: [Key: Value] { Dictionary(uniqueKeysWithValues: map { ($0.key, $0.value) }) }
}
