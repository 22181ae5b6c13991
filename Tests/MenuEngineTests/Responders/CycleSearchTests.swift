import Testing

@testable import MenuEngine

/// A search finds the cycles that ways lead into.
@Suite struct CycleSearchTests {
  /// 0 and 1 lead into 2 → 3 → 4 → 2; 5 → 6 ends.
  private let next: [Int?] = [1, 2, 3, 4, 2, 6, nil]

  @Test(arguments: [
    ([0], [2, 3, 4, 2]), ([3], [3, 4, 2, 3]), ([5, 6], nil), ([5, 4, 0], [4, 2, 3, 4]), ([], nil),
  ])
  func `the cycle begins where the first way meets it`(starts: [Int], cycle: [Int]?) {
    var search = CycleSearch(from: starts, of: next.count)
    #expect(search.cycle { next[$0] } == cycle)
  }

  @Test func `a cycle that does not count is passed over once`() {
    var search = CycleSearch(from: [0, 3, 5], of: next.count)
    var asked: [[Int]] = []
    let found = search.cycle(
      following: { next[$0] },
      where: { cycle in
        asked.append(cycle)
        return false
      })
    #expect(found == nil)
    #expect(asked == [[2, 3, 4, 2]])
  }

  @Test func `one search looks at several relations, each anew`() {
    var search = CycleSearch(from: [0, 5], of: next.count)
    #expect(search.cycle { $0 < 6 ? $0 + 1 : nil } == nil)
    #expect(search.cycle { next[$0] } == [2, 3, 4, 2])
    #expect(search.cycle { $0 == 5 ? 5 : nil } == [5, 5])
    #expect(search.cycle { _ in nil } == nil)
  }
}
