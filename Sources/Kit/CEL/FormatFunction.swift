import JSONText

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

/// Interprets a format, `%[.precision]verb` in other text, and writes its arguments.
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

/// The representation of an argument.
enum FormatVerb: Character {
  case string = "s"
  case decimal = "d"
  case fixed = "f"
  case scientific = "e"
  case binary = "b"
  case octal = "o"
  case hexadecimal = "x"
  case upperHexadecimal = "X"
}

/// A clause for an argument, `%[.precision]verb`.
struct FormatClause {
  let verb: FormatVerb
  /// The number of decimals, where the verb uses it.
  let precision: Int
}

/// The output of a format (strings extension of cel-spec).
struct FormatOutput {
  typealias Failure = EvaluationFault.Reason

  private(set) var bytes: [UInt8] = []

  mutating func append(_ part: some Collection<UInt8>, _ meter: inout Meter) throws(Failure) {
    try meter.produce(bytes: bytes.count + part.count, growingBy: part.count)
    bytes += part
  }

  mutating func append(_ text: String, _ meter: inout Meter) throws(Failure) {
    try append(text.utf8, &meter)
  }

  mutating func append(
    _ value: Value, as clause: FormatClause, _ meter: inout Meter
  ) throws(Failure) {
    let (verb, precision) = (clause.verb, clause.precision)
    switch verb {
    case .string: try append(value, &meter)
    case .decimal:
      try meter.charge(value.textCost)
      try append(try Self.decimal(value), &meter)
    case .fixed:
      try meter.charge(Self.cost(of: value, precision))
      try append(try Self.real(value, as: verb) { $0.fixed(precision) }, &meter)
    case .scientific:
      try meter.charge(Self.cost(of: value, precision))
      try append(try Self.real(value, as: verb) { $0.scientific(precision) }, &meter)
    case .binary: try append(try Self.integer(value, verb, radix: 2), &meter)
    case .octal: try append(try Self.integer(value, verb, radix: 8), &meter)
    case .hexadecimal, .upperHexadecimal: try appendHexadecimal(value, as: verb, &meter)
    }
  }

  private static func decimal(_ value: Value) throws(Failure) -> String {
    switch value {
    case .int(let int): String(int)
    case .uint(let uint): String(uint)
    case .double(let double): double.positionalText
    default: throw .argument(.formatType(verb: "d", value.type))
    }
  }

  /// Writes `%f` and `%e`, which also accept the names of non-finite numbers as strings.
  private static func real(
    _ value: Value, as verb: FormatVerb, _ text: (DecimalDigits) -> String
  ) throws(Failure) -> String {
    switch value {
    case .int(let int): (int < 0 ? "-" : "") + text(DecimalDigits(int.magnitude))
    case .uint(let uint): text(DecimalDigits(uint))
    case .double(let double) where double.isFinite:
      (double.sign == .minus ? "-" : "") + text(DecimalDigits(magnitudeOf: double))
    case .double(let double): double.shortestText
    case .string(let name) where isNumberName(name): name
    default: throw .argument(.formatType(verb: String(verb.rawValue), value.type))
    }
  }

  /// Compared by bytes: patterns of a `switch` would be normalized.
  private static func isNumberName(_ text: String) -> Bool {
    ["NaN", "Infinity", "-Infinity"].contains(where: text.hasSameBytes(as:))
  }

  /// Returns the steps of writing all digits of a number: a double with a large exponent has hundreds.
  private static func cost(of value: Value, _ precision: Int) -> Int {
    guard case .double(let double) = value, double.isFinite else { return 16 + precision / 4 }
    let exponent = Int(double.exponentBitPattern.distance(to: 1023).magnitude)
    return 16 + exponent / 4 + precision / 4
  }

  private static func integer(
    _ value: Value, _ verb: FormatVerb, radix: Int, uppercase: Bool = false
  ) throws(Failure) -> String {
    switch value {
    case .int(let int): String(int, radix: radix, uppercase: uppercase)
    case .uint(let uint): String(uint, radix: radix, uppercase: uppercase)
    case .bool(let bool) where verb == .binary: bool ? "1" : "0"
    default: throw .argument(.formatType(verb: String(verb.rawValue), value.type))
    }
  }

  private mutating func appendHexadecimal(
    _ value: Value, as verb: FormatVerb, _ meter: inout Meter
  ) throws(Failure) {
    let isUpper = verb == .upperHexadecimal
    switch value {
    case .string(let text): try appendDigits(of: Array(text.utf8), isUpper, &meter)
    case .bytes(let bytes): try appendDigits(of: bytes, isUpper, &meter)
    default:
      try append(try Self.integer(value, verb, radix: 16, uppercase: isUpper), &meter)
    }
  }

  private mutating func appendDigits(
    of part: [UInt8], _ isUpper: Bool, _ meter: inout Meter
  ) throws(Failure) {
    try meter.produce(bytes: bytes.count + 2 * part.count, growingBy: 2 * part.count)
    let digits = Array((isUpper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    bytes.reserveCapacity(bytes.count + 2 * part.count)
    for byte in part {
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}

/// Writes values for `%s`.
extension FormatOutput {
  mutating func append(_ value: Value, _ meter: inout Meter) throws(Failure) {
    switch value {
    case .list(let list): try append(list, &meter)
    case .map(let map): try append(map, &meter)
    case .bytes(let bytes):
      try meter.charge(bytes: 2 * bytes.count)
      try append(repaired(bytes), &meter)
    case .string(let text): try append(text, &meter)
    case .ip, .cidr, .optional: throw .argument(.formatType(verb: "s", value.type))
    case .null, .bool, .int, .uint, .double, .timestamp, .duration, .type:
      try meter.charge(value.textCost)
      try append(value.plainText, &meter)
    }
  }

  private mutating func append(_ list: ListValue, _ meter: inout Meter) throws(Failure) {
    try meter.enter()
    defer { meter.leave() }
    try append("[", &meter)
    for position in 0..<list.count {
      if position > 0 { try append(", ", &meter) }
      if let element = list[position] { try append(element, &meter) }
    }
    try append("]", &meter)
  }

  /// Writes the entries in the order of their written keys.
  private mutating func append(_ map: MapValue, _ meter: inout Meter) throws(Failure) {
    try meter.enter()
    defer { meter.leave() }
    let entries = (0..<map.count).map { map.entry(at: $0) }
    let names = entries.map(\.key.plainText)
    try append("{", &meter)
    for (position, index) in try meter.sorting(names: names).enumerated() {
      if position > 0 { try append(", ", &meter) }
      try append(names[index], &meter)
      try append(": ", &meter)
      try append(entries[index].value, &meter)
    }
    try append("}", &meter)
  }
}

extension Value {
  /// The steps of writing the text, besides its length.
  var textCost: Int {
    switch self {
    case .double, .timestamp, .duration, .ip, .cidr: 20
    case .null, .bool, .int, .uint, .string, .bytes, .list, .map, .optional, .type: 1
    }
  }

  /// The text of `%s` for values without parts.
  var plainText: String {
    switch self {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .int(let int): String(int)
    case .uint(let uint): String(uint)
    case .double(let double): double.positionalText
    case .string(let text): text
    case .timestamp(let time): time.text
    case .duration(let span): span.inSeconds.positionalText + "s"
    case .ip(let address): address.text
    case .cidr(let network): network.text
    case .type(let type): type.rawValue
    case .bytes, .list, .map, .optional: ""
    }
  }
}

/// Decodes UTF-8, with one replacement character for each run of invalid bytes.
private func repaired(_ bytes: [UInt8]) -> [UInt8] {
  var repaired: [UInt8] = []
  var decoder = UTF8()
  var iterator = bytes.makeIterator()
  var isBroken = false
  while true {
    switch decoder.decode(&iterator) {
    case .scalarValue(let scalar):
      repaired += String(scalar).utf8
      isBroken = false
    case .error:
      if !isBroken { repaired += "\u{FFFD}".utf8 }
      isBroken = true
    case .emptyInput: return repaired
    }
  }
}
