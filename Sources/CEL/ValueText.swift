/// A value as the language writes it, for messages and explanations.
extension Value: CustomStringConvertible {
  /// The literal whose value this is, shortened when it is long.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .int(let int): String(int)
    case .uint(let uint): "\(uint)u"
    case .double(let double): double.description
    case .string(let string): quoted(string.unicodeScalars)
    case .bytes(let bytes): "b" + quoted(bytes.lazy.map { Unicode.Scalar($0) })
    case .list(let list): list.description
    case .map(let map): map.description
    case .type(let type): type.rawValue
    }
  }
}

extension ListValue: CustomStringConvertible {
  /// The literal whose value this is, with at most ten elements.
  public var description: String {
    let shown = (0..<min(count, 10)).compactMap { self[$0]?.description }
    return "[" + (shown + (count > 10 ? ["…"] : [])).joined(separator: ", ") + "]"
  }
}

extension MapValue: CustomStringConvertible {
  /// The literal whose value this is, with at most ten entries.
  public var description: String {
    let shown = (0..<min(count, 10)).map { entry(at: $0) }.map { "\($0.key): \($0.value)" }
    return "{" + (shown + (count > 10 ? ["…"] : [])).joined(separator: ", ") + "}"
  }
}

/// `scalars` in double quotes with what is not printable escaped, at most 100 of them.
private func quoted(_ scalars: some Sequence<Unicode.Scalar>) -> String {
  var text = "\""
  for (position, scalar) in scalars.enumerated() {
    guard position < 100 else { return text + "…\"" }
    text += escaped(scalar)
  }
  return text + "\""
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\"": "\\\""
  case "\\": "\\\\"
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
    "\\x" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
  default: String(Character(scalar))
  }
}
