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

  init(decoding text: Substring.UTF8View) throws(Refusal) {
    var items: [(name: String, value: String)] = []
    for piece in text.split(separator: UInt8(ascii: "&")) {
      let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
      let name = try PercentDecoding.text(piece[..<equals], spaces: true)
      let value = try PercentDecoding.text(piece[equals...].dropFirst(), spaces: true)
      items.append((name, value))
    }
    self.items = items
  }
}
