/// The functions of the strings extension that have to do with offsets, all in code points.
extension Function {
  static let stringOffsets = [
    Function(name: "charAt", styles: [.member], body: .binary(charAt)),
    Function(name: "substring", styles: [.member], body: .binary(suffix)),
    Function(name: "substring", styles: [.member], body: .variadic(3, substring)),
    Function(name: "indexOf", styles: [.member], body: .binary(indexOf)),
    Function(name: "indexOf", styles: [.member], body: .variadic(3, indexOfAfter)),
    Function(name: "lastIndexOf", styles: [.member], body: .binary(lastIndexOf)),
    Function(name: "lastIndexOf", styles: [.member], body: .variadic(3, lastIndexOfBefore)),
  ]

  private static func charAt(
    _ text: Value, at offset: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = text, case .int(let offset) = offset else {
      throw .noSuchOverload("charAt", [text.type, offset.type])
    }
    try meter.charge(bytes: text.utf8.count)
    let start = try text.byteOffset(offset)
    guard start < text.utf8.count else { return .string("") }
    return .string(text.slice(start, try text.byteOffset(offset + 1)))
  }

  private static func suffix(
    of text: Value, from start: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = text, case .int(let start) = start else {
      throw .noSuchOverload("substring", [text.type, start.type])
    }
    try meter.charge(bytes: text.utf8.count)
    let first = try text.byteOffset(start)
    try meter.produce(bytes: text.utf8.count - first)
    return .string(text.slice(first, text.utf8.count))
  }

  private static func substring(
    _ arguments: [Value], _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = arguments[0], case .int(let start) = arguments[1],
      case .int(let end) = arguments[2]
    else { throw .noSuchOverload("substring", arguments.map(\.type)) }
    try meter.charge(bytes: text.utf8.count)
    let first = try text.byteOffset(start)
    let last = try text.byteOffset(end)
    guard start <= end else { throw .argument(.range(start, end)) }
    try meter.produce(bytes: last - first)
    return .string(text.slice(first, last))
  }

  private static func indexOf(
    in text: Value, _ part: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = text, case .string(let part) = part else {
      throw .noSuchOverload("indexOf", [text.type, part.type])
    }
    return try first(part, in: text, from: 0, &meter)
  }

  private static func indexOfAfter(
    _ arguments: [Value], _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = arguments[0], case .string(let part) = arguments[1],
      case .int(let start) = arguments[2]
    else { throw .noSuchOverload("indexOf", arguments.map(\.type)) }
    return try first(part, in: text, from: start, &meter)
  }

  private static func first(
    _ part: String, in text: String, from start: Int64, _ meter: inout Meter
  ) throws(Failure) -> Value {
    try meter.charge(bytes: text.utf8.count + part.utf8.count)
    let first = try text.byteOffset(start)
    let found = ByteSearch(part.utf8.span).first(in: text.utf8.span, from: first)
    return .int(found.map { Int64(text.codePoints(inFirst: $0)) } ?? -1)
  }

  private static func lastIndexOf(
    in text: Value, _ part: Value, _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = text, case .string(let part) = part else {
      throw .noSuchOverload("lastIndexOf", [text.type, part.type])
    }
    try meter.charge(bytes: 2 * (text.utf8.count + part.utf8.count))
    return last(part, in: text, upTo: text.utf8.count)
  }

  private static func lastIndexOfBefore(
    _ arguments: [Value], _ meter: inout Meter
  ) throws(Failure) -> Value {
    guard case .string(let text) = arguments[0], case .string(let part) = arguments[1],
      case .int(let start) = arguments[2]
    else { throw .noSuchOverload("lastIndexOf", arguments.map(\.type)) }
    try meter.charge(bytes: 2 * (text.utf8.count + part.utf8.count))
    return last(part, in: text, upTo: try text.byteOffset(start))
  }

  /// The last occurrence that begins at `start` or before it: the first one in the reverse.
  private static func last(_ part: String, in text: String, upTo start: Int) -> Value {
    let end = min(text.utf8.count, start + part.utf8.count)
    let reversed = Array(text.utf8.prefix(end).reversed())
    let found = ByteSearch(part.utf8.reversed()).first(in: reversed.span)
    let offset = found.map { end - $0 - part.utf8.count }
    return .int(offset.map { Int64(text.codePoints(inFirst: $0)) } ?? -1)
  }
}
