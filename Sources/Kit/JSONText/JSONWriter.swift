/// Writes one JSON text member by member, without a tree of values.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.member("title", "Rotate Left")
///     writer.member("enabled", true)
///     writer.endObject()
///     writer.bytes                  // {"title":"Rotate Left","enabled":true}
///
/// The writer adds commas, quotes and line breaks; the caller must alternate names and values and close every
/// container.
public struct JSONWriter: Sendable {
  /// The layout of a text.
  public enum Layout: Sendable {
    /// Without white space.
    case compact
    /// One element or member per line, indented by two spaces per level, for people.
    case pretty
  }

  /// The bytes written so far.
  public private(set) var bytes: [UInt8]
  private let isPretty: Bool
  private var needsComma = false
  private var followsName = false
  private var depth = 0

  /// Creates a writer that appends to `bytes`.
  public init(appendingTo bytes: [UInt8] = [], layout: Layout = .compact) {
    self.bytes = bytes
    isPretty = layout == .pretty
  }

  /// Reserves capacity for `count` bytes in total.
  public mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

  /// Opens an object.
  public mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Closes the innermost object.
  public mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Opens an array.
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Closes the innermost array.
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes a member's name; its value must follow.
  public mutating func member(_ name: String) {
    bytes.appendQuoted(name, after: separator(), then: UInt8(ascii: ":"))
    if isPretty { bytes.append(UInt8(ascii: " ")) }
    needsComma = false
    followsName = true
  }

  /// Writes null.
  public mutating func null() { token("null") }

  /// Writes a Boolean.
  public mutating func value(_ bool: Bool) { token(bool ? "true" : "false") }

  /// Writes a string.
  public mutating func value(_ string: String) {
    bytes.appendQuoted(string, after: separator())
  }

  /// Writes a place, as a string.
  public mutating func value(_ pointer: JSONPointer) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    for token in pointer.tokens {
      let start = bytes.count
      bytes.appendQuoted(JSONPointer.escaped(token))
      // A slash stands for the first quote, and nothing for the second one.
      bytes[start] = UInt8(ascii: "/")
      bytes.removeLast()
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes an integer.
  public mutating func value(_ int: Int64) {
    separate()
    bytes.appendDecimal(int)
  }

  /// Writes an integer.
  public mutating func value(_ int: Int) { value(Int64(int)) }

  /// Writes the shortest decimal that reads back as the same double; a double that is not finite, which JSON
  /// cannot represent, becomes null.
  public mutating func value(_ double: Double) {
    token(double.isFinite ? double.description : "null")
  }

  /// Inserts the text of one JSON value, or of several elements separated by commas, unchecked.
  public mutating func value(encoded text: [UInt8]) {
    separate()
    bytes.append(contentsOf: text)
  }

  /// Inserts the text of one JSON value, or of several elements separated by commas, unchecked.
  public mutating func value(encoded text: ArraySlice<UInt8>) {
    separate()
    bytes.append(contentsOf: text)
  }

  /// Inserts texts that together are one JSON value, unchecked.
  ///
  /// - Parameters:
  ///   - first: The source of the first part of each text.
  ///   - second: The source of the second part, and so on.
  public mutating func value(
    encoded texts: [JoinedText], first: Span<UInt8>, second: Span<UInt8>, third: Span<UInt8>,
    fourth: Span<UInt8>
  ) {
    separate()
    bytes.append(
      texts, first: first, second: second, third: third, fourth: fourth, endingEachWith: nil)
  }

  private mutating func token(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
    depth += 1
  }

  private mutating func end(_ bracket: UInt8) {
    depth -= 1
    if needsComma { breakLine() }
    bytes.append(bracket)
    needsComma = true
  }

  /// Writes the separator before the next part.
  @inline(__always)
  private mutating func separate() {
    if let comma = separator() { bytes.append(comma) }
  }

  /// Returns the comma to write before the next part. A pretty writer writes it here, with the line break, and
  /// returns nil.
  @inline(__always)
  private mutating func separator() -> UInt8? {
    defer { (needsComma, followsName) = (true, false) }
    let comma = needsComma ? UInt8(ascii: ",") : nil
    guard isPretty else { return comma }
    if let comma { bytes.append(comma) }
    if !followsName, depth > 0 { breakLine() }
    return nil
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * max(depth, 0)))
  }
}

extension JSON {
  /// The value as compact UTF-8 text, members in order.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return bytes
  }

  /// Returns the value as text; the default is without white space.
  public func text(_ layout: JSONWriter.Layout = .compact) -> String {
    var writer = JSONWriter(layout: layout)
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Appends the value's compact text to `bytes`.
  public func write(into bytes: inout [UInt8]) {
    var writer = JSONWriter(appendingTo: bytes)
    bytes = []  // So that the writer's bytes are the only ones, and grow in place.
    writer.value(self)
    bytes = writer.bytes
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact text.
  public var description: String { text() }
}

extension JSONWriter {
  /// Writes a whole value.
  public mutating func value(_ json: JSON) {
    switch json {
    case .null: null()
    case .bool(let bool): value(bool)
    case .int(let int): value(int)
    case .double(let double): value(double)
    case .string(let string): value(string)
    case .array(let elements):
      beginArray()
      for element in elements { value(element) }
      endArray()
    case .object(let object): value(object)
    }
  }

  /// Writes an object.
  public mutating func value(_ object: JSONObject) {
    beginObject()
    // By index: a loop over the array would copy each member.
    let members = object.members.span
    for index in members.indices {
      member(members[index].name)
      value(members[index].value)
    }
    endObject()
  }

  /// Writes a member with a string.
  public mutating func member(_ name: String, _ string: String) {
    member(name)
    value(string)
  }

  /// Writes a member with a place.
  public mutating func member(_ name: String, _ pointer: JSONPointer) {
    member(name)
    value(pointer)
  }

  /// Writes a member with a Boolean.
  public mutating func member(_ name: String, _ bool: Bool) {
    member(name)
    value(bool)
  }

  /// Writes a member with an integer.
  public mutating func member(_ name: String, _ int: Int) {
    member(name)
    value(int)
  }

  /// Writes a member with a JSON value.
  public mutating func member(_ name: String, _ json: JSON) {
    member(name)
    value(json)
  }
}

// The text of strings and integers.

extension [UInt8] {
  /// Appends `prefix`, `string` in double quotes, with only the required escapes, and then `suffix`.
  mutating func appendQuoted(
    _ string: String, after prefix: UInt8? = nil, then suffix: UInt8? = nil
  ) {
    let source = string.utf8.span
    var isPlain = true
    append(addingCapacity: source.count + 4) { output in
      // There is room for the prefix, the quotes, every byte of the string, and the suffix.
      unsafe output.withUnsafeMutableBufferPointer { target, filled in
        guard let room = target.baseAddress else { return }
        let place = unsafe room + filled + (prefix == nil ? 1 : 2)
        isPlain = unsafe source.copyPlain(to: UnsafeMutableRawPointer(place))
        // Otherwise none of it counts.
        guard isPlain else { return }
        if let prefix { unsafe write(prefix, to: target, at: &filled) }
        unsafe write(UInt8(ascii: "\""), to: target, at: &filled)
        filled &+= source.count
        unsafe write(UInt8(ascii: "\""), to: target, at: &filled)
        if let suffix { unsafe write(suffix, to: target, at: &filled) }
      }
    }
    if !isPlain {
      if let prefix { append(prefix) }
      appendEscaped(source, then: suffix)
    }
  }

  /// Appends a string in double quotes, and then `suffix`. Runs without escapes are copied at once.
  private mutating func appendEscaped(_ source: Span<UInt8>, then suffix: UInt8?) {
    let plain = source.endOfPlainBytes(from: 0)
    append(addingCapacity: source.escapedSize(after: plain) + 3) { output in
      // There is room for the quotes, every byte of the escaped string, and the suffix.
      unsafe output.withUnsafeMutableBufferPointer { target, filled in
        unsafe write(UInt8(ascii: "\""), to: target, at: &filled)
        var (start, end) = (0, plain)
        while true {
          unsafe copy(source.extracting(start..<end), to: target, at: &filled)
          if end == source.count { break }
          unsafe target.write(EscapedByte(source[end]), at: &filled)
          start = end + 1
          end = source.endOfPlainBytes(from: start)
        }
        unsafe write(UInt8(ascii: "\""), to: target, at: &filled)
        if let suffix { unsafe write(suffix, to: target, at: &filled) }
      }
    }
  }

  /// Appends `int` in decimal.
  mutating func appendDecimal(_ int: Int64) {
    append(addingCapacity: 20) { output in
      if int < 0 { output.append(UInt8(ascii: "-")) }
      var rest = int.magnitude
      var power: UInt64 = 1
      while rest / power >= 10 { power *= 10 }
      while power > 0 {
        output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / power))
        rest %= power
        power /= 10
      }
    }
  }
}

/// A text joined from ranges of four others.
public struct JoinedText: Sendable {
  /// The ranges of the parts, in bytes.
  public var parts: (Range<Int>, Range<Int>, Range<Int>, Range<Int>)

  /// Creates a text from parts, in order.
  public init(
    _ first: Range<Int>, then second: Range<Int>, then third: Range<Int>, then fourth: Range<Int>
  ) {
    parts = (first, second, third, fourth)
  }

  /// The number of bytes.
  public var count: Int { parts.0.count + parts.1.count + parts.2.count + parts.3.count }
}

extension [UInt8] {
  /// Appends texts, each followed by `last` if given, reserving capacity once.
  ///
  /// - Parameters:
  ///   - first: The source of the first part of each text.
  ///   - second: The source of the second part, and so on.
  public mutating func append(
    _ texts: [JoinedText], first: Span<UInt8>, second: Span<UInt8>, third: Span<UInt8>,
    fourth: Span<UInt8>, endingEachWith last: UInt8?
  ) {
    // Otherwise the standard library writes a count of zero into the storage shared by all empty arrays.
    guard !texts.isEmpty else { return }
    append(addingCapacity: texts.reduce(0) { $0 + $1.count + 1 }) { output in
      unsafe output.withUnsafeMutableBufferPointer { target, filled in
        for text in texts {
          unsafe copy(first.extracting(text.parts.0), to: target, at: &filled)
          unsafe copy(second.extracting(text.parts.1), to: target, at: &filled)
          unsafe copy(third.extracting(text.parts.2), to: target, at: &filled)
          unsafe copy(fourth.extracting(text.parts.3), to: target, at: &filled)
          if let last { unsafe write(last, to: target, at: &filled) }
        }
      }
    }
  }
}

/// Writes a byte; the caller has reserved the room.
@inline(__always)
private func write(
  _ byte: UInt8, to target: UnsafeMutableBufferPointer<UInt8>, at place: inout Int
) {
  unsafe target[place] = byte
  place &+= 1
}

/// Copies bytes; the caller has reserved the room.
@inline(__always)
private func copy(
  _ source: Span<UInt8>, to target: UnsafeMutableBufferPointer<UInt8>, at place: inout Int
) {
  guard !source.isEmpty, let room = target.baseAddress else { return }
  unsafe source.withUnsafeBufferPointer { bytes in
    if let start = bytes.baseAddress {
      unsafe (room + place).update(from: start, count: bytes.count)
    }
  }
  place += source.count
}
