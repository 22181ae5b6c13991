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

/// Writes header fields one after the other into storage that has room for them.
@safe struct HeaderWriter {
  private let storage: UnsafeMutableRawBufferPointer
  private(set) var used = 0
  private(set) var count = 0
  private(set) var names: UInt64 = 0

  init(storage: UnsafeMutableRawBufferPointer) {
    unsafe self.storage = storage
  }

  /// The room that one field takes.
  static func size(name: Int, value: Int) -> Int {
    name + value + 10
  }

  /// Writes one field; a field without room is left out.
  mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    let size = Self.size(name: name.count, value: value.count)
    guard unsafe size <= storage.count - used else { return }
    names |= unsafe name.bindMemory(to: UInt8.self).span.nameBit
    append(length: name.count)
    append(length: value.count)
    unsafe append(name)
    unsafe append(value)
    count += 1
  }

  private mutating func append(length: Int) {
    let length = UInt32(truncatingIfNeeded: length).littleEndian
    unsafe storage.storeBytes(of: length, toByteOffset: used, as: UInt32.self)
    used += 4
  }

  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let end = used + bytes.count
    unsafe UnsafeMutableRawBufferPointer(rebasing: storage[used..<end]).copyMemory(from: bytes)
    unsafe storage[end] = 0
    used = end + 1
  }
}

/// Writes words and numbers one after the other into storage that has room for them, so that a text
/// that every answer has is put together in one piece.
@safe package struct ASCIIWriter {
  private let storage: UnsafeMutableBufferPointer<UInt8>
  fileprivate var count = 0

  fileprivate init(_ storage: UnsafeMutableBufferPointer<UInt8>) {
    unsafe self.storage = storage
  }

  /// Writes a character; what has no room is left out.
  package mutating func append(_ character: Unicode.Scalar) {
    append(UInt8(truncatingIfNeeded: character.value))
  }

  /// Writes a word.
  package mutating func append(_ word: String) {
    let bytes = word.utf8.span
    for index in bytes.indices { append(bytes[index]) }
  }

  /// Writes a number in decimal digits.
  package mutating func append(_ number: Int) {
    if number < 0 { append("-" as Unicode.Scalar) }
    append(UInt64(number.magnitude))
  }

  /// Writes a number in decimal digits.
  package mutating func append(_ number: UInt64) {
    var (rest, power) = (number, UInt64(1))
    while rest / power >= 10 { power *= 10 }
    while power > 0 {
      append(UInt8(ascii: "0") + UInt8(rest / power))
      (rest, power) = (rest % power, power / 10)
    }
  }

  private mutating func append(_ byte: UInt8) {
    guard unsafe count < storage.count else { return }
    unsafe storage[count] = byte
    count += 1
  }

  /// The most bytes that a number takes.
  package static let numberSize = 20
}

extension String {
  /// A text of at most so many bytes, which are ASCII.
  package init(size: Int, _ write: (inout ASCIIWriter) -> Void) {
    self = unsafe String(unsafeUninitializedCapacity: size) { storage in
      var writer = unsafe ASCIIWriter(storage)
      write(&writer)
      return writer.count
    }
  }
}
