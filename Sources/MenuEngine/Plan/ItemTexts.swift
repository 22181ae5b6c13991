import CEL
import JSONText

/// The written texts of a plan's items, so that each is written once per change.
///
/// The texts of a whole answer are stored in the answer's bytes, which are shared. Rewritten items are stored
/// separately until the next whole answer includes them. An answer costs the items that changed and one copy of
/// its bytes.
struct ItemTexts: Sendable {
  private var whole: [UInt8] = []
  /// The offset of the first item in `whole`.
  private var base = 0
  /// The offset of each item after `base`, plus one for the end. Items are separated by a comma. An empty item
  /// was never written.
  private var starts: [Int]

  /// The rewritten texts, each followed by a comma.
  private var fresh: [UInt8] = []
  /// The offset in `fresh` of each rewritten item; -1 for others.
  private var freshStarts: [Int]
  private var freshCounts: [Int]
  /// The rewritten items.
  private var freshItems: [Int] = []

  /// Creates empty texts for a number of items.
  init(count: Int) {
    starts = Array(repeating: 0, count: count + 1)
    freshStarts = Array(repeating: -1, count: count)
    freshCounts = Array(repeating: 0, count: count)
  }

  /// The approximate size in bytes.
  var size: Int {
    whole.count + fresh.count + 3 * starts.count * MemoryLayout<Int>.stride
  }

  /// Returns an estimate of the length of the texts of items, or of all, with commas.
  func length(of items: [Int?]?) -> Int {
    guard let items else { return (starts.last ?? 0) + fresh.count }
    return items.reduce(0) { $0 + ($1.map { text(of: $0).count } ?? 128) + 1 }
  }

  /// Adds texts and returns the offset of the first; they follow each other, separated by a comma.
  mutating func add(
    _ texts: [JoinedText], first: Span<UInt8>, second: Span<UInt8>, third: Span<UInt8>,
    fourth: Span<UInt8>
  ) -> Int {
    defer {
      fresh.append(
        texts, first: first, second: second, third: third, fourth: fourth,
        endingEachWith: UInt8(ascii: ","))
    }
    return fresh.count
  }

  /// Adds a text and returns its offset.
  mutating func add(_ text: [UInt8]) -> Int {
    defer { fresh += text + CollectionOfOne(UInt8(ascii: ",")) }
    return fresh.count
  }

  /// True if the text of an item equals an added one.
  func isText(of item: Int, sameAs added: Range<Int>) -> Bool {
    let text = fresh.span.extracting(added)
    let start = freshStarts[item]
    if start >= 0 {
      return fresh.span.extracting(start..<start + freshCounts[item]).hasSameBytes(as: text)
    }
    let end = starts[item + 1]
    guard starts[item] < end else { return text.isEmpty }
    return whole.span.extracting(base + starts[item]..<base + end - 1).hasSameBytes(as: text)
  }

  /// Replaces the text of an item by an added one.
  mutating func replace(_ item: Int, by added: Range<Int>) {
    if freshStarts[item] < 0 { freshItems.append(item) }
    freshStarts[item] = added.lowerBound
    freshCounts[item] = added.count
  }

  /// Returns the text of an item; empty if it was never written.
  func text(of item: Int) -> ArraySlice<UInt8> {
    let start = freshStarts[item]
    if start >= 0 { return fresh[start..<start + freshCounts[item]] }
    return whole(from: starts[item], to: starts[item + 1])
  }

  /// Returns the text of the whole answer from one item up to another, without the final comma.
  private func whole(from start: Int, to end: Int) -> ArraySlice<UInt8> {
    start < end ? whole[base + start..<base + end - 1] : []
  }

  /// Returns the range of an item's members, without brackets, in the whole answer or in the rewritten texts.
  func members(of item: Int) -> (whole: Range<Int>, fresh: Range<Int>) {
    let start = freshStarts[item]
    if start >= 0 { return (0..<0, start + 1..<start + freshCounts[item] - 1) }
    return (base + starts[item] + 1..<base + starts[item + 1] - 2, 0..<0)
  }

  /// Copies texts whose second parts are in the whole answer and whose third parts are in the rewritten texts.
  func copy(
    _ texts: [JoinedText], between first: Span<UInt8>, and fourth: Span<UInt8>,
    to writer: inout JSONWriter
  ) {
    writer.value(
      encoded: texts, first: first, second: whole.span, third: fresh.span, fourth: fourth)
  }

  func copy(_ item: Int, to writer: inout JSONWriter) { writer.value(encoded: text(of: item)) }

  /// Copies the texts of all items, separated by commas. Unchanged items between rewritten ones are copied at
  /// once.
  mutating func copyAll(to writer: inout JSONWriter) {
    freshItems.sort()
    var start = 0
    var index = 0
    while index < freshItems.count {
      let item = freshItems[index]
      copy(from: start, to: starts[item], to: &writer)
      // Adjacent items rewritten in sequence are copied at once.
      var last = index
      while last + 1 < freshItems.count, follows(freshItems[last + 1], freshItems[last]) {
        last += 1
      }
      let end = freshItems[last]
      writer.value(encoded: fresh[freshStarts[item]..<freshStarts[end] + freshCounts[end]])
      start = starts[end + 1]
      index = last + 1
    }
    copy(from: start, to: starts[starts.count - 1], to: &writer)
  }

  /// True if an item follows another in both the answer and the rewritten texts.
  private func follows(_ item: Int, _ other: Int) -> Bool {
    item == other + 1 && freshStarts[item] == freshStarts[other] + freshCounts[other] + 1
  }

  private func copy(from start: Int, to end: Int, to writer: inout JSONWriter) {
    if start < end { writer.value(encoded: whole(from: start, to: end)) }
  }

  /// Takes over an answer that contains all items, from `base` on.
  mutating func adopt(_ answer: [UInt8], from base: Int) {
    var shift = 0
    for (index, item) in freshItems.enumerated() {
      let old = starts[item + 1] - (starts[item] - shift)
      shift += freshCounts[item] + 1 - old
      let next = index + 1 < freshItems.count ? freshItems[index + 1] : starts.count - 1
      if shift != 0 {
        for position in item + 1...next { starts[position] += shift }
      }
    }
    (whole, self.base) = (answer, base)
    forgetFresh()
  }

  private mutating func forgetFresh() {
    for item in freshItems { freshStarts[item] = -1 }
    freshItems.removeAll(keepingCapacity: true)
    fresh.removeAll(keepingCapacity: fresh.capacity <= 2 * whole.count)
  }

  /// True if much of the kept text has been replaced.
  var isWasteful: Bool { fresh.count > 4096 + 2 * whole.count }

  /// Drops replaced texts.
  mutating func condense() {
    var texts: [UInt8] = []
    var starts = [0]
    for item in freshStarts.indices {
      let text = text(of: item)
      if !text.isEmpty { texts += text + CollectionOfOne(UInt8(ascii: ",")) }
      starts.append(texts.count)
    }
    (whole, base, self.starts) = (texts, 0, starts)
    forgetFresh()
  }
}
