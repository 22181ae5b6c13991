extension JSON {
  /// The value as compact UTF-8 text, members in their order.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return bytes
  }

  /// The value as text; the default is without white space.
  public func text(_ layout: JSONWriter.Layout = .compact) -> String {
    var writer = JSONWriter(layout: layout)
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Appends the value's compact text to `bytes`.
  public func write(into bytes: inout [UInt8]) {
    var writer = JSONWriter(appendingTo: bytes)
    bytes = []  // So that the writer's bytes are the only ones, and grow in place.
    writer.value(self)
    bytes = writer.bytes
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact text.
  public var description: String { text() }
}

extension JSONWriter {
  /// Writes a whole value.
  public mutating func value(_ json: JSON) {
    switch json {
    case .null: null()
    case .bool(let bool): value(bool)
    case .int(let int): value(int)
    case .double(let double): value(double)
    case .string(let string): value(string)
    case .array(let elements):
      beginArray()
      for element in elements { value(element) }
      endArray()
    case .object(let object): value(object)
    }
  }

  /// Writes an object.
  public mutating func value(_ object: JSONObject) {
    beginObject()
    for member in object.members {
      self.member(member.name)
      value(member.value)
    }
    endObject()
  }

  /// Writes a member with a string.
  public mutating func member(_ name: String, _ string: String) {
    member(name)
    value(string)
  }

  /// Writes a member with true or false.
  public mutating func member(_ name: String, _ bool: Bool) {
    member(name)
    value(bool)
  }

  /// Writes a member with an integer.
  public mutating func member(_ name: String, _ int: Int) {
    member(name)
    value(int)
  }

  /// Writes a member with a whole value.
  public mutating func member(_ name: String, _ json: JSON) {
    member(name)
    value(json)
  }
}
