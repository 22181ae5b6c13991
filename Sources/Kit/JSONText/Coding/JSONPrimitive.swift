/// The types that are JSON values themselves, distinguished without casting.
enum JSONPrimitive {
  /// Returns the encoding of a value of one of these types; nil for other types.
  ///
  /// - Throws: `JSONCodingFault` for a number that JSON cannot hold.
  static func json<Value>(
    of value: Value, at place: @autoclosure () -> CodingPlace
  ) throws(JSONCodingFault) -> JSON? {
    if Value.self == String.self { return (value as? String).map(JSON.string) }
    if Value.self == JSON.self { return value as? JSON }
    if Value.self == Int.self { return (value as? Int).map { .int(Int64($0)) } }
    if Value.self == Bool.self { return (value as? Bool).map(JSON.bool) }
    if Value.self == JSONObject.self { return (value as? JSONObject).map(JSON.object) }
    if Value.self == Int64.self { return (value as? Int64).map(JSON.int) }
    if Value.self == Double.self { return try (value as? Double).map(finite(at: place())) }
    if Value.self == Float.self {
      return try (value as? Float).map { (float) throws(JSONCodingFault) in
        try finite(at: place())(Double(float))
      }
    }
    if Value.self == UInt64.self { return try exact(value as? UInt64, place()) }
    if Value.self == UInt.self { return try exact(value as? UInt, place()) }
    if Value.self == UInt8.self { return try exact(value as? UInt8, place()) }
    if Value.self == Int32.self { return try exact(value as? Int32, place()) }
    if Value.self == UInt32.self { return try exact(value as? UInt32, place()) }
    if Value.self == Int16.self { return try exact(value as? Int16, place()) }
    if Value.self == UInt16.self { return try exact(value as? UInt16, place()) }
    if Value.self == Int8.self { return try exact(value as? Int8, place()) }
    return nil
  }

  private static func finite(
    at place: CodingPlace
  ) -> (Double) throws(JSONCodingFault) -> JSON {
    { (double) throws(JSONCodingFault) in
      guard double.isFinite else { throw JSONCodingFault(.inexact(double.description), at: place) }
      return .double(double)
    }
  }

  private static func exact(
    _ value: (some BinaryInteger)?, _ place: CodingPlace
  ) throws(JSONCodingFault) -> JSON? {
    guard let value else { return nil }
    guard let int = Int64(exactly: value) else {
      throw JSONCodingFault(.inexact("\(value)"), at: place)
    }
    return .int(int)
  }
}

extension JSONPrimitive {
  /// Returns the value of one of these types; nil for other types.
  ///
  /// - Throws: `JSONCodingFault` if the value is missing or of another kind.
  static func value<Value>(
    _ type: Value.Type, from json: JSON?, at place: @autoclosure () -> CodingPlace
  ) throws(JSONCodingFault) -> Value? {
    if type == String.self { return try string(json, place()) as? Value }
    if type == JSON.self { return try present(json, place()) as? Value }
    if type == Int.self { return try integer(json, place()) as Int as? Value }
    if type == Bool.self { return try bool(json, place()) as? Value }
    if type == JSONObject.self { return try object(json, place()) as? Value }
    if type == Int64.self { return try integer(json, place()) as Int64 as? Value }
    if type == Double.self { return try number(json, place()) as? Value }
    if type == Float.self { return try float(json, place()) as? Value }
    if type == UInt64.self { return try integer(json, place()) as UInt64 as? Value }
    if type == UInt.self { return try integer(json, place()) as UInt as? Value }
    if type == UInt8.self { return try integer(json, place()) as UInt8 as? Value }
    if type == Int32.self { return try integer(json, place()) as Int32 as? Value }
    if type == UInt32.self { return try integer(json, place()) as UInt32 as? Value }
    if type == Int16.self { return try integer(json, place()) as Int16 as? Value }
    if type == UInt16.self { return try integer(json, place()) as UInt16 as? Value }
    if type == Int8.self { return try integer(json, place()) as Int8 as? Value }
    return nil
  }

  private static func present(
    _ json: JSON?, _ place: @autoclosure () -> CodingPlace
  ) throws(JSONCodingFault) -> JSON {
    guard let json else { throw JSONCodingFault(.missing, at: place()) }
    return json
  }

  private static func string(
    _ json: JSON?, _ place: @autoclosure () -> CodingPlace
  ) throws(JSONCodingFault) -> String {
    if case .string(let string)? = json { return string }
    throw try expected(.string, found: json, at: place())
  }

  /// Returns a Boolean; an absent one is false.
  private static func bool(
    _ json: JSON?, _ place: @autoclosure () -> CodingPlace
  ) throws(JSONCodingFault) -> Bool {
    guard let json else { return false }
    if case .bool(let bool) = json { return bool }
    throw try expected(.bool, found: json, at: place())
  }

  private static func object(
    _ json: JSON?, _ place: @autoclosure () -> CodingPlace
  ) throws(JSONCodingFault) -> JSONObject {
    if case .object(let object)? = json { return object }
    throw try expected(.object, found: json, at: place())
  }

  private static func integer<Integer: FixedWidthInteger>(
    _ json: JSON?, _ place: @autoclosure () -> CodingPlace
  ) throws(JSONCodingFault) -> Integer {
    guard case .int(let int)? = json else {
      throw try expected(.integer, found: json, at: place())
    }
    guard let integer = Integer(exactly: int) else {
      throw JSONCodingFault(.inexact("\(int)"), at: place())
    }
    return integer
  }

  private static func number(
    _ json: JSON?, _ place: @autoclosure () -> CodingPlace
  ) throws(JSONCodingFault) -> Double {
    switch json {
    case .double(let double): return double
    case .int(let int):
      guard let double = Double(exactly: int) else {
        throw JSONCodingFault(.inexact("\(int)"), at: place())
      }
      return double
    case .null, .bool, .string, .array, .object, nil:
      throw try expected(.number, found: json, at: place())
    }
  }

  private static func float(
    _ json: JSON?, _ place: @autoclosure () -> CodingPlace
  ) throws(JSONCodingFault) -> Float {
    let double = try number(json, place())
    guard let float = Float(exactly: double) else {
      throw JSONCodingFault(.inexact("\(double)"), at: place())
    }
    return float
  }

  private static func expected(
    _ kind: JSONCodingFault.Kind, found json: JSON?, at place: @autoclosure () -> CodingPlace
  ) throws(JSONCodingFault) -> JSONCodingFault {
    JSONCodingFault(.expected(kind, found: try present(json, place()).kind), at: place())
  }
}
