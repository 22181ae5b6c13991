/// Header fields in order, with repetitions.
///
/// Names are case-insensitive; values have no surrounding spaces.
///
/// All fields are in one array of bytes: a request's headers are one allocation, and strings are made on
/// demand.
package struct Headers: Sendable {
  /// For each field: the lengths of name and value, the name, a zero, the value, a zero.
  ///
  /// The lengths are four bytes each, little-endian. The zeros let C read a response's fields in place.
  private(set) var bytes: [UInt8] = []
  /// The number of fields.
  package private(set) var count = 0
  /// The bits of all names (`Span.nameBit`): most look-ups are for absent fields.
  private var names: UInt64 = 0

  package init() {}

  /// The value of the first field with the name; nil for none.
  package subscript(name: String) -> String? {
    var found: String?
    visit(name) { value in
      found = String(copying: value)
      return false
    }
    return found
  }

  /// Returns the values of all fields with the name, in order.
  package func values(of name: String) -> [String] {
    var found: [String] = []
    visit(name) { value in
      found.append(String(copying: value))
      return true
    }
    return found
  }

  package func has(_ name: String) -> Bool { has(name.utf8.span) }

  func has(_ name: Span<UInt8>) -> Bool {
    var isFound = false
    visit(name) { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// False if no field has the name of one of the others.
  func mayShareNames(with others: borrowing Headers) -> Bool { names & others.names != 0 }

  /// The fields whose names are not among those of others.
  func fields(besides others: Headers) -> [(name: String, value: String)] {
    fields.filter { !others.has($0.name) }
  }

  /// Returns true if the value of the first field with the name satisfies the predicate, in place; nil for no
  /// field.
  package func satisfies(_ name: String, _ predicate: (_ value: Span<UInt8>) -> Bool) -> Bool? {
    var isSatisfied: Bool?
    visit(name) { value in
      isSatisfied = predicate(value)
      return false
    }
    return isSatisfied
  }

  /// Visits the values of the fields with the name in place, in order, until the closure returns false.
  package func visit(_ name: String, _ body: (_ value: Span<UInt8>) -> Bool) {
    visit(name.utf8.span, body)
  }

  private func visit(_ name: Span<UInt8>, _ body: (_ value: Span<UInt8>) -> Bool) {
    guard names & name.nameBit != 0 else { return }
    visit { field, value in
      guard field.isEqualIgnoringCase(to: name) else { return true }
      return body(value.extracting(value.contentRange))
    }
  }

  package var fields: [(name: String, value: String)] {
    var all: [(name: String, value: String)] = []
    visit { name, value in
      all.append((String(copying: name), String(copying: value.extracting(value.contentRange))))
      return true
    }
    return all
  }

  /// Appends a field, even if the name exists.
  ///
  /// Name and value are not checked: a response with an invalid field (control characters, a name that is not a
  /// token) is answered as `RequestRefusal.unsendableResponse`.
  package mutating func append(_ name: String, _ value: String) {
    let (nameCount, valueCount) = (UInt32(name.utf8.count), UInt32(value.utf8.count))
    let end = bytes.count + HeaderWriter.size(name: name.utf8.count, value: value.utf8.count)
    // The fields of most responses then fit one allocation.
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
  /// Creates fields in order; names may be repeated.
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }
}

extension Headers {
  /// Creates fields in storage of exactly `size`, the sum of `size(name:value:)` over the fields that `fill`
  /// writes.
  init(size: Int, fill: (inout HeaderWriter) -> Void) {
    // All empty arrays share one storage, which must not be written.
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

  /// The number of bytes of all names and values.
  var size: Int { bytes.count - count * HeaderWriter.size(name: 0, value: 0) }

  /// Visits each field until the closure returns false.
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

/// Writes header fields into storage of a fixed size.
@safe struct HeaderWriter {
  private let storage: UnsafeMutableRawBufferPointer
  private(set) var used = 0
  private(set) var count = 0
  private(set) var names: UInt64 = 0

  init(storage: UnsafeMutableRawBufferPointer) {
    unsafe self.storage = storage
  }

  /// Returns the number of bytes of a field.
  static func size(name: Int, value: Int) -> Int {
    name + value + 10
  }

  /// Writes a field; without room it is left out.
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

/// Writes ASCII text into storage of a fixed size, so that frequent texts are one allocation.
@safe package struct ASCIIWriter {
  private let storage: UnsafeMutableBufferPointer<UInt8>
  fileprivate var count = 0

  fileprivate init(_ storage: UnsafeMutableBufferPointer<UInt8>) {
    unsafe self.storage = storage
  }

  /// Writes a character; without room it is left out.
  package mutating func append(_ character: Unicode.Scalar) {
    append(UInt8(truncatingIfNeeded: character.value))
  }

  package mutating func append(_ word: String) {
    let bytes = word.utf8.span
    for index in bytes.indices { append(bytes[index]) }
  }

  /// Writes a number in decimal.
  package mutating func append(_ number: Int) {
    if number < 0 { append("-" as Unicode.Scalar) }
    append(UInt64(number.magnitude))
  }

  /// Writes a number in decimal.
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

  /// The maximum number of bytes of a number.
  package static let numberSize = 20
}

extension String {
  /// Creates an ASCII text of at most `size` bytes.
  package init(size: Int, _ write: (inout ASCIIWriter) -> Void) {
    self = unsafe String(unsafeUninitializedCapacity: size) { storage in
      var writer = unsafe ASCIIWriter(storage)
      write(&writer)
      return writer.count
    }
  }
}
