import JSONText

/// The titles of a session's commands, laid out to be searched (S).
struct SearchIndex: Sendable {
  /// The number of characters of a title, and of its menus, that are searched.
  static let maximumLength = 200

  /// A command.
  struct Entry: Sendable {
    let command: CommandID
    /// The titles of its menus.
    let menus: [String]
    fileprivate(set) var title = ""
    fileprivate(set) var isEnabled = false
    fileprivate(set) var isHidden = false
    fileprivate(set) var place = 0..<0
    /// The scalars that it has.
    fileprivate(set) var scalars: UInt64 = 0
    /// Those of them that begin a word.
    fileprivate(set) var starts: UInt64 = 0
    fileprivate(set) var titleLength = 0
    /// Its other words (S8).
    fileprivate let words: CommandWords.Place
  }

  /// A command that matches.
  struct Hit: Sendable {
    let index: Int
    let score: Int
    let typos: Int
    /// True if all words of the query are found in the titles, and none in its other words only (S8).
    var isByTitle = true

    /// True if it comes before another one: fewer typos, by title, more points; then the shorter title, then the
    /// one that is first in the alphabet, then the one that stands first in the menus (S5).
    func precedes(_ other: Hit, in index: SearchIndex, isQuery: Bool) -> Bool {
      if typos != other.typos { return typos < other.typos }
      if isByTitle != other.isByTitle { return isByTitle }
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

  /// The commands, those of the main menu first and in its order.
  private(set) var entries: [Entry] = []
  private var positions: [CommandID: Int] = [:]
  private var characters: [SearchedCharacter] = []
  private var words = CommandWords()
  private var liveCount = 0

  /// Nothing to search.
  init() {}

  /// The commands of a catalogue, without their titles.
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

  /// About the number of bytes that it takes.
  var size: Int {
    let titles = entries.reduce(0) { $0 + $1.title.utf8.count }
    return entries.count * (MemoryLayout<Entry>.stride + 2 * MemoryLayout<CommandID>.stride)
      + characters.count * MemoryLayout<SearchedCharacter>.stride + words.size + titles
  }

  /// Takes the items as they are now.
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
    // Titles that were replaced leave gaps.
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
      let folded = SearchedCharacter.folded(scalar)
      characters.append(
        SearchedCharacter(scalar: folded, bonus: kind.bonus(behind: last), isInTitle: isInTitle))
      scalars |= SearchedCharacter.bit(of: folded)
      if kind.bonus(behind: last) >= SearchedCharacter.wordStart {
        starts |= SearchedCharacter.bit(of: folded)
      }
      last = kind
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
  /// Returns the commands that a query finds, the best first, and no more than it wants.
  func best(_ query: CommandQuery, bonuses: [CommandID: Int]) -> [Hit] {
    var matcher = TextMatcher()
    var best = BestHits(limit: query.limit)
    var gained = Array(repeating: 0, count: bonuses.isEmpty ? 0 : entries.count)
    for (command, bonus) in bonuses {
      if let position = positions[command] { gained[position] = bonus }
    }
    var others: [Int] = []
    // The longest word first, which fewest titles have.
    let words = query.words.sorted { $0.count > $1.count }
    let wanted = words.map(Self.scalars)
    let isQuery = !words.isEmpty
    for position in entries.indices where isFound(position, by: query) {
      let bonus = gained.isEmpty ? 0 : gained[position]
      if let score = score(of: words, wanted, at: position, &matcher) {
        best.add(Hit(index: position, score: score + bonus, typos: 0), in: self, isQuery: isQuery)
      } else {
        others.append(position)
      }
    }
    // Those found by other words stand behind these, and those with a typo behind all others, so they are looked
    // for only while there is room (S3, S8).
    guard isQuery, best.hasRoom else { return best.hits }
    others.removeAll { position in
      guard let score = score(orByOtherWords: words, wanted, at: position, &matcher) else {
        return false
      }
      let bonus = gained.isEmpty ? 0 : gained[position]
      let hit = Hit(index: position, score: score + bonus, typos: 0, isByTitle: false)
      best.add(hit, in: self, isQuery: isQuery)
      return true
    }
    guard best.hasRoom else { return best.hits }
    let readings = words.map { query.readings(of: $0).map { ($0, Self.scalars(of: $0)) } }
    guard readings.contains(where: { !$0.isEmpty }) else { return best.hits }
    for position in others {
      guard
        let (score, typos) = score(
          of: words, wanted, orOneOf: readings, at: position, &matcher)
      else { continue }
      let bonus = gained.isEmpty ? 0 : gained[position]
      best.add(Hit(index: position, score: score + bonus, typos: typos), in: self, isQuery: isQuery)
    }
    return best.hits
  }

  private func isFound(_ position: Int, by query: CommandQuery) -> Bool {
    !entries[position].isHidden && entries[position].titleLength > 0
      && (entries[position].isEnabled || query.includesDisabled)
  }

  private static func scalars(of word: [UInt32]) -> UInt64 {
    word.reduce(0) { $0 | SearchedCharacter.bit(of: $1) }
  }

  private func score(
    of words: [[UInt32]], _ wanted: [UInt64], at position: Int, _ matcher: inout TextMatcher
  ) -> Int? {
    let (scalars, place) = (entries[position].scalars, entries[position].place)
    var sum = 0
    for (index, word) in words.enumerated() {
      guard wanted[index] & ~scalars == 0,
        let score = matcher.score(of: word, in: characters[place])
      else { return nil }
      sum += score
    }
    return sum
  }

  /// The points of a character of a word that is found among other words only (S8).
  private static let otherWord = 8

  /// Returns the points of words of which one or more are found among the other words of a command; nil if one is
  /// found nowhere.
  private func score(
    orByOtherWords words: [[UInt32]], _ wanted: [UInt64], at position: Int,
    _ matcher: inout TextMatcher
  ) -> Int? {
    let (scalars, place) = (entries[position].scalars, entries[position].words)
    // All words are looked at before any is matched, which takes longer.
    for (index, word) in words.enumerated() where wanted[index] & ~scalars != 0 {
      guard wanted[index] & ~place.scalars == 0,
        SearchedCharacter.bit(of: word[0]) & place.starts != 0
      else { return nil }
    }
    let text = characters[entries[position].place]
    var sum = 0
    for (index, word) in words.enumerated() {
      if wanted[index] & ~scalars == 0, let score = matcher.score(of: word, in: text) {
        sum += score
      } else if self.words.has(word, at: place) {
        sum += Self.otherWord * word.count
      } else {
        return nil
      }
    }
    return sum
  }

  /// The points that a typo costs beside those of the character that does not match.
  private static let typo = 12

  private func score(
    of words: [[UInt32]], _ wanted: [UInt64], orOneOf readings: [[([UInt32], UInt64)]],
    at position: Int, _ matcher: inout TextMatcher
  ) -> (score: Int, typos: Int)? {
    let (scalars, starts) = (entries[position].scalars, entries[position].starts)
    // What all words need is looked at before any is matched, which takes longer.
    for index in words.indices where wanted[index] & ~scalars != 0 {
      guard SearchedCharacter.bit(of: words[index][0]) & starts != 0,
        readings[index].contains(where: { $0.1 & ~scalars == 0 })
      else { return nil }
    }
    let text = characters[entries[position].place]
    var (sum, typos) = (0, 0)
    for (index, word) in words.enumerated() {
      if wanted[index] & ~scalars == 0, let score = matcher.score(of: word, in: text) {
        sum += score
        continue
      }
      guard SearchedCharacter.bit(of: word[0]) & starts != 0,
        let score = Self.score(ofOneOf: readings[index], among: scalars, in: text, &matcher)
      else { return nil }
      sum += score - Self.typo
      typos += 1
    }
    return (sum, typos)
  }

  /// Returns the points of the first reading of a word that a text with these scalars matches.
  private static func score(
    ofOneOf readings: [([UInt32], UInt64)], among scalars: UInt64,
    in text: ArraySlice<SearchedCharacter>, _ matcher: inout TextMatcher
  ) -> Int? {
    for (reading, wanted) in readings where wanted & ~scalars == 0 {
      if let score = matcher.score(of: reading, in: text) { return score }
    }
    return nil
  }

  /// Returns the parts of the title of a command that match a query, in units of UTF-16.
  func ranges(of hit: Hit, by query: CommandQuery) -> [Range<Int>] {
    let entry = entries[hit.index]
    let text = characters[entry.place]
    var matcher = TextMatcher()
    var places: Set<Int> = []
    for word in query.words {
      var found = word
      if matcher.score(of: word, in: text) == nil {
        guard hit.typos > 0,
          let reading = query.readings(of: word).first(where: {
            matcher.score(of: $0, in: text) != nil
          })
        else { continue }
        found = reading
      }
      places.formUnion(matcher.places(of: found.count, width: text.count))
    }
    let offset = entry.place.count - entry.titleLength
    return Self.ranges(
      of: places.filter { $0 >= offset }.map { $0 - offset }.sorted(), in: entry.title)
  }

  /// The ranges of scalars in units of UTF-16, neighbours as one.
  private static func ranges(of places: [Int], in title: String) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var (offset, next) = (0, places[...])
    for (index, scalar) in title.unicodeScalars.enumerated() {
      guard let place = next.first else { break }
      let end = offset + (scalar.value > 0xFFFF ? 2 : 1)
      if place == index {
        next.removeFirst()
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
