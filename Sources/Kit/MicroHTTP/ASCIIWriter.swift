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
