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
