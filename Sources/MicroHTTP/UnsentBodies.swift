import Locks
import Synchronization

/// The large bodies that are on their way to clients, counted against a budget.
///
/// A client that asks and does not read keeps its answer in memory until `responseTimeout`. Here all
/// of these together are bounded, and those of each address. A body of at most `uncounted` bytes is not
/// counted: the number of connections bounds those. Nor is one refused that is the only one.
///
/// Responses that share their bytes count once, and once for each address. From a quarter of the budget on, equal bodies are made
/// to share them; before, looking for them would cost more than they do.
final class UnsentBodies: Sendable {
  /// The size up to which a body is not counted, in bytes.
  static let uncounted = 64 << 10

  private let budget: Int
  private let budgetPerAddress: Int
  private let unsent = Lock(Unsent())
  /// True if any body is counted, so that most requests need not take the lock.
  private let hasAny = Atomic(false)

  private struct Unsent {
    var bodies: [Place: Entry] = [:]
    /// The places of bodies that were counted since a quarter of the budget was taken, by their content.
    var places: [Int: Place] = [:]
    var total = 0
    /// The most that `total` was since `takePeak()`.
    var peak = 0
    /// The bytes of the bodies that have a reader at the address.
    var perAddress: [String: Int] = [:]
  }

  private struct Entry {
    let bytes: [UInt8]
    let hash: Int?
    /// The number of readers at each address.
    var readers: [String: Int] = [:]
  }

  /// The address of a body's bytes, which is unique while the body is held.
  fileprivate struct Place: Hashable {
    let start: UInt
    let size: Int

    init(_ bytes: [UInt8]) {
      start = unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
      size = bytes.count
    }
  }

  /// Creates budgets in bytes; 0 is no limit.
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

  /// Returns true if the bodies take all of a budget: that of the server, or that of the address.
  func areExhausted(for address: String) -> Bool {
    guard hasAny.load(ordering: .relaxed) else { return false }
    return unsent.withLock { unsent in
      isExhausted(budget, by: unsent.total)
        || isExhausted(budgetPerAddress, by: unsent.perAddress[address] ?? 0)
    }
  }

  private func isExhausted(_ budget: Int, by taken: Int) -> Bool { budget > 0 && taken >= budget }

  /// Counts a body that is about to be sent to an address, until the result is released.
  ///
  /// - Returns: The body, with the bytes of an equal one if that is known; nil if the budget does not
  ///   allow it and `isRefusable`.
  func add(_ bytes: [UInt8], to address: String, isRefusable: Bool) -> UnsentBody? {
    guard bytes.count > Self.uncounted else { return UnsentBody(bytes) }
    let hash = budget > 0 && total > budget / 4 ? bytes.contentHash : nil
    return unsent.withLock { unsent in
      let equal = hash.flatMap { unsent.places[$0] }.flatMap { unsent.bodies[$0]?.bytes }
      let bytes = equal.map { $0 == bytes ? $0 : bytes } ?? bytes
      let place = Place(bytes)
      let isKnown = unsent.bodies[place] != nil
      let isReadThere = unsent.bodies[place]?.readers[address] != nil
      let taken = unsent.perAddress[address] ?? 0
      let isWithinBudget =
        (isReadThere || allows(place.size, beside: taken, in: budgetPerAddress))
        && (isKnown || allows(place.size, beside: unsent.total, in: budget))
      guard isWithinBudget || !isRefusable else { return nil }
      if !isReadThere { unsent.perAddress[address] = taken + place.size }
      unsent.bodies[place, default: Entry(bytes: bytes, hash: hash)].readers[address, default: 0] +=
        1
      if !isKnown {
        hasAny.store(true, ordering: .relaxed)
        unsent.total += place.size
        unsent.peak = max(unsent.peak, unsent.total)
        if let hash { unsent.places[hash] = place }
      }
      return UnsentBody(bytes, UnsentBody.Share(bodies: self, place: place, address: address))
    }
  }

  /// Returns true if a budget has room for a body, or the body is the only one.
  private func allows(_ size: Int, beside taken: Int, in budget: Int) -> Bool {
    budget == 0 || taken == 0 || taken + size <= budget
  }

  fileprivate func remove(_ place: Place, from address: String) {
    // The bodies are released when the lock is no longer held.
    _ = unsent.withLock { unsent -> Entry? in
      let readers = (unsent.bodies[place]?.readers[address] ?? 1) - 1
      unsent.bodies[place]?.readers[address] = readers > 0 ? readers : nil
      guard readers == 0 else { return nil }
      let left = unsent.perAddress[address, default: place.size] - place.size
      unsent.perAddress[address] = left > 0 ? left : nil
      guard unsent.bodies[place]?.readers.isEmpty == true else { return nil }
      let entry = unsent.bodies.removeValue(forKey: place)
      if let hash = entry?.hash, unsent.places[hash] == place { unsent.places[hash] = nil }
      unsent.total -= place.size
      hasAny.store(!unsent.bodies.isEmpty, ordering: .relaxed)
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
final class UnsentBody: Sendable {
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
