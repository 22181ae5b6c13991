/// `join`, `split` and `replace`.
extension Function {
  static let stringLists = [
    Function(
      name: "join", styles: [.member],
      body: .unary({ (list, meter) throws(Failure) in try join([list], &meter) })),
    Function(
      name: "join", styles: [.member],
      body: .binary({ (list, separator, meter) throws(Failure) in
        try join([list, separator], &meter)
      })),
    Function(
      name: "split", styles: [.member],
      body: .binary({ (text, separator, meter) throws(Failure) in
        try split([text, separator], &meter)
      })),
    Function(name: "split", styles: [.member], body: .variadic(3, split)),
    Function(name: "replace", styles: [.member], body: .variadic(3, replace)),
    Function(name: "replace", styles: [.member], body: .variadic(4, replace)),
  ]

  private static func join(_ arguments: [Value], _ meter: inout Meter) throws(Failure) -> Value {
    guard case .list(let list) = arguments[0],
      case .string(let separator) = arguments.count > 1 ? arguments[1] : .string("")
    else { throw .noSuchOverload("join", arguments.map(\.type)) }
    var joined = ""
    for position in 0..<list.count {
      guard case .string(let part)? = list[position] else {
        throw .noSuchOverload("join", [.list] + (list[position].map { [$0.type] } ?? []))
      }
      let before = position > 0 ? separator : ""
      let added = before.utf8.count + part.utf8.count
      try meter.produce(bytes: joined.utf8.count + added, growingBy: added)
      joined += before
      joined += part
    }
    return .string(joined)
  }

  /// At most so many parts as the limit says, where the last one is the rest; a negative limit is
  /// none. Nothing as a separator splits between all code points.
  private static func split(_ arguments: [Value], _ meter: inout Meter) throws(Failure) -> Value {
    guard case .string(let text) = arguments[0], case .string(let separator) = arguments[1],
      case .int(let limit) = arguments.count > 2 ? arguments[2] : .int(-1)
    else { throw .noSuchOverload("split", arguments.map(\.type)) }
    guard limit != 0 else { return .list(.values([])) }
    try meter.charge(4)
    try meter.charge(bytes: text.utf8.count + separator.utf8.count)
    let most = limit < 0 ? Int.max : Int(limit) - 1
    // One more than is allowed tells that there are too many.
    let cuts = text.occurrences(
      of: separator, limit: min(most, meter.limits.maximumElements), betweenCodePoints: true)
    try meter.produce(elements: cuts.count + 1)
    if text.isEmpty, separator.isEmpty { return .list(.values([])) }
    return .list(.values(text.parts(between: cuts, separator.utf8.count).map { .string($0) }))
  }

  /// At most so many replacements as the limit says; a negative limit is none. Nothing is found
  /// before, between and after all code points.
  private static func replace(_ arguments: [Value], _ meter: inout Meter) throws(Failure) -> Value {
    guard case .string(let text) = arguments[0], case .string(let old) = arguments[1],
      case .string(let new) = arguments[2],
      case .int(let limit) = arguments.count > 3 ? arguments[3] : .int(-1)
    else { throw .noSuchOverload("replace", arguments.map(\.type)) }
    try meter.charge(4)
    try meter.charge(bytes: text.utf8.count + old.utf8.count)
    let most = limit < 0 ? Int.max : Int(limit)
    let cuts = text.occurrences(of: old, limit: most, betweenCodePoints: false)
    try meter.charge(cuts.count)
    let (added, isTooLong) = cuts.count.multipliedReportingOverflow(by: new.utf8.count)
    try meter.produce(
      bytes: isTooLong ? .max : added + text.utf8.count - cuts.count * old.utf8.count)
    return .string(text.replacing(cuts, old.utf8.count, with: new))
  }
}

extension String {
  /// The offsets in bytes where `part` occurs; nothing occurs at every code point, and unless only
  /// what is between two of them counts, at both ends too.
  fileprivate func occurrences(
    of part: String, limit: Int, betweenCodePoints: Bool
  ) -> [Int] {
    guard part.isEmpty else {
      return ByteSearch(part.utf8.span).all(in: utf8.span, limit: limit)
    }
    let text = utf8.span
    var offsets: [Int] = []
    for position in (betweenCodePoints ? 1 : 0)..<max(text.count, 1)
    where position < text.count && text[position] & 0xC0 != 0x80 && offsets.count < limit {
      offsets.append(position)
    }
    if !betweenCodePoints, offsets.count < limit { offsets.append(text.count) }
    return offsets
  }

  /// The string with other text in place of cuts of so many bytes.
  fileprivate func replacing(_ cuts: [Int], _ length: Int, with new: String) -> String {
    let text = utf8.span
    var bytes: [UInt8] = []
    var start = 0
    for cut in cuts {
      for position in start..<cut { bytes.append(text[position]) }
      bytes += new.utf8
      start = cut + length
    }
    for position in start..<text.count { bytes.append(text[position]) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the parts between cuts of that many bytes.
  fileprivate func parts(between cuts: [Int], _ length: Int) -> [String] {
    var start = 0
    var parts: [String] = []
    parts.reserveCapacity(cuts.count + 1)
    for cut in cuts {
      parts.append(slice(start, cut))
      start = cut + length
    }
    parts.append(slice(start, utf8.count))
    return parts
  }
}
