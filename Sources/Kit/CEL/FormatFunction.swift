extension Function {
  /// `format` of the strings extension.
  static let formats = [
    Function(
      name: "format", styles: [.member],
      body: .binary({ (format, arguments, meter) throws(Failure) in
        guard case .string(let text) = format, case .list(let list) = arguments else {
          throw .noSuchOverload("format", [format.type, arguments.type])
        }
        try meter.charge(bytes: text.utf8.count)
        var formatter = Formatter(text, list)
        return .string(try formatter.formatted(&meter))
      }))
  ]
}

/// Reads a format, `%[.precision]verb` among other text, and writes what it makes of its arguments.
private struct Formatter {
  typealias Failure = EvaluationFault.Reason

  private var cursor: ByteCursor
  private let arguments: ListValue
  private var used = 0
  private var output = FormatOutput()

  init(_ format: String, _ arguments: ListValue) {
    cursor = ByteCursor(format)
    self.arguments = arguments
  }

  mutating func formatted(_ meter: inout Meter) throws(Failure) -> String {
    while !cursor.isAtEnd {
      try output.append(cursor.bytes(until: { $0 == UInt8(ascii: "%") }), &meter)
      if cursor.accept("%") { try clause(&meter) }
    }
    return String(decoding: output.bytes, as: UTF8.self)
  }

  private mutating func clause(_ meter: inout Meter) throws(Failure) {
    if cursor.accept("%") { return try output.append("%", &meter) }
    let precision = try precision()
    guard !cursor.isAtEnd else { throw .argument(.formatEnd) }
    guard let verb = FormatVerb(rawValue: Character(Unicode.Scalar(cursor.next))) else {
      let found = cursor.bytes(until: { _ in false })
      let scalar = String(decoding: found, as: UTF8.self).unicodeScalars.prefix(1)
      throw .argument(.formatVerb(String(scalar)))
    }
    cursor.advance()
    guard let argument = arguments[used] else {
      throw .argument(.formatArgument(used, count: arguments.count))
    }
    used += 1
    try output.append(argument, as: FormatClause(verb: verb, precision: precision), &meter)
  }

  private mutating func precision() throws(Failure) -> Int {
    guard cursor.accept(".") else { return 6 }
    guard let precision = cursor.digits(1...9), precision <= Self.greatestPrecision else {
      throw .argument(cursor.isAtEnd ? .formatEnd : .formatPrecision(limit: Self.greatestPrecision))
    }
    return precision
  }

  private static let greatestPrecision = 1000
}
