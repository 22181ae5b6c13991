public import JSONText

/// The readers of plain values; each notes a fault and answers nil when the value is not one.
public enum Read {
  /// Any value.
  public static func any(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> JSON? { json }

  /// A string.
  public static func string(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> String? {
    if case .string(let string) = json { return string }
    return refuse(.string, json, at: pointer, log: log)
  }

  /// The name of a client that claims deliveries.
  public static func claimerName(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> String? {
    if case .string(let string) = json, string.utf8.count <= Limits.claimerName { return string }
    return refuse(.stringUpTo(Limits.claimerName), json, at: pointer, log: log)
  }

  /// The name of a session that is opened: an identifier that an address can have as a segment.
  public static func sessionName(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> SessionID? {
    guard let id: SessionID = identifier(json, at: pointer, log: log) else { return nil }
    return id.isAddressable ? id : refuse(.sessionName, json, at: pointer, log: log)
  }

  /// A boolean.
  public static func bool(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Bool? {
    if case .bool(let bool) = json { return bool }
    return refuse(.bool, json, at: pointer, log: log)
  }

  /// An integer from 0.
  public static func count(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Int? {
    if case .int(let int) = json, let count = Int(exactly: int), count >= 0 { return count }
    return refuse(.integer, json, at: pointer, log: log)
  }

  /// An object.
  public static func object(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> JSONObject? {
    if case .object(let object) = json { return object }
    return refuse(.object, json, at: pointer, log: log)
  }

  /// An identifier of whatever is wanted.
  public static func identifier<Subject>(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Identifier<Subject>? {
    if case .string(let text) = json, let identifier = Identifier<Subject>(text) {
      return identifier
    }
    return refuse(.identifier, json, at: pointer, log: log)
  }

  /// A selector.
  public static func selector(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Selector? {
    if case .string(let text) = json, let selector = Selector(text) { return selector }
    return refuse(.selector, json, at: pointer, log: log)
  }

  /// One of the words of an enumeration.
  public static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Word? {
    if case .string(let text) = json,
      let word = Word.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) })
    {
      return word
    }
    return refuse(.oneOf(Word.allCases.map(\.rawValue)), json, at: pointer, log: log)
  }

  /// The elements of an array, or nil when it is none or one of them is at fault.
  public static func list<Element>(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog,
    of read: (JSON, JSONPointer, FaultLog) -> Element?
  ) -> [Element]? {
    guard case .array(let elements) = json else {
      return refuse(.array, json, at: pointer, log: log)
    }
    let values = elements.enumerated().map { read($1, pointer.appending($0), log) }
    let sound = values.compactMap { $0 }
    return sound.count == values.count ? sound : nil
  }

  /// Notes that something else was expected.
  public static func refuse<Value>(
    _ expectation: DocumentFault.Expectation, _ json: JSON, at pointer: JSONPointer,
    log: FaultLog
  ) -> Value? {
    log.note(.expected(expectation, found: json), at: pointer)
    return nil
  }
}

extension Read {
  /// A JSON Pointer (RFC 6901).
  public static func pointer(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> JSONPointer? {
    if case .string(let text) = json, let parsed = try? JSONPointer(parsing: text) {
      return parsed
    }
    return refuse(.pointer, json, at: pointer, log: log)
  }
}
