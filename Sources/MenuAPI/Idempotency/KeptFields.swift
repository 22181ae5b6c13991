import JSONText

/// The fields of an answer that is kept, as bytes.
struct KeptFields {
  /// The fields in their order.
  let fields: [(name: String, value: String)]
  /// The place for a token, if the answer has one.
  let token: TokenPlace?

  /// The place for a token in the body, and the parts that it is made of.
  struct TokenPlace {
    let offset: Int
    let salt: String
  }

  /// The fields as JSON.
  var bytes: [UInt8] {
    let fields = fields.map { JSON.array([.string($0.name), .string($0.value)]) }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("fields", .array(fields))
    if let token {
      writer.member("tokenOffset", token.offset)
      writer.member("tokenSalt", token.salt)
    }
    writer.endObject()
    return writer.bytes
  }
}

extension KeptFields {
  /// The fields that such bytes say; nil when they are none.
  init?(_ bytes: [UInt8]) {
    guard case .object(let object)? = try? JSON(parsing: bytes),
      case .array(let fields)? = object["fields"]
    else { return nil }
    self.fields = fields.compactMap { field in
      guard case .array(let pair) = field, pair.count == 2, case .string(let name) = pair[0],
        case .string(let value) = pair[1]
      else { return nil }
      return (name, value)
    }
    if case .int(let offset)? = object["tokenOffset"], let offset = Int(exactly: offset),
      case .string(let salt)? = object["tokenSalt"]
    {
      token = TokenPlace(offset: offset, salt: salt)
    } else {
      token = nil
    }
  }
}
