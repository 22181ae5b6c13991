import CEL
package import JSONText

/// Readers of plain values; each returns nil and records a fault for an invalid value.
package enum Read {
  package static func any(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> JSON? { json }

  package static func string(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> String? {
    if case .string(let string) = json { return string }
    return refuse(.string, json, at: pointer, log: log)
  }

  /// Returns a reader of texts of a maximum number of bytes.
  package static func text(
    upTo limit: Int
  ) -> @Sendable (JSON, _ pointer: JSONPointer, FaultLog) -> String? {
    { json, pointer, log in
      if case .string(let text) = json, text.utf8.count <= limit { return text }
      return refuse(.stringUpTo(limit), json, at: pointer, log: log)
    }
  }

  /// Reads a number from 0 to 1.
  package static func fraction(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Double? {
    switch json {
    case .int(let int) where (0...1).contains(int): Double(int)
    case .double(let double) where (0...1).contains(double): double
    default: refuse(.fraction, json, at: pointer, log: log)
    }
  }

  /// Reads the name of a new session: an identifier that can be a path segment of a URL.
  package static func sessionName(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> SessionID? {
    guard let id: SessionID = identifier(json, at: pointer, log: log) else { return nil }
    return id.isAddressable ? id : refuse(.sessionName, json, at: pointer, log: log)
  }

  package static func bool(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Bool? {
    if case .bool(let bool) = json { return bool }
    return refuse(.bool, json, at: pointer, log: log)
  }

  /// Reads an integer, at least 0.
  package static func count(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Int? {
    if case .int(let int) = json, let count = Int(exactly: int), count >= 0 { return count }
    return refuse(.integerFrom(0 ... .max), json, at: pointer, log: log)
  }

  package static func object(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> JSONObject? {
    if case .object(let object) = json { return object }
    return refuse(.object, json, at: pointer, log: log)
  }

  package static func identifier<Subject>(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Identifier<Subject>? {
    if case .string(let text) = json, let identifier = Identifier<Subject>(text) {
      return identifier
    }
    return refuse(.identifier, json, at: pointer, log: log)
  }

  package static func selector(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Selector? {
    if case .string(let text) = json, let selector = Selector(text) { return selector }
    return refuse(.selector, json, at: pointer, log: log)
  }

  /// Reads a word of an enumeration.
  package static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> Word? {
    if case .string(let text) = json,
      let word = Word.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) })
    {
      return word
    }
    return refuse(.oneOf(Word.allCases.map(\.rawValue)), json, at: pointer, log: log)
  }

  /// Reads the elements of an array; nil if it is not an array or an element is at fault. An array longer than `limit`
  /// is a fault, and its elements are not read.
  package static func list<Element>(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog, upTo limit: Int = .max,
    of read: (JSON, JSONPointer, FaultLog) -> Element?
  ) -> [Element]? {
    guard case .array(let elements) = json else {
      return refuse(.array, json, at: pointer, log: log)
    }
    guard elements.count <= limit else {
      return refuse(.arrayUpTo(limit), json, at: pointer, log: log)
    }
    var values: [Element] = []
    values.reserveCapacity(elements.count)
    for index in elements.indices {
      if let value = read(elements[index], pointer.appending(index), log) { values.append(value) }
    }
    return values.count == elements.count ? values : nil
  }

  /// Reads an object of values by name: each name, then its value. Entries with faults are omitted.
  static func named<Name, Value>(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog,
    by readName: (JSON, JSONPointer, FaultLog) -> Name?,
    _ readValue: (Name, JSON, JSONPointer, FaultLog) -> Value?
  ) -> [(Name, Value)]? {
    guard let object = object(json, at: pointer, log: log) else { return nil }
    return object.members.compactMap { member in
      let place = pointer.appending(member.name)
      guard let name = readName(.string(member.name), place, log),
        let value = readValue(name, member.value, place, log)
      else { return nil }
      return (name, value)
    }
  }

  /// Returns a reader that also accepts null, as `.some(nil)`.
  package static func orNull<Value>(
    _ read: @escaping (JSON, JSONPointer, FaultLog) -> Value?
  ) -> (JSON, JSONPointer, FaultLog) -> Value?? {
    { $0 == .null ? .some(nil) : read($0, $1, $2).map(Value?.some) }
  }

  /// Records that another value was expected.
  package static func refuse<Value>(
    _ expectation: DocumentFault.Expectation, _ json: JSON, at pointer: JSONPointer,
    log: FaultLog
  ) -> Value? {
    log.note(.expected(expectation, found: json), at: pointer)
    return nil
  }
}

extension Read {
  /// Reads a JSON Pointer (RFC 6901).
  package static func pointer(
    _ json: JSON, at pointer: JSONPointer, log: FaultLog
  ) -> JSONPointer? {
    if case .string(let text) = json, let parsed = try? JSONPointer(parsing: text) {
      return parsed
    }
    return refuse(.pointer, json, at: pointer, log: log)
  }
}

extension Read {
  /// Reads a JSON Patch (RFC 6902).
  package static func patch(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> JSONPatch? {
    do throws(JSONPatchDecodingFault) {
      return try JSONPatch(json)
    } catch {
      let place = JSONPointer(pointer.tokens + error.pointer.tokens)
      log.note(.patch(error.description), at: place)
      return nil
    }
  }

  package static func int(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Int? {
    if case .int(let int) = json { return Int(int) }
    return refuse(.integer, json, at: pointer, log: log)
  }
}

extension JSONPatch {
  package var json: JSON { .array(operations.map(\.json)) }
}

extension JSONPatch.Operation {
  package var json: JSON {
    switch self {
    case .add(let path, let value): document("add", ("path", path.json), ("value", value))
    case .remove(let path): document("remove", ("path", path.json))
    case .replace(let path, let value): document("replace", ("path", path.json), ("value", value))
    case .move(let from, let path): document("move", ("from", from.json), ("path", path.json))
    case .copy(let from, let path): document("copy", ("from", from.json), ("path", path.json))
    case .test(let path, let value): document("test", ("path", path.json), ("value", value))
    }
  }

  private func document(_ op: String, _ members: (String, JSON)...) -> JSON {
    var object = JSONObject()
    object["op"] = .string(op)
    for (name, value) in members { object[name] = value }
    return .object(object)
  }
}

extension Read {
  /// Reads a time of the years 0 to 9999: milliseconds since 1970-01-01T00:00:00Z, or the text form of answers,
  /// `2026-11-21T08:32:27.000Z`.
  package static func time(_ json: JSON, at pointer: JSONPointer, log: FaultLog) -> Int64? {
    switch json {
    case .int(let milliseconds):
      if Limits.times.contains(milliseconds) { return milliseconds }
    case .string(let text):
      if let milliseconds = milliseconds(text) { return milliseconds }
    case .null, .bool, .double, .array, .object: break
    }
    return refuse(.time, json, at: pointer, log: log)
  }

  /// Parses a time of the form `0000-00-00T00:00:00.000Z`.
  private static func milliseconds(_ text: String) -> Int64? {
    let form = Array("0000-00-00T00:00:00.000Z".utf8)
    let bytes = Array(text.utf8)
    guard bytes.count == form.count else { return nil }
    var numbers = [0]
    for (byte, expected) in zip(bytes, form) {
      if expected == UInt8(ascii: "0") {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte) - 0x30
      } else {
        guard byte == expected else { return nil }
        numbers.append(0)
      }
    }
    return milliseconds(
      date: (numbers[0], numbers[1], numbers[2]),
      clock: (numbers[3], numbers[4], numbers[5], numbers[6]))
  }

  private static func milliseconds(
    date: (year: Int, month: Int, day: Int),
    clock: (hour: Int, minute: Int, second: Int, millisecond: Int)
  ) -> Int64? {
    guard (1...12).contains(date.month), (1...31).contains(date.day), clock.hour < 24,
      clock.minute < 60, clock.second < 60
    else { return nil }
    let seconds = (clock.hour * 60 + clock.minute) * 60 + clock.second
    let days = CivilDate.daysSinceEpoch(year: date.year, month: date.month, day: date.day)
    return Int64((days * 86_400 + seconds) * 1000 + clock.millisecond)
  }
}
