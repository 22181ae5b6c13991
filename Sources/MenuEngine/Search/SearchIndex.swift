import JSONText

/// The titles of a session's commands, prepared for searching (S).
struct SearchIndex: Sendable {
  /// The number of characters considered of a title and of its menus.
  static let maximumLength = 200

  /// A command.
  struct Entry: Sendable {
    let command: CommandID
    let menus: [String]
    fileprivate(set) var title = ""
    fileprivate(set) var isEnabled = false
    fileprivate(set) var isHidden = false
    fileprivate(set) var place = 0..<0
    /// The set of the title's scalars.
    fileprivate(set) var scalars: UInt64 = 0
    /// The set of the first scalars of its words.
    fileprivate(set) var starts: UInt64 = 0
    /// The number of normalized characters of the title.
    fileprivate(set) var titleLength = 0
    /// The other words (S8).
    let words: CommandWords.Place
  }

  /// A matching command.
  struct Hit: Sendable {
    let index: Int
    /// The part of the title that the query equals.
    var share = TitleShare.other
    var score = 0
    /// The number of words that match with a typo only (S3).
    var typos = 0
    /// True if all words are in the titles, none in the other words only (S8).
    var isByTitle = true

    /// True if the hit ranks before another: fewer typos, by title, larger share of the title, higher score;
    /// then the shorter title, alphabetical order, menu order (S5).
    func precedes(_ other: Hit, in index: SearchIndex, isQuery: Bool) -> Bool {
      if typos != other.typos { return typos < other.typos }
      if isByTitle != other.isByTitle { return isByTitle }
      if share != other.share { return share > other.share }
      if score != other.score { return score > other.score }
      let (mine, others) = (index.entries[self.index], index.entries[other.index])
      if isQuery, mine.titleLength != others.titleLength {
        return mine.titleLength < others.titleLength
      }
      if isQuery, !mine.title.hasSameBytes(as: others.title) {
        return mine.title.utf8.lexicographicallyPrecedes(others.title.utf8)
      }
      return self.index < other.index
    }
  }

  /// The commands, those of the main menu first in its order.
  private(set) var entries: [Entry] = []
  private(set) var positions: [CommandID: Int] = [:]
  private(set) var characters: [SearchedCharacter] = []
  private(set) var words = CommandWords()
  private var liveCount = 0

  init() {}

  /// Creates an index of a catalogue's commands without titles.
  init(_ catalog: Catalog) {
    var menus: [CommandID: [String]] = [:]
    var order: [CommandID] = []
    Self.note(catalog.menus, [], in: &menus, order: &order)
    order += catalog.commands.map(\.id).filter { menus[$0] == nil }
    for id in order {
      guard let command = catalog.command(id) else { continue }
      positions[id] = entries.count
      entries.append(Entry(command: id, menus: menus[id] ?? [], words: words.add(command)))
    }
  }

  private static func note(
    _ menu: Menu, _ titles: [String], in met: inout [CommandID: [String]],
    order: inout [CommandID]
  ) {
    for child in menu.children(in: MenuSystems(.main)) {
      switch child {
      case .command(let place):
        guard met[place.command] == nil else { continue }
        met[place.command] = titles
        order.append(place.command)
      case .menu(let menu):
        note(menu, menu.title.isEmpty ? titles : titles + [menu.title], in: &met, order: &order)
      }
    }
  }

  /// The approximate size in bytes.
  var size: Int {
    let titles = entries.reduce(0) { $0 + $1.title.utf8.count }
    return entries.count * (MemoryLayout<Entry>.stride + 2 * MemoryLayout<CommandID>.stride)
      + characters.count * MemoryLayout<SearchedCharacter>.stride + words.size + titles
  }

  /// Updates the index from validated items.
  mutating func take(_ items: [ValidatedItem]) {
    for item in items {
      guard let position = positions[item.command] else { continue }
      entries[position].isEnabled = item.isEnabled
      entries[position].isHidden = item.attributes.contains(.hidden)
      guard entries[position].place.isEmpty || !entries[position].title.hasSameBytes(as: item.title)
      else { continue }
      entries[position].title = item.title
      layOut(position)
    }
    // Replaced titles leave gaps.
    guard characters.count > 2 * liveCount + Self.maximumLength else { return }
    characters.removeAll(keepingCapacity: true)
    liveCount = 0
    for position in entries.indices {
      entries[position].place = 0..<0
      layOut(position)
    }
  }

  private mutating func layOut(_ position: Int) {
    var entry = entries[position]
    liveCount -= entry.place.count
    let start = characters.count
    var (scalars, starts): (UInt64, UInt64) = (0, 0)
    var last = CharacterClass.white
    func add(_ scalar: Unicode.Scalar, isInTitle: Bool, to characters: inout [SearchedCharacter]) {
      let kind = CharacterClass(scalar)
      var bonus = kind.bonus(behind: last)
      SearchedCharacter.fold(scalar, behind: characters.last?.scalar) { folded in
        characters.append(
          SearchedCharacter(scalar: folded, bonus: bonus, isInTitle: isInTitle))
        scalars |= SearchedCharacter.bit(of: folded)
        if bonus >= SearchedCharacter.wordStart { starts |= SearchedCharacter.bit(of: folded) }
        (bonus, last) = (kind.bonus(behind: kind), kind)
      }
    }
    for title in entry.menus {
      for scalar in title.unicodeScalars.prefix(Self.maximumLength / 4) {
        add(scalar, isInTitle: false, to: &characters)
      }
      add(" ", isInTitle: false, to: &characters)
    }
    let titleStart = characters.count
    for scalar in entry.title.unicodeScalars.prefix(Self.maximumLength) {
      add(scalar, isInTitle: true, to: &characters)
    }
    entry.place = start..<characters.count
    entry.titleLength = characters.count - titleStart
    (entry.scalars, entry.starts) = (scalars, starts)
    liveCount += entry.place.count
    entries[position] = entry
  }
}

extension SearchIndex {
  /// Returns the parts of a command's title that match a query, in UTF-16 units.
  func ranges(of hit: Hit, by query: CommandQuery) -> [Range<Int>] {
    let entry = entries[hit.index]
    let text = characters[entry.place]
    var matcher = TextMatcher()
    var places: Set<Int> = []
    for word in SearchedWord.words(of: query) {
      if matcher.score(of: word.scalars, in: text) != nil {
        places.formUnion(matcher.places(of: word.scalars.count, width: text.count))
      } else if hit.typos > 0, let meant = word.meant(in: text) {
        places.formUnion(meant.place.map { $0 - text.startIndex })
      }
    }
    let offset = entry.place.count - entry.titleLength
    return Self.ranges(of: Set(places.map { $0 - offset }), in: entry.title)
  }

  /// Returns character places as UTF-16 ranges, adjacent ones merged. A scalar of the title can have several
  /// normalized characters, or none.
  private static func ranges(of places: Set<Int>, in title: String) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var (offset, place) = (0, 0)
    for scalar in title.unicodeScalars.prefix(maximumLength) {
      let end = offset + (scalar.value > 0xFFFF ? 2 : 1)
      var isFound = false
      var isMark = true
      SearchedCharacter.fold(scalar, behind: nil) { _ in
        isFound = isFound || places.contains(place)
        isMark = false
        place += 1
      }
      if isMark { isFound = ranges.last?.upperBound == offset }
      if isFound {
        if let last = ranges.last, last.upperBound == offset {
          ranges[ranges.count - 1] = last.lowerBound..<end
        } else {
          ranges.append(offset..<end)
        }
      }
      offset = end
    }
    return ranges
  }
}

/// The relation of a query to a title, beyond matching some of its words (S9).
enum TitleShare: Int, Comparable, Sendable {
  case other
  case beginning
  case whole

  static func < (left: TitleShare, right: TitleShare) -> Bool { left.rawValue < right.rawValue }
}

extension SearchIndex {
  /// The matches of a query.
  struct Found {
    /// The number of all matches.
    let total: Int
    /// The requested matches, best first.
    let hits: [Hit]
  }

  /// Finds the commands that match a query.
  func find(_ query: CommandQuery, bonuses: [CommandID: Int]) -> Found {
    var matcher = TextMatcher()
    let words = SearchedWord.words(of: query)
    var best = BestHits(limit: query.offset + query.limit, isQuery: !words.isEmpty)
    var gained = Array(repeating: 0, count: bonuses.isEmpty ? 0 : entries.count)
    for (command, bonus) in bonuses {
      if let position = positions[command] { gained[position] = bonus }
    }
    for position in entries.indices where isFound(position, by: query) {
      guard var hit = hit(of: words, at: position, &matcher) else { continue }
      hit.share = share(of: query, at: position)
      if words.count > 1, isPhrase(query, at: position) { hit.score += Self.phrase }
      if !gained.isEmpty { hit.score += gained[position] }
      best.add(hit, in: self)
    }
    return Found(total: best.total, hits: Array(best.take(in: self).dropFirst(query.offset)))
  }

  private func isFound(_ position: Int, by query: CommandQuery) -> Bool {
    !entries[position].isHidden && entries[position].titleLength > 0
      && (entries[position].isEnabled || query.includesDisabled)
  }

  /// The score of a character in a word found among the other words (S8), or with a typo (S3).
  private static let otherWord = 8

  /// The score of words that are adjacent in the title, as typed (S9).
  private static let phrase = 8

  /// Returns a hit with the total score of all words; nil if one is not found.
  private func hit(of words: [SearchedWord], at position: Int, _ matcher: inout TextMatcher) -> Hit?
  {
    let entry = entries[position]
    // A cheap test of all words precedes matching.
    guard words.allSatisfy({ $0.mayBeFound(in: entry) }) else { return nil }
    let text = characters[entry.place]
    var hit = Hit(index: position)
    for word in words {
      if word.isWithin(entry.scalars), let score = matcher.score(of: word.scalars, in: text) {
        hit.score += score
      } else if word.isWithin(entry.words.scalars), self.words.has(word.scalars, at: entry.words) {
        hit.score += Self.otherWord * word.scalars.count
        hit.isByTitle = false
      } else if word.mayBeMistyped(in: entry), let meant = word.meant(in: text) {
        let isInTitle = text[meant.place.lowerBound].isInTitle
        hit.score += (isInTitle ? Self.otherWord : Self.otherWord / 2) * word.scalars.count
        hit.typos += 1
      } else {
        return nil
      }
    }
    return hit
  }

  /// Returns the characters of the title.
  func title(of entry: Entry) -> ArraySlice<SearchedCharacter> {
    characters[entry.place].suffix(entry.titleLength)
  }

  private func share(of query: CommandQuery, at position: Int) -> TitleShare {
    let title = title(of: entries[position])
    guard !query.text.isEmpty, title.starts(with: query.text, by: { $0.scalar == $1 }) else {
      return .other
    }
    return title.count == query.text.count ? .whole : .beginning
  }

  /// True if the words are adjacent in the title, as typed.
  private func isPhrase(_ query: CommandQuery, at position: Int) -> Bool {
    let title = title(of: entries[position])
    let last = title.endIndex - query.text.count
    guard title.startIndex <= last else { return false }
    return (title.startIndex...last).contains { start in
      title[start...].starts(with: query.text, by: { $0.scalar == $1 })
    }
  }
}
