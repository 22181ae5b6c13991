import JSONText

/// The part of a title that a query is, as far as it is more than some of its words (S9).
enum TitleShare: Int, Comparable, Sendable {
  case other
  case beginning
  case whole

  static func < (left: TitleShare, right: TitleShare) -> Bool { left.rawValue < right.rawValue }
}

extension SearchIndex {
  /// The commands that a query finds.
  struct Found {
    /// The number of all of them.
    let total: Int
    /// Those that it wants, the best first.
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

  /// The points of a character of a word that is found among other words only (S8), or with a mistake (S3).
  private static let otherWord = 8

  /// The points of several words that stand in the title as they are typed (S9).
  private static let phrase = 8

  /// Returns a command with the points of all words; nil if one is not found.
  private func hit(of words: [SearchedWord], at position: Int, _ matcher: inout TextMatcher) -> Hit?
  {
    let entry = entries[position]
    // All words are looked at before any is matched, which takes longer.
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

  /// The characters of the title.
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

  /// True if the words stand in the title next to each other, as they are typed.
  private func isPhrase(_ query: CommandQuery, at position: Int) -> Bool {
    let title = title(of: entries[position])
    let last = title.endIndex - query.text.count
    guard title.startIndex <= last else { return false }
    return (title.startIndex...last).contains { start in
      title[start...].starts(with: query.text, by: { $0.scalar == $1 })
    }
  }
}
