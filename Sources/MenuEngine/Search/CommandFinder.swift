import JSONText

/// Finds the commands of a session by what somebody types (S), by the titles that they have now.
///
/// A finder stands beside a session and is no part of it. It follows the session by a plan, so that a search takes time
/// that grows with the number of commands that match, and with what changed since the last one.
package struct CommandFinder: Sendable {
  private var plan: ValidationPlan
  /// The indexes of the windows that were asked about, the last one first (R11).
  private var indexes: [WindowIndex] = []

  /// The titles as they are in a window.
  private struct WindowIndex {
    let window: ResponderID?
    var index = SearchIndex()
    /// The edition of the catalogue that the index is about; nil before the first search.
    var catalogEdition: Int?
  }

  /// A finder that knows nothing yet.
  package init(askingBy plan: ValidationPlan) { self.plan = plan }

  /// About the number of bytes that it takes.
  package var size: Int { indexes.reduce(plan.size) { $0 + $1.index.size } }

  /// Returns the commands that a query finds, the best first (S).
  ///
  /// - Throws: As `Session.validate`.
  package mutating func find(
    _ query: CommandQuery, at moment: PlanMoment
  ) throws(MutationFault) -> FoundCommands {
    try follow(moment, in: query.window)
    let index = indexes[0].index
    let found = index.find(query, bonuses: moment.session.uses?.bonuses ?? [:])
    var request = ValidationRequest()
    request.window = query.window
    request.commands = found.hits.map { index.entries[$0.index].command }
    let items = try plan.validate(request, at: moment)
    let commands = zip(found.hits, items).map { hit, item in
      FoundCommand(
        item: item, menus: index.entries[hit.index].menus, score: hit.score, typos: hit.typos,
        ranges: index.ranges(of: hit, by: query))
    }
    return FoundCommands(total: found.total, commands: commands)
  }

  /// Returns the number of rules that failed and were asked since this was called last.
  package mutating func takeRuleErrors() -> Int { plan.takeRuleErrors() }

  /// Takes the items that are not what they were at the last search.
  private mutating func follow(
    _ moment: PlanMoment, in window: ResponderID?
  ) throws(MutationFault) {
    putFirst(window)
    let isAnew = indexes[0].catalogEdition != moment.catalogEdition
    // Known again once it succeeded.
    indexes[0].catalogEdition = nil
    var request = ValidationRequest()
    request.window = window
    let changed = try plan.changedItems(for: request, at: moment)
    if isAnew { indexes[0].index = SearchIndex(moment.catalog) }
    request.commands = isAnew ? nil : changed
    if isAnew || !changed.isEmpty { indexes[0].index.take(try plan.validate(request, at: moment)) }
    indexes[0].catalogEdition = moment.catalogEdition
  }

  /// Puts the index of a window first. The least recent one is evicted, as plans do it.
  private mutating func putFirst(_ window: ResponderID?) {
    if let known = indexes.firstIndex(where: { $0.window == window }) {
      if known > 0 { indexes.insert(indexes.remove(at: known), at: 0) }
      return
    }
    indexes.insert(WindowIndex(window: window), at: 0)
    if indexes.count > ValidationPlan.maximumVariants { indexes.removeLast() }
  }
}

/// A text that somebody types to find a command, as it is compared (S1).
package struct CommandQuery: Sendable {
  /// The number of characters that are looked at.
  package static let maximumLength = 64

  /// The most commands that are wanted.
  package let limit: Int
  /// The number of commands that stand before those that are wanted.
  package let offset: Int
  /// True if commands are found that cannot be performed now.
  package let includesDisabled: Bool
  /// The window that is as if it were key (R11); nil for the one that is.
  package let window: ResponderID?
  /// The words without case and accents.
  let words: [[UInt32]]
  /// The words with a space between them.
  let text: [UInt32]

  /// A query.
  package init(
    _ text: String, limit: Int, offset: Int = 0, includesDisabled: Bool = false,
    window: ResponderID? = nil
  ) {
    self.limit = limit
    self.offset = offset
    self.window = window
    self.includesDisabled = includesDisabled
    var scalars: [UInt32] = []
    for scalar in text.unicodeScalars.prefix(Self.maximumLength) {
      SearchedCharacter.fold(scalar, behind: scalars.last) { scalars.append($0) }
    }
    words = scalars.split(separator: SearchedCharacter.space).map(Array.init)
    self.text = Array(words.joined(separator: [SearchedCharacter.space]))
  }
}

/// Commands that were found.
package struct FoundCommands: Sendable {
  /// The number of all commands that the query finds.
  package let total: Int
  /// Those that it wants, the best first.
  package let commands: [FoundCommand]
}

/// A command that was found.
package struct FoundCommand: Sendable {
  /// The command as it is now.
  package let item: ValidatedItem
  /// The titles of the menus that it stands in, the outermost first; of the first place in the main menu.
  package let menus: [String]
  /// The score of the match; more is better.
  package let score: Int
  /// The number of words that match only with a mistake (S3).
  package let typos: Int
  /// The parts of the title that match, in units of UTF-16; none if other words of the command do (S8).
  package let ranges: [Range<Int>]
}

/// The best of many hits, in order.
struct BestHits {
  private let limit: Int
  private let isQuery: Bool
  private var hits: [SearchIndex.Hit] = []
  /// The number of hits that were added.
  private(set) var total = 0

  /// No hits.
  ///
  /// - Parameter isQuery: False if nothing is typed, so that the order of the menus decides.
  init(limit: Int, isQuery: Bool) {
    self.limit = limit
    self.isQuery = isQuery
  }

  /// Adds a hit. Now and then those that are too many are dropped.
  mutating func add(_ hit: SearchIndex.Hit, in index: SearchIndex) {
    total += 1
    hits.append(hit)
    if hits.count >= 2 * limit + 64 { cut(in: index) }
  }

  /// Returns the best ones, and forgets all.
  mutating func take(in index: SearchIndex) -> [SearchIndex.Hit] {
    cut(in: index)
    defer { hits = [] }
    return hits
  }

  private mutating func cut(in index: SearchIndex) {
    hits.sort { $0.precedes($1, in: index, isQuery: isQuery) }
    if hits.count > limit { hits.removeSubrange(limit...) }
  }
}

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
