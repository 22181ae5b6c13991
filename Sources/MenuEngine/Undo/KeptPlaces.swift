import JSONText

/// The places that undoing leaves as they are, since something unregistered has changed them (U4).
struct KeptPlaces {
  /// The places in the order in which they were met, each once; no more than `Limits.keptPlaces`.
  private(set) var listed: [JSONPointer] = []
  private var reaches: Set<JSONPointer> = []
  /// The places that lead to these.
  private var ways: Set<JSONPointer> = []

  /// Notes an edit that is not made.
  mutating func note(_ edit: JSONEdit) {
    list(edit.place)
    guard reaches.insert(edit.reach).inserted else { return }
    let tokens = edit.reach.tokens
    for count in tokens.indices { ways.insert(JSONPointer(Array(tokens[..<count]))) }
  }

  /// Lists a place, without any effect on others.
  mutating func list(_ place: JSONPointer) {
    guard listed.count < Limits.keptPlaces, !listed.contains(place) else { return }
    listed.append(place)
  }

  /// True if a place is one of them, below one, or above one.
  func overlap(_ place: JSONPointer) -> Bool {
    guard !reaches.isEmpty else { return false }
    if ways.contains(place) { return true }
    return (0...place.tokens.count).contains { count in
      reaches.contains(JSONPointer(Array(place.tokens[..<count])))
    }
  }
}
