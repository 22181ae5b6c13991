extension JSON {
  /// True if arrays and objects are nested at most `depth` deep, and the value's size, which is
  /// the number of values in it and the UTF-8 bytes of its strings and names, is at most `size`.
  ///
  /// The text of a value is never shorter than its size. Parts that are shared count as
  /// often as they occur, as they would be written. Looks no deeper and no further than asked.
  public func fits(depth: Int, size: Int) -> Bool {
    var size = size
    return spend(depth: depth, size: &size) == .fits
  }

  /// The result of measuring.
  package enum Fit {
    case fits
    case tooDeep
    case tooLarge
  }

  /// Takes the value's size off `size`, as far as it fits.
  package func spend(depth: Int, size: inout Int) -> Fit {
    size -= 1
    switch self {
    case .null, .bool, .int, .double: break
    case .string(let string): size -= string.utf8.count
    case .array(let elements):
      guard depth > 0 else { return .tooDeep }
      for element in elements {
        let fit = element.spend(depth: depth - 1, size: &size)
        guard fit == .fits else { return fit }
      }
    case .object(let object):
      guard depth > 0 else { return .tooDeep }
      for member in object {
        size -= member.name.utf8.count
        let fit = member.value.spend(depth: depth - 1, size: &size)
        guard fit == .fits else { return fit }
      }
    }
    return size >= 0 ? .fits : .tooLarge
  }
}
