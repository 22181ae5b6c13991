import JSONText

extension ValidationPlan {
  /// Returns the commands that match a query, best first (S), by their present titles (S7).
  ///
  /// - Throws: As `Session.validate`.
  package mutating func find(
    _ query: CommandQuery, at moment: PlanMoment
  ) throws(MutationFault) -> FoundCommands {
    var request = ValidationRequest()
    request.from = query.from
    request.window = query.window
    request.actor = query.actor
    let index = moment.catalog.searchIndex
    let appearances = try appearances(for: request, at: moment)
    let titles = PresentTitles(
      index, appearances, items: try itemsFromData(of: index, request, at: moment))
    var search = CommandSearch(query, among: titles)
    let found = search.find(bonuses: moment.session.uses?.bonuses ?? [:])
    let hits = found.hits.filter { titles.item(of: $0.entry) == nil }
    request.commands = hits.map { index.entries[$0.entry].command }
    let items = try validate(request, at: moment)
    let keyed = try moment.session.withKeyWindow(query.window)
      .givingKeys(
        to: items, from: query.from, in: SessionContext(moment.catalog, actor: query.actor))
    var ofCommands = keyed[...]
    let commands = found.hits.compactMap { hit in
      (titles.item(of: hit.entry)?.item ?? ofCommands.popFirst()).map { item in
        FoundCommand(
          item: item, menus: titles.menus(of: hit.entry), score: hit.score, typos: hit.typos,
          ranges: search.ranges(of: hit))
      }
    }
    return FoundCommands(total: found.total, commands: commands)
  }
}

/// A search for the commands whose titles or other words match a query.
struct CommandSearch {
  private let query: CommandQuery
  private let words: [SearchedWord]
  private let titles: PresentTitles
  private var matcher = TextMatcher()

  /// The matches of a query.
  struct Found {
    /// The number of all matches.
    let total: Int
    /// The requested matches, best first.
    let hits: [Hit]
  }

  /// A matching command.
  struct Hit: Sendable {
    /// The index of the command in the search index.
    let entry: Int
    /// The part of the title that the query equals.
    var share = TitleShare.other
    var score = 0
    /// The number of words that match with a typo only (S3).
    var typos = 0
    /// True if all words are in the titles, none in the other words only (S8).
    var isByTitle = true

    /// True if the hit ranks before another: fewer typos, by title, larger share of the title, higher score;
    /// then the shorter title, alphabetical order, menu order (S5).
    func precedes(_ other: Hit, among titles: PresentTitles, isQuery: Bool) -> Bool {
      if typos != other.typos { return typos < other.typos }
      if isByTitle != other.isByTitle { return isByTitle }
      if share != other.share { return share > other.share }
      if score != other.score { return score > other.score }
      guard isQuery else { return titles.isInOrder(entry, before: other.entry) }
      let (mine, others) = (titles[entry], titles[other.entry])
      let lengths = (mine.letters.length, others.letters.length)
      if lengths.0 != lengths.1 { return lengths.0 < lengths.1 }
      if !mine.title.hasSameBytes(as: others.title) {
        return mine.title.utf8.lexicographicallyPrecedes(others.title.utf8)
      }
      return titles.isInOrder(entry, before: other.entry)
    }
  }

  init(_ query: CommandQuery, among titles: PresentTitles) {
    self.query = query
    self.titles = titles
    words = SearchedWord.words(of: query)
  }

  /// Finds the commands that match the query.
  mutating func find(bonuses: [CommandID: Int]) -> Found {
    var best = BestHits(limit: query.offset + query.limit, isQuery: !words.isEmpty)
    let index = titles.index
    var gained = Array(repeating: 0, count: bonuses.isEmpty ? 0 : index.entries.count)
    for (command, bonus) in bonuses {
      if let entry = index.entry(of: command) { gained[entry] = bonus }
    }
    for entry in 0..<titles.count where titles.isShown(entry, by: query) {
      let letters = titles.letters(of: entry)
      guard letters.length > 0, var hit = hit(of: entry, letters) else { continue }
      if entry < gained.count { hit.score += gained[entry] }
      best.add(hit, among: titles)
    }
    return Found(
      total: best.total, hits: Array(best.take(among: titles).dropFirst(query.offset)))
  }

  /// The score of a character in a word found among the other words (S8), or with a typo (S3).
  private static let otherWord = 8

  /// The score of words that are adjacent in the title, as typed (S9).
  private static let phrase = 8

  /// Returns a hit with the total score of all words; nil if one is not found.
  private mutating func hit(of entry: Int, _ letters: SearchedTitle.Letters) -> Hit? {
    var hit = Hit(entry: entry)
    guard !words.isEmpty else { return hit }
    let others = titles.words(of: entry)
    // A cheap test of all words precedes matching, and reading the title.
    guard words.allSatisfy({ $0.mayBeFound(in: letters, orAmong: others) }) else { return nil }
    let title = titles[entry]
    for word in words {
      guard add(word, in: title, orAmong: others, to: &hit) else { return nil }
    }
    hit.share = share(of: title)
    if words.count > 1, isPhrase(in: title) { hit.score += Self.phrase }
    return hit
  }

  /// Adds the score of a word to a hit; returns false if it is not found.
  private mutating func add(
    _ word: SearchedWord, in title: SearchedTitle, orAmong others: CommandWords.Place,
    to hit: inout Hit
  ) -> Bool {
    let text = title.characters[...]
    let letters = title.letters
    if word.isWithin(letters.scalars), let score = matcher.score(of: word.scalars, in: text) {
      hit.score += score
    } else if word.isWithin(others.scalars), titles.index.words.has(word.scalars, at: others) {
      hit.score += Self.otherWord * word.scalars.count
      hit.isByTitle = false
    } else if word.mayBeMistyped(in: letters), let meant = word.meant(in: text) {
      let isInTitle = text[meant.place.lowerBound].isInTitle
      hit.score += (isInTitle ? Self.otherWord : Self.otherWord / 2) * word.scalars.count
      hit.typos += 1
    } else {
      return false
    }
    return true
  }

  private func share(of title: SearchedTitle) -> TitleShare {
    let own = title.own
    guard own.starts(with: query.text, by: { $0.scalar == $1 }) else {
      return .other
    }
    return own.count == query.text.count ? .whole : .beginning
  }

  /// True if the words are adjacent in the title, as typed.
  private func isPhrase(in title: SearchedTitle) -> Bool {
    let own = title.own
    let last = own.endIndex - query.text.count
    guard own.startIndex <= last else { return false }
    return (own.startIndex...last).contains { start in
      own[start...].starts(with: query.text, by: { $0.scalar == $1 })
    }
  }

  /// Returns the parts of a command's title that match the query, in UTF-16 units.
  mutating func ranges(of hit: Hit) -> [Range<Int>] {
    let title = titles[hit.entry]
    let text = title.characters[...]
    var places: Set<Int> = []
    for word in words {
      if matcher.score(of: word.scalars, in: text) != nil {
        places.formUnion(matcher.places(of: word.scalars.count, width: text.count))
      } else if hit.typos > 0, let meant = word.meant(in: text) {
        places.formUnion(meant.place)
      }
    }
    return title.ranges(of: Set(places.map { $0 - title.own.startIndex }))
  }
}

/// The relation of a query to a title, beyond matching some of its words (S9).
enum TitleShare: Int, Comparable, Sendable {
  case other
  case beginning
  case whole

  static func < (left: TitleShare, right: TitleShare) -> Bool { left.rawValue < right.rawValue }
}

/// A collector of the best hits.
private struct BestHits {
  private let limit: Int
  private let isQuery: Bool
  private var hits: [CommandSearch.Hit] = []
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
  mutating func add(_ hit: CommandSearch.Hit, among titles: PresentTitles) {
    total += 1
    hits.append(hit)
    if hits.count > limit, hits.count - limit >= limit + 64 { cut(among: titles) }
  }

  /// Returns the best hits and removes all.
  mutating func take(among titles: PresentTitles) -> [CommandSearch.Hit] {
    cut(among: titles)
    defer { hits = [] }
    return hits
  }

  private mutating func cut(among titles: PresentTitles) {
    hits.sort { $0.precedes($1, among: titles, isQuery: isQuery) }
    if hits.count > limit { hits.removeSubrange(limit...) }
  }
}
