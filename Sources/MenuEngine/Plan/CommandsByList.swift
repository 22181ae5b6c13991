/// The commands whose items each list of rules decides.
///
/// The commands of a list are a chain through flat arrays, so that one moves to another list in a few steps.
struct CommandsByList: Sendable {
  /// The first command of each list; none is -1.
  private var firsts: [Int32]
  /// The command behind each one, and the one before it; none is -1.
  private var following: [Int32]
  private var preceding: [Int32]

  /// No command has any of the lists.
  init(lists: Int, commands: Int) {
    firsts = Array(repeating: -1, count: lists)
    following = Array(repeating: -1, count: commands)
    preceding = following
  }

  /// About the number of bytes that it takes.
  var size: Int { (firsts.count + 2 * following.count) * MemoryLayout<Int32>.stride }

  /// Returns the commands of a list, in any order.
  func commands(of list: Int32) -> Chain {
    Chain(following: following, position: Int(list) < firsts.count ? firsts[Int(list)] : -1)
  }

  /// The commands of a list, one behind the other.
  struct Chain: Sequence, IteratorProtocol {
    fileprivate let following: [Int32]
    fileprivate var position: Int32

    mutating func next() -> Int? {
      guard position >= 0 else { return nil }
      defer { position = following[Int(position)] }
      return Int(position)
    }
  }

  /// Moves a command from one list to another; none is -1.
  mutating func move(_ command: Int, from old: Int32, to new: Int32) {
    if old >= 0 { remove(command, from: Int(old)) }
    if new >= 0 { insert(command, into: Int(new)) }
  }

  private mutating func remove(_ command: Int, from list: Int) {
    let (before, after) = (preceding[command], following[command])
    if before >= 0 { following[Int(before)] = after } else { firsts[list] = after }
    if after >= 0 { preceding[Int(after)] = before }
  }

  private mutating func insert(_ command: Int, into list: Int) {
    while firsts.count <= list { firsts.append(-1) }
    let after = firsts[list]
    (preceding[command], following[command]) = (-1, after)
    if after >= 0 { preceding[Int(after)] = Int32(command) }
    firsts[list] = Int32(command)
  }
}
