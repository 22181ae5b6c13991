/// Values by the bytes that they were read from, so that equal bytes give one value in memory.
///
/// It holds at most `maximumBytes` of such bytes; before it would hold more it begins anew.
struct SharedValues<Value> {
  private var values: [ArraySlice<UInt8>: Value] = [:]
  private var byteCount = 0
  /// The value found or added last. Sessions of one application mostly have the same one.
  private var last: (bytes: ArraySlice<UInt8>, value: Value)?

  private let maximumBytes = 8 << 20

  /// The value that was read from these bytes; nil when there is none.
  mutating func value(of bytes: ArraySlice<UInt8>) -> Value? {
    if let last, last.bytes == bytes { return last.value }
    guard let index = values.index(forKey: bytes) else { return nil }
    last = (values[index].key, values[index].value)
    return values[index].value
  }

  /// Adds the value that was read from these bytes.
  mutating func insert(_ value: Value, for bytes: ArraySlice<UInt8>) {
    if byteCount + bytes.count > maximumBytes { (values, byteCount) = ([:], 0) }
    let key = Self.copy(bytes)
    values[key] = value
    byteCount += key.count
    last = (key, value)
  }

  /// The bytes alone, not as a part of the whole that they were read from.
  private static func copy(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    Array(bytes)[...]
  }
}
