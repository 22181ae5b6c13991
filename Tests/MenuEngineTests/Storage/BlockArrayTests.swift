import Randomness
import Testing

@testable import MenuEngine

/// Arrays in blocks are what arrays are, and tell where they were changed.
@Suite struct BlockArrayTests {
  @Test(arguments: Seeds.first(2))
  func `whatever is done to it, it has what an array has, and copies keep what they had`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var (mine, model) = (BlockArray<[Int]>(), [[Int]]())
    var copies = [(mine, model)]
    for step in 0..<3000 {
      let isLong = model.count > 500
      switch (Int.random(in: 0..<8, using: &random), model.indices.randomElement(using: &random)) {
      case (0, let position?):
        mine[position].append(step)
        model[position].append(step)
      case (1, let position?): (mine[position], model[position]) = ([step], [step])
      case (2, let position?):
        mine.swapAt(position, 0)
        model.swapAt(position, 0)
      case (3, _?):
        let number = Int.random(in: 0...(isLong ? model.count : 1), using: &random)
        mine.removeLast(number)
        model.removeLast(number)
      case (4, _?):
        mine.removeFirst()
        model.removeFirst()
      default:
        mine.append([step])
        model.append([step])
      }
      #expect(mine.count == model.count)
      if step.isMultiple(of: 300) { copies.append((mine, model)) }
    }
    copies.append((mine, model))
    for (copy, model) in copies {
      #expect(Array(copy) == model)
      #expect(model.indices.allSatisfy { copy[$0] == model[$0] })
    }
  }

  @Test func `a copy is identical until one of the two is written`() {
    var array: BlockArray<Int> = []
    for number in 0..<200 { array.append(number) }
    var copy = array
    #expect(copy.isIdentical(to: array))
    #expect(copy.positions(differingFrom: array, by: ==) == [])
    copy[130] = 130
    #expect(!copy.isIdentical(to: array))
    #expect(copy == array)
    #expect(copy.positions(differingFrom: array, by: ==) == [])
    copy[63] = -1
    copy[64] = -1
    copy[199] = -1
    #expect(copy.positions(differingFrom: array, by: ==) == [63, 64, 199])
    #expect(array[63] == 63)
    copy.append(0)
    #expect(copy != array)
  }

  @Test(arguments: Seeds.first(2))
  func `a later array has in common what neither its front nor its end lost`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var array = BlockArray<Int>()
    for number in 0..<1000 {
      let (before, former) = (array, Array(array))
      let dropped = Int.random(in: 0...min(70, array.count), using: &random)
      for _ in 0..<dropped { array.removeFirst() }
      let popped = Int.random(in: 0...min(70, array.count), using: &random)
      array.removeLast(popped)
      for added in 0..<Int.random(in: 0...100, using: &random) {
        array.append(1000 * number + added)
      }
      #expect(array.removed == before.removed + dropped)
      let kept = former.count - dropped - popped
      for later in [array, BlockArray(array, behind: array.removed), BlockArray(array, behind: 0)] {
        #expect(later == array)
        #expect(before.common(with: later, behind: dropped, by: ==) == kept)
        #expect(before.common(with: later, behind: dropped + 1, by: ==) == 0)
      }
    }
  }

  @Test(arguments: [0, 1, 15, 16, 17, 63, 64, 65, 128, 200])
  func `it is as long as what was added`(count: Int) {
    var array = BlockArray<Int>()
    for number in 0..<count { array.append(number) }
    #expect(array.count == count)
    #expect(array.isEmpty == (count == 0))
    #expect(Array(array) == Array(0..<count))
    array.removeLast(count)
    #expect(array.isEmpty)
    array.append(7)
    #expect(Array(array) == [7])
  }
}
