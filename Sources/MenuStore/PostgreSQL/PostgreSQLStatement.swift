/// A prepared statement with its values, or the text of a statement without values.
struct PostgreSQLStatement: Sendable {
  let name: String
  let values: [PostgreSQLValue]
  let isPrepared: Bool

  init(_ name: String, _ values: [PostgreSQLValue] = []) {
    self.name = name
    self.values = values
    isPrepared = true
  }

  private init(text: String) {
    name = text
    values = []
    isPrepared = false
  }

  static let begin = PostgreSQLStatement(text: "BEGIN")
  /// Begins to read everything as it is at one moment.
  static let beginSnapshot = PostgreSQLStatement(
    text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  static let commit = PostgreSQLStatement(text: "COMMIT")
}

enum PostgreSQLValue: Equatable, Sendable {
  /// A `bigint`, or a `timestamptz` as microseconds.
  case int(Int64)
  case text(String)
  /// A `bytea`, or a `uuid`.
  case bytes([UInt8])
  /// An array of each.
  case ints([Int64])
  case texts([String])
  case byteses([[UInt8]])
}

/// The values of a statement in the library's binary format.
struct PostgreSQLParameters {
  private(set) var bytes: [UInt8] = []
  private(set) var starts: [Int] = []
  private(set) var lengths: [Int32] = []

  init(_ values: [PostgreSQLValue]) {
    for value in values {
      starts.append(bytes.count)
      switch value {
      case .int(let int): append(int)
      case .text(let text): bytes += text.utf8
      case .bytes(let value): bytes += value
      case .ints(let values):
        beginArray(of: 20, count: values.count)
        for value in values {
          append(Int32(8))
          append(value)
        }
      case .texts(let values):
        beginArray(of: 25, count: values.count)
        for value in values { append(counted: value.utf8) }
      case .byteses(let values):
        beginArray(of: 17, count: values.count)
        for value in values { append(counted: value) }
      }
      lengths.append(Int32(clamping: bytes.count - (starts.last ?? 0)))
    }
    // The pointer of an empty value must not be null.
    bytes.append(0)
  }

  /// Appends an integer, the highest byte first.
  private mutating func append(_ integer: some FixedWidthInteger & SignedInteger) {
    for shift in stride(from: integer.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: integer >> Int64(shift)))
    }
  }

  private mutating func append(counted value: some Collection<UInt8>) {
    append(Int32(clamping: value.count))
    bytes += value
  }

  /// Appends the beginning of an array: dimensions, no nulls, type, length, and first index.
  private mutating func beginArray(of type: Int32, count: Int) {
    append(Int32(count == 0 ? 0 : 1))
    append(Int32(0))
    append(type)
    guard count > 0 else { return }
    append(Int32(clamping: count))
    append(Int32(1))
  }
}
