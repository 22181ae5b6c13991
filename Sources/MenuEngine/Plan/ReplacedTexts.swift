import JSONText

/// The texts that items had at some time, of those that changed since.
struct ReplacedTexts: Sendable {
  private var bytes: [UInt8] = []
  private var places: [(item: Int, range: Range<Int>)] = []

  /// About the number of bytes that they take.
  var size: Int { bytes.count + places.count * 24 }

  /// Adds the text of an item that none was added of.
  mutating func append(_ text: ArraySlice<UInt8>, of item: Int) {
    let start = bytes.count
    bytes += text
    places.append((item, start..<bytes.count))
  }

  /// Returns the items whose texts are other ones now, in ascending order.
  func items(differingIn texts: ItemTexts) -> [Int] {
    places.filter { !texts.isText(of: $0.item, bytes.span.extracting($0.range)) }
      .map(\.item).sorted()
  }
}
