extension JSON {
  /// The value at `pointer`, or nil when there is none.
  ///
  /// Array indices are decimal without leading zeros; `-` names no element that exists.
  public subscript(pointer: JSONPointer) -> JSON? { value(at: pointer) }

  /// The value at `pointer`, or nil when there is none.
  public func value(at pointer: JSONPointer) -> JSON? {
    var value = self
    for token in pointer.tokens {
      guard let child = value.child(token) else { return nil }
      value = child
    }
    return value
  }

  /// The member or element that a token names.
  func child(_ token: String) -> JSON? {
    switch self {
    case .object(let object): return object[token]
    case .array(let elements):
      guard let index = token.arrayIndex, elements.indices.contains(index) else { return nil }
      return elements[index]
    case .null, .bool, .int, .double, .string: return nil
    }
  }
}

extension String {
  /// The array index that the token is by RFC 6901 (4): digits without a leading zero.
  ///
  /// One that is larger than an `Int` is larger than every array: `Int.max`.
  var arrayIndex: Int? {
    let digits = utf8
    guard let first = digits.first, first != UInt8(ascii: "0") || digits.count == 1,
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Int(self) ?? .max
  }
}
