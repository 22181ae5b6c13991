/// The positions of the names of a large object, updated in constant time.
///
/// Every name gets a serial number when it is added. As long as nothing was removed a serial is
/// the position; after that the ascending list of the serials left over is searched for it.
struct JSONObjectIndex: Sendable {
  private var serials: [NameBytes: Int] = [:]
  private var remaining: [Int]?
  private var next = 0

  init(names: some Collection<String>) {
    serials.reserveCapacity(names.count)
    for name in names { append(name) }
  }

  func position(of name: String) -> Int? {
    guard let serial = serials[NameBytes(name)] else { return nil }
    guard let remaining else { return serial }
    return remaining.partition { $0 < serial }
  }

  /// Adds a name behind all others, or answers false when it is there already.
  @discardableResult
  mutating func append(_ name: String) -> Bool {
    guard serials.register(NameBytes(name), as: next) else { return false }
    remaining?.append(next)
    next += 1
    return true
  }

  /// Adds a name that is not there before the one at a position, under the serial number of one that
  /// was removed there; answers false, and changes nothing, when there is none.
  mutating func restore(_ name: String, at position: Int) -> Bool {
    guard let serial = freeSerial(at: position) else { return false }
    serials[NameBytes(name)] = serial
    remaining?.insert(serial, at: position)
    return true
  }

  private func freeSerial(at position: Int) -> Int? {
    guard let remaining, position < remaining.count else { return nil }
    let serial = position == 0 ? 0 : remaining[position - 1] + 1
    return serial < remaining[position] ? serial : nil
  }

  mutating func remove(_ name: String) {
    guard let position = position(of: name) else { return }
    serials[NameBytes(name)] = nil
    if remaining == nil { remaining = Array(0..<next) }
    remaining?.remove(at: position)
  }
}

extension [NameBytes: Int] {
  /// Hashes `name` once to add it, unless it is there.
  fileprivate mutating func register(_ name: NameBytes, as serial: Int) -> Bool {
    let stored = { (value: inout Int) in value }(&self[name, default: serial])
    return stored == serial
  }
}

extension [Int] {
  /// The number of leading elements that satisfy `isBefore`, which no later one may satisfy.
  fileprivate func partition(_ isBefore: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// A name hashed and compared by its UTF-8 bytes.
private struct NameBytes: Hashable {
  let name: String

  init(_ name: String) { self.name = name }

  static func == (left: NameBytes, right: NameBytes) -> Bool {
    left.name.hasSameBytes(as: right.name)
  }

  func hash(into hasher: inout Hasher) { name.hashBytes(into: &hasher) }
}
