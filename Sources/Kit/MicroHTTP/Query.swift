/// The names and values of a query, in their order.
///
/// A `+` is a space, as in forms; a `+` itself is sent as `%2B`. A name without `=` has an empty
/// value, and empty pieces (`a&&b`) are nothing.
package struct Query: Sendable {
  package let items: [(name: String, value: String)]

  /// The value of the first item with that name, or nil.
  package subscript(name: String) -> String? {
    items.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// The values of all items with that name, in their order.
  package func values(of name: String) -> [String] {
    items.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
  }
}

extension Query {
  static let empty = Query(items: [])

  init(decoding text: Span<UInt8>) throws(RequestRefusal) {
    var items: [(name: String, value: String)] = []
    var start = 0
    while start < text.count {
      let end = text.firstIndex(of: UInt8(ascii: "&"), from: start)
      if end > start { items.append(try Self.item(text.extracting(start..<end))) }
      start = end + 1
    }
    self.items = items
  }

  private static func item(
    _ piece: Span<UInt8>
  ) throws(RequestRefusal) -> (name: String, value: String) {
    let equals = piece.firstIndex(of: UInt8(ascii: "="), from: 0)
    let value = piece.extracting(min(equals + 1, piece.count)..<piece.count)
    return (
      try PercentDecoding.text(piece.extracting(0..<equals), spaces: true),
      try PercentDecoding.text(value, spaces: true)
    )
  }
}
