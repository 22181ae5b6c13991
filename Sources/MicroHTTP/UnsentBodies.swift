import Synchronization

/// The large bodies that are on their way to clients, counted against a budget.
///
/// A client that asks and does not read keeps its answer in memory until `responseTimeout`. Here all
/// of these together are bounded, and those of each address. A body of at most `uncounted` bytes is not
/// counted: the number of connections bounds those.
///
/// Responses that share their bytes count once. From a quarter of the budget on, equal bodies are made
/// to share them; before, looking for them would cost more than they do.
final class UnsentBodies: Sendable {
  /// The size up to which a body is not counted, in bytes.
  static let uncounted = 64 << 10

  private let budget: Int
  private let budgetPerAddress: Int
  private let unsent = Mutex(Unsent())

  private struct Unsent {
    var bodies: [Place: Entry] = [:]
    /// Where bodies lie that were counted since a quarter of the budget was taken, by their content.
    var places: [Int: Place] = [:]
    var total = 0
    /// The most that `total` was since `takePeak()`.
    var peak = 0
    var perAddress: [String: Int] = [:]
  }

  private struct Entry {
    let bytes: [UInt8]
    let hash: Int?
    var readers = 0
  }

  /// Where a body's bytes lie, which nobody else's do while somebody holds them.
  fileprivate struct Place: Hashable {
    let start: UInt
    let size: Int

    init(_ bytes: [UInt8]) {
      start = unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
      size = bytes.count
    }
  }

  /// Budgets in bytes; 0 for an address is none.
  init(budget: Int, perAddress: Int) {
    self.budget = budget
    budgetPerAddress = perAddress
  }

  /// The bytes of all bodies that are counted.
  var total: Int { unsent.withLock(\.total) }

  /// The most bytes that were counted since the last time, once hardly any are left; 0 before.
  func takePeak() -> Int {
    unsent.withLock { unsent in
      guard unsent.total < unsent.peak / 8 else { return 0 }
      defer { unsent.peak = unsent.total }
      return unsent.peak
    }
  }

  /// Counts a body that is about to be sent to an address, until the result is released.
  ///
  /// - Returns: The body, with the bytes of an equal one if that is known; nil if the budget does not
  ///   allow it and `isRefusable`.
  func add(_ bytes: [UInt8], to address: String, isRefusable: Bool) -> Body? {
    guard bytes.count > Self.uncounted else { return Body(bytes) }
    let hash = total > budget / 4 ? bytes.contentHash : nil
    return unsent.withLock { unsent in
      let equal = hash.flatMap { unsent.places[$0] }.flatMap { unsent.bodies[$0]?.bytes }
      let bytes = equal.map { $0 == bytes ? $0 : bytes } ?? bytes
      let place = Place(bytes)
      let isKnown = unsent.bodies[place] != nil
      let taken = unsent.perAddress[address, default: 0] + place.size
      let isWithinBudget =
        (budgetPerAddress == 0 || taken <= budgetPerAddress)
        && (isKnown || unsent.total + place.size <= budget)
      guard isWithinBudget || !isRefusable else { return nil }
      unsent.perAddress[address] = taken
      unsent.bodies[place, default: Entry(bytes: bytes, hash: hash)].readers += 1
      if !isKnown {
        unsent.total += place.size
        unsent.peak = max(unsent.peak, unsent.total)
        if let hash { unsent.places[hash] = place }
      }
      return Body(bytes, Body.Share(bodies: self, place: place, address: address))
    }
  }

  fileprivate func remove(_ place: Place, from address: String) {
    // What is released is released when the lock is no longer held.
    _ = unsent.withLock { unsent -> Entry? in
      let left = unsent.perAddress[address, default: place.size] - place.size
      unsent.perAddress[address] = left > 0 ? left : nil
      unsent.bodies[place]?.readers -= 1
      guard unsent.bodies[place]?.readers == 0 else { return nil }
      let entry = unsent.bodies.removeValue(forKey: place)
      if let hash = entry?.hash, unsent.places[hash] == place { unsent.places[hash] = nil }
      unsent.total -= place.size
      return entry
    }
  }
}

extension [UInt8] {
  /// The hash of the bytes, other in each process.
  fileprivate var contentHash: Int {
    var hasher = Hasher()
    unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}

/// Keeps a body's bytes in their place while the daemon sends them.
final class Body: Sendable {
  let bytes: [UInt8]
  private let share: Share?

  /// A body's part in the budget.
  struct Share: Sendable {
    fileprivate let bodies: UnsentBodies
    fileprivate let place: UnsentBodies.Place
    fileprivate let address: String
  }

  /// A body that is counted if it has a share.
  fileprivate init(_ bytes: [UInt8], _ share: Share) {
    self.bytes = bytes
    self.share = share
  }

  /// A body that is not counted.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    share = nil
  }

  deinit {
    if let share { share.bodies.remove(share.place, from: share.address) }
  }
}
