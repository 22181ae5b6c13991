/// Writes one JSON text member by member, without a tree of values.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.member("title", "Rotate Left")
///     writer.member("enabled", true)
///     writer.endObject()
///     writer.bytes                  // {"title":"Rotate Left","enabled":true}
///
/// The writer sets commas, quotes and line breaks; that names and values alternate and that
/// every beginning has its end is up to the caller.
public struct JSONWriter: Sendable {
  /// The layout of a text.
  public enum Layout: Sendable {
    /// Without any white space.
    case compact
    /// One element or member a line, indented by two spaces a level, for people.
    case pretty
  }

  /// The bytes written so far.
  public private(set) var bytes: [UInt8]
  private let isPretty: Bool
  private var needsComma = false
  private var followsName = false
  private var depth = 0

  /// A writer that appends to `bytes`, which are left as they are.
  public init(appendingTo bytes: [UInt8] = [], layout: Layout = .compact) {
    self.bytes = bytes
    isPretty = layout == .pretty
  }

  /// Makes room for `count` bytes altogether.
  public mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

  /// Opens an object, whose members follow.
  public mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Closes the innermost object.
  public mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Opens an array, whose elements follow.
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Closes the innermost array.
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Writes a member's name; its value must follow.
  public mutating func member(_ name: String) {
    separate()
    bytes.appendQuoted(name, then: UInt8(ascii: ":"))
    if isPretty { bytes.append(UInt8(ascii: " ")) }
    needsComma = false
    followsName = true
  }

  /// Writes null.
  public mutating func null() { token("null") }

  /// Writes true or false.
  public mutating func value(_ bool: Bool) { token(bool ? "true" : "false") }

  /// Writes a string.
  public mutating func value(_ string: String) {
    separate()
    bytes.appendQuoted(string)
  }

  /// Writes an integer.
  public mutating func value(_ int: Int64) {
    separate()
    bytes.appendDecimal(int)
  }

  /// Writes an integer.
  public mutating func value(_ int: Int) { value(Int64(int)) }

  /// Writes the shortest decimal that reads back as this double, and as a double; a double that
  /// is not finite, which JSON cannot say, is written as null.
  public mutating func value(_ double: Double) {
    token(double.isFinite ? double.description : "null")
  }

  /// Inserts a text that is one whole JSON value already, or several elements with commas between
  /// them; it is not looked at.
  public mutating func value(encoded text: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: text)
  }

  /// Inserts a text that is one whole JSON value already, or several elements with commas between
  /// them; it is not looked at.
  public mutating func value(encoded text: ArraySlice<UInt8>) {
    separate()
    bytes.append(contentsOf: text)
  }

  /// Inserts texts that are one whole JSON value together; they are not looked at.
  ///
  /// - Parameters:
  ///   - first: The text that the first part of each is from.
  ///   - second: The text that the second part of each is from, and so on.
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

  /// Sets what belongs between the last thing written and the next.
  @inline(__always)
  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    if isPretty, !followsName, depth > 0 { breakLine() }
    needsComma = true
    followsName = false
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * max(depth, 0)))
  }
}
