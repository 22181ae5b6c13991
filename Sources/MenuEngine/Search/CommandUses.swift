/// The performed commands of a session, which rank higher in searches (S4).
///
/// Part of the session: the same mutations give the same uses.
struct CommandUses: Equatable, Sendable, Codable {
  /// The number of commands kept; the least recently performed one is evicted first.
  static let maximumCount = 64

  /// A command with the number of times it was performed.
  private struct Use: Equatable, Sendable, Codable {
    let command: CommandID
    var count: Int
  }

  /// Most recently performed last.
  private var uses: [Use] = []

  /// Records that a command was performed.
  mutating func note(_ command: CommandID) {
    let index = uses.lastIndex { $0.command == command }
    var use = index.map { uses.remove(at: $0) } ?? Use(command: command, count: 0)
    use.count = min(use.count + 1, Self.maximumCount)
    uses.append(use)
    if uses.count > Self.maximumCount { uses.removeFirst() }
  }

  /// The bonus of each command (S4): 16 for the last performed one, 15 for the one before, and so on down to 0;
  /// and 1 for each further use, up to 8.
  var bonuses: [CommandID: Int] {
    var bonuses: [CommandID: Int] = [:]
    for (age, use) in uses.reversed().enumerated() {
      bonuses[use.command] = max(0, 16 - age) + min(use.count - 1, 8)
    }
    return bonuses
  }
}

extension Session {
  /// Records that a command was performed, except by a handler (S4).
  mutating func noteUse(of command: CommandID) {
    var noted = uses ?? CommandUses()
    // A single owner avoids a copy.
    uses = nil
    noted.note(command)
    uses = noted
  }
}
