import Locks
import Synchronization

/// The large bodies and pieces of streams being sent, counted against a budget.
///
/// A client that does not read its answer keeps it in memory until `responseTimeout`. The total and the total
/// of each address are bounded here. A body of at most `uncounted` bytes does not count; the number of
/// connections bounds those. A single body is never refused. Of streams, everything unsent counts except parts
/// of at most `uncountedOfStreams` bytes.
///
/// If there is no room, the debtor is evicted: at the address with most bytes, the reader that has blocked
/// sending for the longest time. Its connection is closed. A new answer is refused only if all readers read.
///
/// Responses that share their bytes count once, and once for each address. From a quarter of the budget on,
/// equal bodies are made to share them; below it, comparing them would cost more than it saves.
final class UnsentBodies: Sendable {
  /// The maximum size of an uncounted body, in bytes.
  static let uncounted = 64 << 10
  /// The maximum size of an uncounted part of a stream, in bytes. It is smaller, since there can be many
  /// streams, which may stay unread for long.
  static let uncountedOfStreams = 4 << 10
  /// The time for which a reader may block sending before it can be evicted.
  static let patience = Duration.milliseconds(50)

  private let budget: Int
  private let budgetPerAddress: Int
  private let unsent = Lock(Unsent())
  /// True if any body is counted, so that most requests avoid the lock.
  private let hasAny = Atomic(false)

  /// Creates budgets in bytes; 0 is no limit.
  init(budget: Int, perAddress: Int) {
    self.budget = budget
    budgetPerAddress = perAddress
  }

  /// The number of counted bytes.
  var total: Int { unsent.withLock(\.total) }

  /// The total number of connections evicted because their clients did not read.
  var evictions: Int { unsent.withLock(\.evictions) }

  /// Returns the maximum of counted bytes since the last call, once few are left; until then 0.
  func takePeak() -> Int {
    unsent.withLock { unsent in
      guard unsent.total < unsent.peak / 8 else { return 0 }
      defer { unsent.peak = unsent.total }
      return unsent.peak
    }
  }

  /// Returns true if the bodies exhaust the budget of the server or the address, and no reader can be evicted.
  func areExhausted(for address: String) -> Bool {
    guard hasAny.load(ordering: .relaxed) else { return false }
    return evicting { unsent, debtors in
      while let debt = debt(in: unsent, of: 1, at: address, isReadThere: false, isKnown: false) {
        guard unsent.evict(debt, to: &debtors) else { return true }
      }
      return false
    }
  }

  /// Counts a body about to be sent over a connection, until the result is released.
  ///
  /// - Parameter minimum: The maximum size of an uncounted body.
  /// - Returns: The body, with the bytes of a known equal one; nil if the budget does not allow it and
  ///   `isRefusable`.
  func add(
    _ bytes: [UInt8], to connection: Connection, from minimum: Int = uncounted, isRefusable: Bool
  ) -> UnsentBody? {
    guard bytes.count > minimum else { return UnsentBody(bytes) }
    let hash = budget > 0 && total > budget / 4 ? bytes.contentHash : nil
    let address = connection.remoteAddress
    return evicting { unsent, debtors in
      let equal = hash.flatMap { unsent.places[$0] }.flatMap { unsent.bodies[$0]?.bytes }
      let bytes = equal.map { $0 == bytes ? $0 : bytes } ?? bytes
      let place = Unsent.Place(bytes)
      while let debt = debt(
        in: unsent, of: place.size, at: address,
        isReadThere: unsent.bodies[place]?.readers[address] != nil,
        isKnown: unsent.bodies[place] != nil)
      {
        if unsent.evict(debt, to: &debtors) { continue }
        guard !isRefusable else { return nil }
        break
      }
      let reader = unsent.insert(bytes, at: place, hash, for: connection)
      hasAny.store(true, ordering: .relaxed)
      return UnsentBody(bytes, UnsentBody.Share(bodies: self, reader: reader))
    }
  }

  /// Changes the count, and closes debtors after the lock is released.
  private func evicting<Result: Sendable>(
    _ change: (inout Unsent, inout [Connection]) -> Result
  ) -> Result {
    let (result, debtors) = unsent.withLock { unsent -> (Result, [Connection]) in
      var debtors: [Connection] = []
      let result = change(&unsent, &debtors)
      unsent.evictions += debtors.count
      return (result, debtors)
    }
    for debtor in debtors { debtor.closeIfOpen() }
    return result
  }

  /// Returns the budget without room for a body, unless it is the only body.
  private func debt(
    in unsent: borrowing Unsent, of size: Int, at address: String, isReadThere: Bool, isKnown: Bool
  ) -> Unsent.Debt? {
    let taken = unsent.perAddress[address] ?? 0
    if !isReadThere, isExceeded(budgetPerAddress, by: size, beside: taken) { return .of(address) }
    return !isKnown && isExceeded(budget, by: size, beside: unsent.total) ? .ofAll : nil
  }

  private func isExceeded(_ budget: Int, by size: Int, beside taken: Int) -> Bool {
    budget > 0 && taken > 0 && taken + size > budget
  }

  fileprivate func remove(_ reader: Int) {
    // The bodies are released after the lock.
    _ = unsent.withLock { unsent -> Unsent.Entry? in
      let entry = unsent.remove(reader)
      hasAny.store(!unsent.bodies.isEmpty, ordering: .relaxed)
      return entry
    }
  }
}

extension [UInt8] {
  /// The hash of the bytes, different in each process.
  fileprivate var contentHash: Int {
    var hasher = Hasher()
    unsafe withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}

/// Retains a body's bytes while the daemon sends them.
final class UnsentBody: Sendable {
  let bytes: [UInt8]
  private let share: Share?

  /// A body's part in the budget.
  struct Share: Sendable {
    fileprivate let bodies: UnsentBodies
    fileprivate let reader: Int
  }

  /// Creates a body, counted if it has a share.
  fileprivate init(_ bytes: [UInt8], _ share: Share) {
    self.bytes = bytes
    self.share = share
  }

  /// Creates an uncounted body.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    share = nil
  }

  deinit {
    if let share { share.bodies.remove(share.reader) }
  }
}

/// The bodies being sent and their readers, behind the lock of `UnsentBodies`.
struct Unsent {
  private(set) var bodies: [Place: Entry] = [:]
  /// The places of bodies counted since a quarter of the budget was used, by content.
  private(set) var places: [Int: Place] = [:]
  private(set) var total = 0
  /// The maximum of `total` since `UnsentBodies.takePeak()`.
  var peak = 0
  /// The bytes of the bodies with a reader at the address.
  private(set) var perAddress: [String: Int] = [:]
  /// The total number of evicted readers.
  var evictions = 0
  private var readers: [Int: Reader] = [:]
  private var lastReader = 0
  /// The last search for debtors of each exceeded budget.
  private var searches: [Debt: Search] = [:]

  struct Entry {
    let bytes: [UInt8]
    let hash: Int?
    /// The number of readers at each address.
    var readers: [String: Int] = [:]
  }

  /// The address of a body's bytes, unique while the body is retained.
  struct Place: Hashable {
    let start: UInt
    let size: Int

    init(_ bytes: [UInt8]) {
      start = unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
      size = bytes.count
    }
  }

  /// A connection over which a body is being sent.
  private struct Reader {
    let connection: Connection
    let place: Place
    let start = ContinuousClock.now
    /// The total time for which the client had blocked sending when the body was queued.
    let waitBefore: Duration?

    /// The time for which the client has blocked sending since then.
    var wait: Duration {
      guard let waitBefore, let wait = connection.waitForClient else {
        return start.duration(to: .now)
      }
      return wait - waitBefore
    }
  }

  /// The readers found to block sending, longest last.
  private struct Search {
    var debtors: [Int]
    let time = ContinuousClock.now
  }

  /// A budget without room.
  enum Debt: Hashable {
    case of(String)
    case ofAll
  }

  /// Adds a reader of a body, and returns its number.
  mutating func insert(
    _ bytes: [UInt8], at place: Place, _ hash: Int?, for connection: Connection
  ) -> Int {
    let address = connection.remoteAddress
    if bodies[place] == nil {
      total += place.size
      peak = max(peak, total)
      if let hash { places[hash] = place }
    }
    if bodies[place]?.readers[address] == nil { perAddress[address, default: 0] += place.size }
    bodies[place, default: Entry(bytes: bytes, hash: hash)].readers[address, default: 0] += 1
    lastReader += 1
    readers[lastReader] = Reader(
      connection: connection, place: place, waitBefore: connection.waitForClient)
    return lastReader
  }

  /// Removes a reader, and returns the body if it has no other readers.
  mutating func remove(_ number: Int) -> Entry? {
    guard let reader = readers.removeValue(forKey: number) else { return nil }
    let (place, address) = (reader.place, reader.connection.remoteAddress)
    let others = (bodies[place]?.readers[address] ?? 1) - 1
    bodies[place]?.readers[address] = others > 0 ? others : nil
    guard others == 0 else { return nil }
    let left = perAddress[address, default: place.size] - place.size
    perAddress[address] = left > 0 ? left : nil
    guard bodies[place]?.readers.isEmpty == true else { return nil }
    let entry = bodies.removeValue(forKey: place)
    if let hash = entry?.hash, places[hash] == place { places[hash] = nil }
    total -= place.size
    return entry
  }

  /// Evicts the reader that has blocked sending for the longest time, at an address or at the one with most
  /// bytes. Returns false if none does.
  ///
  /// Checking all readers takes a system call for each. So a search finds several, and after a complete one the
  /// next search waits until other readers can have become debtors.
  mutating func evict(_ debt: Debt, to debtors: inout [Connection]) -> Bool {
    if let number = nextDebtor(debt) { return evict(number, to: &debtors) }
    if let last = searches[debt], last.time.duration(to: .now) < UnsentBodies.patience {
      return false
    }
    if searches.count >= 64 { searches = [:] }
    searches[debt] = Search(debtors: search(debt))
    return nextDebtor(debt).map { evict($0, to: &debtors) } ?? false
  }

  private mutating func evict(_ number: Int, to debtors: inout [Connection]) -> Bool {
    guard let connection = readers[number]?.connection else { return false }
    // The memory is freed when its thread has closed it, soon.
    _ = remove(number)
    debtors.append(connection)
    return true
  }

  /// Returns the next reader of the last search that is still there.
  private mutating func nextDebtor(_ debt: Debt) -> Int? {
    while let number = searches[debt]?.debtors.popLast() {
      if readers[number] != nil { return number }
    }
    return nil
  }

  /// Returns the readers that have blocked sending for the longest time, longest last.
  private func search(_ debt: Debt) -> [Int] {
    var found: [(number: Int, bytes: Int, wait: Duration)] = []
    for (number, reader) in readers {
      let address = reader.connection.remoteAddress
      if case .of(let indebted) = debt, indebted != address { continue }
      let wait = reader.wait
      if wait >= UnsentBodies.patience {
        found.append((number, perAddress[address] ?? 0, wait))
      }
    }
    found.sort { ($0.bytes, $0.wait) < ($1.bytes, $1.wait) }
    return found.suffix(Self.debtorsOfSearch).map(\.number)
  }

  /// The maximum number of debtors of one search, so that the address with most bytes is determined again.
  private static let debtorsOfSearch = 64
}
