import JSONText

/// Finds the commands of a session by typed text (S), using their present titles.
///
/// A finder is a cache beside a session. It follows the session with a plan, so that a search takes time
/// proportional to the matching commands and to the changes since the last one.
package struct CommandFinder: Sendable {
  private var plan: ValidationPlan
  /// The indexes by window, most recently used first (R11).
  private var indexes: [WindowIndex] = []

  /// The titles in a window.
  private struct WindowIndex {
    let window: ResponderID?
    var index = SearchIndex()
    /// The catalogue's version in the index; nil before the first search.
    var catalogEdition: Int?
  }

  package init(askingBy plan: ValidationPlan) { self.plan = plan }

  /// The approximate size in bytes.
  package var size: Int { indexes.reduce(plan.size) { $0 + $1.index.size } }

  /// Returns the commands that match a query, best first (S).
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

  /// Returns the number of rules that failed since the last call.
  package mutating func takeRuleErrors() -> Int { plan.takeRuleErrors() }

  /// Updates the items that changed since the last search.
  private mutating func follow(
    _ moment: PlanMoment, in window: ResponderID?
  ) throws(MutationFault) {
    putFirst(window)
    let isAnew = indexes[0].catalogEdition != moment.catalogEdition
    // Set again on success.
    indexes[0].catalogEdition = nil
    var request = ValidationRequest()
    request.window = window
    let changed = try plan.changedItems(for: request, at: moment)
    if isAnew { indexes[0].index = SearchIndex(moment.catalog) }
    request.commands = isAnew ? nil : changed
    if isAnew || !changed.isEmpty { indexes[0].index.take(try plan.validate(request, at: moment)) }
    indexes[0].catalogEdition = moment.catalogEdition
  }

  /// Moves the index of a window to the front. The least recently used one is evicted, as in plans.
  private mutating func putFirst(_ window: ResponderID?) {
    if let known = indexes.firstIndex(where: { $0.window == window }) {
      if known > 0 { indexes.insert(indexes.remove(at: known), at: 0) }
      return
    }
    indexes.insert(WindowIndex(window: window), at: 0)
    if indexes.count > ValidationPlan.maximumVariants { indexes.removeLast() }
  }
}

/// A typed query for commands, in normalized form (S1).
package struct CommandQuery: Sendable {
  /// The number of characters considered.
  package static let maximumLength = 64

  /// The maximum number of results.
  package let limit: Int
  /// The number of results to skip.
  package let offset: Int
  /// True if disabled commands are found, too.
  package let includesDisabled: Bool
  /// The window to treat as key (R11). The default is the key window.
  package let window: ResponderID?
  /// The words without case and accents.
  let words: [[UInt32]]
  /// The words, separated by spaces.
  let text: [UInt32]

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

/// The result of a search.
package struct FoundCommands: Sendable {
  /// The number of all matching commands.
  package let total: Int
  /// The requested commands, best first.
  package let commands: [FoundCommand]
}

/// A command that matches a query.
package struct FoundCommand: Sendable {
  /// The validated command.
  package let item: ValidatedItem
  /// The titles of the menus around its first place in the main menu, outermost first.
  package let menus: [String]
  /// The score of the match; higher is better.
  package let score: Int
  /// The number of words that match with a typo only (S3).
  package let typos: Int
  /// The matching parts of the title, in UTF-16 units; none if the match is in other words of the command (S8).
  package let ranges: [Range<Int>]
}

/// A collector of the best hits.
struct BestHits {
  private let limit: Int
  private let isQuery: Bool
  private var hits: [SearchIndex.Hit] = []
  /// The number of hits that were added.
  private(set) var total = 0

  /// Creates an empty collector.
  ///
  /// - Parameter isQuery: False for an empty query, which keeps the order of the menus.
  init(limit: Int, isQuery: Bool) {
    self.limit = limit
    self.isQuery = isQuery
  }

  /// Adds a hit. Surplus hits are dropped in batches.
  mutating func add(_ hit: SearchIndex.Hit, in index: SearchIndex) {
    total += 1
    hits.append(hit)
    if hits.count >= 2 * limit + 64 { cut(in: index) }
  }

  /// Returns the best hits and removes all.
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
