/// The commands that a session performed, so that they are found before others (S4).
///
/// It is a part of the session: the same mutations give the same uses.
struct CommandUses: Equatable, Sendable, Codable {
  /// The number of commands that are remembered; the least recently performed one is evicted first.
  static let maximumCount = 64

  /// A command, and how many times it was performed.
  private struct Use: Equatable, Sendable, Codable {
    let command: CommandID
    var count: Int
  }

  /// The last one that was performed stands last.
  private var uses: [Use] = []

  /// Notes that a command was performed.
  mutating func note(_ command: CommandID) {
    let index = uses.lastIndex { $0.command == command }
    var use = index.map { uses.remove(at: $0) } ?? Use(command: command, count: 0)
    use.count = min(use.count + 1, Self.maximumCount)
    uses.append(use)
    if uses.count > Self.maximumCount { uses.removeFirst() }
  }

  /// The points of each command for having been performed (S4): 16 for the last one, 15 for the one before, and
  /// so on down to 0; and 1 for each further time, up to 8.
  var bonuses: [CommandID: Int] {
    var bonuses: [CommandID: Int] = [:]
    for (age, use) in uses.reversed().enumerated() {
      bonuses[use.command] = max(0, 16 - age) + min(use.count - 1, 8)
    }
    return bonuses
  }
}

extension Session {
  /// Notes that a command was performed, by whom ever, but not by a handler (S4).
  mutating func noteUse(of command: CommandID) {
    var noted = uses ?? CommandUses()
    // So that it has one owner, and changes in place.
    uses = nil
    noted.note(command)
    uses = noted
  }
}
