import JSONText

/// The way in which a format wants an argument to be written.
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

/// A part of a format that stands for an argument, `%[.precision]verb`.
struct FormatClause {
  let verb: FormatVerb
  /// The number of digits behind the point, where the verb writes them.
  let precision: Int
}

/// The text that a format has produced, by the strings extension of cel-spec.
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

  /// For `%f` and `%e`, which take the names of what is no finite number as strings too.
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

  /// Compared by bytes: as a pattern of the `switch` each name would be normalised.
  private static func isNumberName(_ text: String) -> Bool {
    ["NaN", "Infinity", "-Infinity"].contains(where: text.hasSameBytes(as:))
  }

  /// The steps that it takes to make all digits of a number: a double with a great exponent has
  /// hundreds of them.
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
