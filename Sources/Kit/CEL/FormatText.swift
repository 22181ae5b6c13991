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

  /// The entries in the order of their written keys.
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
  /// The steps that writing the text takes, besides what its length costs.
  var textCost: Int {
    switch self {
    case .double, .timestamp, .duration, .ip, .cidr: 20
    case .null, .bool, .int, .uint, .string, .bytes, .list, .map, .optional, .type: 1
    }
  }

  /// The text that `%s` writes of values without parts.
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

/// The bytes as UTF-8, where one replacement character stands for each row of what is none.
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
