extension SearchIndex {
  /// Returns the parts of the title of a command that match a query, in units of UTF-16.
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

  /// The ranges of characters in units of UTF-16, neighbours as one. A scalar of the title can be several characters,
  /// or none.
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
