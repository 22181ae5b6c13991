/// Header fields in their order, with their repetitions.
///
/// Names are looked up without regard to case; values are given without spaces around them.
///
/// All fields lie in one array of bytes, so that a request's headers are one allocation, whatever
/// their number, and become strings only where somebody asks for them.
package struct Headers: Sendable {
  /// Per field the lengths of name and value, the name, a zero, the value, a zero.
  ///
  /// The lengths take four bytes each, the least significant first. The zeros let C read a
  /// response's fields where they lie.
  private(set) var bytes: [UInt8] = []
  /// The number of fields.
  package private(set) var count = 0
  /// The bits of all names (`Span.nameBit`): most look-ups are for fields that are not there.
  private var names: UInt64 = 0

  /// No fields.
  package init() {}

  /// The value of the first field with that name, or nil.
  package subscript(name: String) -> String? {
    var found: String?
    visit(name) { value in
      found = String(copying: value)
      return false
    }
    return found
  }

  /// The values of all fields with that name, in their order.
  package func values(of name: String) -> [String] {
    var found: [String] = []
    visit(name) { value in
      found.append(String(copying: value))
      return true
    }
    return found
  }

  /// Returns true if there is a field with that name.
  package func has(_ name: String) -> Bool { satisfies(name) { _ in true } != nil }

  /// Returns true if the value of the first field with that name, looked at in place, satisfies the
  /// predicate; nil when there is no such field.
  package func satisfies(_ name: String, _ predicate: (_ value: Span<UInt8>) -> Bool) -> Bool? {
    var isSatisfied: Bool?
    visit(name) { value in
      isSatisfied = predicate(value)
      return false
    }
    return isSatisfied
  }

  /// Visits the values of the fields with that name, in their order and where they lie, until the
  /// closure answers false.
  package func visit(_ name: String, _ body: (_ value: Span<UInt8>) -> Bool) {
    let name = name.utf8.span
    guard names & name.nameBit != 0 else { return }
    visit { field, value in
      guard field.isEqualIgnoringCase(to: name) else { return true }
      return body(value.extracting(value.contentRange))
    }
  }

  /// Every field as a pair of strings, in order.
  package var fields: [(name: String, value: String)] {
    var all: [(name: String, value: String)] = []
    visit { name, value in
      all.append((String(copying: name), String(copying: value.extracting(value.contentRange))))
      return true
    }
    return all
  }

  /// Adds a field after the others, whether or not the name is there already.
  ///
  /// Neither name nor value is checked here: a response with a field that cannot be sent (control
  /// characters, a name that is no token) is answered as `RequestRefusal.unsendableResponse`.
  package mutating func append(_ name: String, _ value: String) {
    let (nameCount, valueCount) = (UInt32(name.utf8.count), UInt32(value.utf8.count))
    let end = bytes.count + HeaderWriter.size(name: name.utf8.count, value: value.utf8.count)
    // So that the few fields that most responses have are one allocation.
    if end > bytes.capacity { bytes.reserveCapacity(max(2 * end, 192)) }
    unsafe withUnsafeBytes(of: nameCount.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    unsafe withUnsafeBytes(of: valueCount.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: name.utf8)
    bytes.append(0)
    bytes.append(contentsOf: value.utf8)
    bytes.append(0)
    count += 1
    names |= name.utf8.span.nameBit
  }
}

extension Headers: ExpressibleByDictionaryLiteral {
  /// The fields in the order written; a name may be written more than once.
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }
}

extension Headers {
  /// Fields that are laid down in storage of exactly that size.
  ///
  /// `size` is the sum of `size(name:value:)` over what `fill` writes.
  init(size: Int, fill: (inout HeaderWriter) -> Void) {
    // The storage of all empty arrays is one, and must not be written.
    guard size > 0 else { return }
    var (count, names) = (0, UInt64(0))
    bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { storage, used in
      var writer = unsafe HeaderWriter(storage: UnsafeMutableRawBufferPointer(storage))
      fill(&writer)
      (used, count, names) = (writer.used, writer.count, writer.names)
    }
    self.count = count
    self.names = names
  }

  /// The bytes of all names and values together.
  var size: Int { bytes.count - count * HeaderWriter.size(name: 0, value: 0) }

  /// Visits name and value of each field until the closure answers false.
  func visit<E: Error>(
    _ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) throws(E) -> Bool
  ) throws(E) {
    let all = bytes.span
    var start = 0
    while start < all.count {
      let nameStart = start + 8
      let nameEnd = nameStart + all.length(at: start)
      let valueEnd = nameEnd + 1 + all.length(at: start + 4)
      let value = all.extracting(nameEnd + 1..<valueEnd)
      guard try body(all.extracting(nameStart..<nameEnd), value) else { return }
      start = valueEnd + 1
    }
  }
}
