import JSONText

/// The items of a plan as they were written last, so that they are written once for each change.
///
/// The texts of one whole answer stand in its own bytes, which are shared with it. Items that are
/// written anew stand by themselves until the next whole answer takes them in.
struct ItemTexts: Sendable {
  /// Where a text stands.
  struct Place: Sendable {
    fileprivate var start: Int = 0
    fileprivate var count: Int = 0
    fileprivate var isFresh = false
  }

  private var whole: [UInt8] = []
  private var fresh: [UInt8] = []
  private var places: [Place]

  /// No texts yet, of so many items.
  init(count: Int) { places = Array(repeating: Place(), count: count) }

  /// How many bytes are kept.
  var size: Int { whole.count + fresh.count + places.count * MemoryLayout<Place>.stride }

  /// How long the texts of items are, or of all, with commas between them.
  func length(of items: [Int?]?) -> Int {
    guard let items else { return places.reduce(0) { $0 + $1.count + 1 } }
    return items.reduce(0) { $0 + ($1.map { places[$0].count } ?? 128) + 1 }
  }

  /// Writes the text of an item.
  mutating func write(_ item: Int, _ write: (inout JSONWriter) -> Void) {
    let start = fresh.count
    var writer = JSONWriter(appendingTo: fresh)
    fresh = []  // So that the writer's bytes are the only ones, and grow in place.
    write(&writer)
    fresh = writer.bytes
    places[item] = Place(
      start: start, count: fresh.count - start, isFresh: true)
  }

  /// Copies the texts of items in a row, with commas between them; neighbours at once.
  func copy(_ items: some Sequence<Int>, to writer: inout JSONWriter) {
    var run = Place()
    for item in items {
      let next = places[item]
      if next.isFresh == run.isFresh, run.count > 0, next.start == run.start + run.count + 1,
        !next.isFresh
      {
        run.count += next.count + 1
      } else {
        copy(run, to: &writer)
        run = next
      }
    }
    copy(run, to: &writer)
  }

  private func copy(_ run: Place, to writer: inout JSONWriter) {
    guard run.count > 0 else { return }
    let range = run.start..<run.start + run.count
    writer.value(encoded: run.isFresh ? fresh[range] : whole[range])
  }

  /// Takes in an answer in which all items stand in their order, beginning at `start`.
  mutating func adopt(_ answer: [UInt8], from start: Int) {
    var start = start
    for item in places.indices {
      let count = places[item].count
      places[item] = Place(start: start, count: count)
      start += count + 1
    }
    whole = answer
    fresh = []
  }

  /// Whether much of what is kept was replaced by something newer.
  var isWasteful: Bool { fresh.count > 4096 + 2 * whole.count }

  /// Forgets what was replaced.
  mutating func condense() {
    var texts: [UInt8] = []
    for item in places.indices where places[item].count > 0 {
      let place = places[item]
      let range = place.start..<place.start + place.count
      texts.append(contentsOf: place.isFresh ? fresh[range] : whole[range])
      places[item] = Place(
        start: texts.count - place.count, count: place.count)
      texts.append(UInt8(ascii: ","))
    }
    (whole, fresh) = (texts, [])
  }
}
