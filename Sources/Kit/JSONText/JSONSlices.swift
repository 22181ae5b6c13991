/// Finds the members of an object, or the elements of an array, in a text written by `JSONWriter`, without
/// white space.
///
/// For readers that already know parts of a text. The text is checked only as far as needed to find the parts;
/// the caller must parse a part before using it, or know that it equals a parsed one.
public enum JSONSlices {
  /// Returns the members of the object at `offset`: the ranges of each name without quotes, in escaped form,
  /// and of its value. Nil if there is no object, or no end.
  public static func members(
    of bytes: Span<UInt8>, at offset: Int
  ) -> [(name: Range<Int>, value: Range<Int>)]? {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "{") else { return nil }
    var position = offset + 1
    var members: [(name: Range<Int>, value: Range<Int>)] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "}") {
      guard bytes[position] == UInt8(ascii: "\""), let name = end(of: bytes, at: position),
        name < bytes.count,
        bytes[name] == UInt8(ascii: ":"), let value = end(of: bytes, at: name + 1)
      else { return nil }
      members.append(((position + 1)..<(name - 1), (name + 1)..<value))
      guard let next = afterComma(bytes, value) else { return nil }
      position = next
    }
    return position < bytes.count ? members : nil
  }

  /// Returns the elements of the array at `offset`. Nil if there is no array, or no end.
  public static func elements(of bytes: Span<UInt8>, at offset: Int) -> [Range<Int>]? {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "[") else { return nil }
    var position = offset + 1
    var elements: [Range<Int>] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "]") {
      guard let end = end(of: bytes, at: position) else { return nil }
      elements.append(position..<end)
      guard let next = afterComma(bytes, end) else { return nil }
      position = next
    }
    return position < bytes.count ? elements : nil
  }

  /// Returns the start of the second element of the array at `offset`. Nil if there is no array, or no second
  /// element.
  public static func secondElement(of bytes: Span<UInt8>, at offset: Int) -> Int? {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "["),
      let end = end(of: bytes, at: offset + 1), end + 1 < bytes.count,
      bytes[end] == UInt8(ascii: ",")
    else { return nil }
    return end + 1
  }

  /// Returns the position after a comma, or of the closing bracket; nil at the end of the text.
  private static func afterComma(_ bytes: Span<UInt8>, _ position: Int) -> Int? {
    guard position < bytes.count else { return nil }
    return bytes[position] == UInt8(ascii: ",") ? position + 1 : position
  }

  /// Returns the end of the value that begins at `start`, at least one byte later; nil for none.
  private static func end(of bytes: Span<UInt8>, at start: Int) -> Int? {
    var (position, depth) = (start, 0)
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        guard let end = endOfString(bytes, position) else { return nil }
        position = end
        if depth == 0 { return position }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return position > start ? position : nil }
        depth -= 1
        if depth == 0 { return position + 1 }
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        if depth == 0 { return position > start ? position : nil }
      default: break
      }
      position += 1
    }
    return nil
  }

  private static func endOfString(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    var position = start + 1
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""): return position + 1
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return nil
  }
}
