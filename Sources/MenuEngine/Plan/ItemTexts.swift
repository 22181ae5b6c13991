import JSONText

/// The items of a plan as they were written last, so that they are written once for each change.
///
/// The texts of one whole answer stand in its own bytes, which are shared with it. Items that are
/// written anew stand by themselves until the next whole answer takes them in, so that an answer takes
/// as long as what is new in it, and one copy of its bytes.
struct ItemTexts: Sendable {
  private var whole: [UInt8] = []
  /// Where in `whole` the first item begins.
  private var base = 0
  /// Where each item begins behind that, with a comma between two; and where one more would. An item
  /// that takes no room was never written.
  private var starts: [Int]

  private var fresh: [UInt8] = []
  /// Where in `fresh` an item stands that was written anew.
  private var freshPlaces: [Range<Int>?]
  /// The items that were written anew.
  private var freshItems: [Int] = []

  /// No texts yet, of so many items.
  init(count: Int) {
    starts = Array(repeating: 0, count: count + 1)
    freshPlaces = Array(repeating: nil, count: count)
  }

  /// How many bytes are kept.
  var size: Int {
    whole.count + fresh.count + starts.count * MemoryLayout<Int>.stride
      + freshPlaces.count * MemoryLayout<Range<Int>?>.stride
  }

  /// How long the texts of items may be, or of all, with commas between them.
  func length(of items: [Int?]?) -> Int {
    guard let items else { return (starts.last ?? 0) + fresh.count + freshItems.count }
    return items.reduce(0) { $0 + ($1.map { text(of: $0).count } ?? 128) + 1 }
  }

  /// Replaces the text of an item; false if it is the same.
  mutating func replace(_ item: Int, with text: [UInt8]) -> Bool {
    guard self.text(of: item) != text[...] else { return false }
    if freshPlaces[item] == nil { freshItems.append(item) }
    freshPlaces[item] = fresh.count..<fresh.count + text.count
    fresh += text
    return true
  }

  private func text(of item: Int) -> ArraySlice<UInt8> {
    if let place = freshPlaces[item] { return fresh[place] }
    return whole(from: starts[item], to: starts[item + 1])
  }

  /// Returns the text of the whole answer from one item to before another, without the comma.
  private func whole(from start: Int, to end: Int) -> ArraySlice<UInt8> {
    start < end ? whole[base + start..<base + end - 1] : []
  }

  /// Copies the text of an item.
  func copy(_ item: Int, to writer: inout JSONWriter) { writer.value(encoded: text(of: item)) }

  /// Copies the texts of all items with commas between them: what is new, and at once what stands between.
  mutating func copyAll(to writer: inout JSONWriter) {
    freshItems.sort()
    var start = 0
    for item in freshItems {
      copy(from: start, to: starts[item], to: &writer)
      writer.value(encoded: text(of: item))
      start = starts[item + 1]
    }
    copy(from: start, to: starts[starts.count - 1], to: &writer)
  }

  private func copy(from start: Int, to end: Int, to writer: inout JSONWriter) {
    if start < end { writer.value(encoded: whole(from: start, to: end)) }
  }

  /// Takes in an answer in which all items were copied, beginning at `base`.
  mutating func adopt(_ answer: [UInt8], from base: Int) {
    var shift = 0
    for (index, item) in freshItems.enumerated() {
      let old = starts[item + 1] - (starts[item] - shift)
      shift += text(of: item).count + 1 - old
      let next = index + 1 < freshItems.count ? freshItems[index + 1] : starts.count - 1
      if shift != 0 {
        for position in item + 1...next { starts[position] += shift }
      }
    }
    (whole, self.base) = (answer, base)
    forgetFresh()
  }

  private mutating func forgetFresh() {
    for item in freshItems { freshPlaces[item] = nil }
    freshItems.removeAll(keepingCapacity: true)
    fresh = []
  }

  /// True if much of what is kept was replaced by something newer.
  var isWasteful: Bool { fresh.count > 4096 + 2 * whole.count }

  /// Forgets what was replaced.
  mutating func condense() {
    var texts: [UInt8] = []
    var starts = [0]
    for item in freshPlaces.indices {
      let text = text(of: item)
      if !text.isEmpty { texts += text + CollectionOfOne(UInt8(ascii: ",")) }
      starts.append(texts.count)
    }
    (whole, base, self.starts) = (texts, 0, starts)
    forgetFresh()
  }
}
