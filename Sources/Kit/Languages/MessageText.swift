/// A text with places for values: `{count} of {total}`. Doubled braces stand for themselves.
package struct MessageText: Equatable, Sendable {
  /// A part of the text.
  package enum Part: Equatable, Sendable {
    case text(String)
    /// A place for the value of a name.
    case name(String)
  }

  /// The parts in order.
  package let parts: [Part]

  /// Reads a text. A brace that begins no name stands for itself.
  package init(_ source: String) {
    var parts: [Part] = []
    var text: [UInt8] = []
    var rest = Array(source.utf8)[...]
    func finish() {
      if !text.isEmpty { parts.append(.text(String(decoding: text, as: UTF8.self))) }
      text = []
    }
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    while let byte = rest.popFirst() {
      if byte == open || byte == close, rest.first == byte {
        rest.removeFirst()
      } else if byte == open, let name = Self.name(rest) {
        finish()
        parts.append(.name(name))
        rest = rest.dropFirst(name.utf8.count + 1)
        continue
      }
      text.append(byte)
    }
    finish()
    self.parts = parts
  }

  /// The names, in the order of their first places.
  package var names: [String] {
    parts.reduce(into: []) { names, part in
      if case .name(let name) = part, !names.contains(name) { names.append(name) }
    }
  }

  /// Returns the text with values in the places of their names; the place of another name stays as it is written.
  package func text(naming values: [String: String]) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .name(let name): values[name] ?? "{\(name)}"
      }
    }.joined()
  }

  /// The maximum number of bytes of a name.
  private static let longestName = 64

  /// Returns the name at the beginning, behind which the brace closes; nil for none.
  private static func name(_ rest: ArraySlice<UInt8>) -> String? {
    let name = rest.prefix(longestName + 1).prefix(while: \.isInName)
    guard let first = name.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
      name.endIndex < rest.endIndex, rest[name.endIndex] == UInt8(ascii: "}")
    else { return nil }
    return String(decoding: name, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isInName: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
