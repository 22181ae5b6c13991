import JSONText

/// Finds the commands of a session by what somebody types (S), by the titles that they have now.
///
/// A finder stands beside a session and is no part of it. It follows the session by a plan, so that a search takes time
/// that grows with the number of commands that match, and with what changed since the last one.
public struct CommandFinder: Sendable {
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
  public init(askingBy plan: ValidationPlan) { self.plan = plan }

  /// About the number of bytes that it takes.
  public var size: Int { indexes.reduce(plan.size) { $0 + $1.index.size } }

  /// Returns the commands that a query finds, the best first (S).
  ///
  /// - Throws: As `Session.validate`.
  public mutating func find(
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
  public mutating func takeRuleErrors() -> Int { plan.takeRuleErrors() }

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
