import Locks
import Synchronization

/// The large bodies, and pieces of streams, that are on their way to clients, counted against a budget.
///
/// A client that asks and does not read keeps its answer in memory until `responseTimeout`. Here all
/// of these together are bounded, and those of each address. A body of at most `uncounted` bytes is not
/// counted: the number of connections bounds those. Nor is one refused that is the only one. Of streams, all that
/// waits for a client is counted but for parts of at most `uncountedOfStreams` bytes.
///
/// When there is no room, the debtor pays: of the readers that let the server wait, the one that did so
/// longest, at the address that has most. Its connection is closed. Only when every reader reads, a new answer is
/// refused.
///
/// Responses that share their bytes count once, and once for each address. From a quarter of the budget on, equal
/// bodies are made to share them; before, looking for them would cost more than they do.
final class UnsentBodies: Sendable {
  /// The size up to which a body is not counted, in bytes.
  static let uncounted = 64 << 10
  /// The size up to which a part of a stream is not counted, in bytes. Streams may be many, and are not read for long.
  static let uncountedOfStreams = 4 << 10
  /// The time for which a reader may let the server wait before it can be closed for another one.
  static let patience = Duration.milliseconds(50)

  private let budget: Int
  private let budgetPerAddress: Int
  private let unsent = Lock(Unsent())
  /// True if any body is counted, so that most requests need not take the lock.
  private let hasAny = Atomic(false)

  /// Creates budgets in bytes; 0 is no limit.
  init(budget: Int, perAddress: Int) {
    self.budget = budget
    budgetPerAddress = perAddress
  }

  /// The bytes of all bodies that are counted.
  var total: Int { unsent.withLock(\.total) }

  /// The number of connections so far that were closed since they did not read their answers.
  var evictions: Int { unsent.withLock(\.evictions) }

  /// The most bytes that were counted since the last time, once hardly any are left; 0 before.
  func takePeak() -> Int {
    unsent.withLock { unsent in
      guard unsent.total < unsent.peak / 8 else { return 0 }
      defer { unsent.peak = unsent.total }
      return unsent.peak
    }
  }

  /// Returns true if the bodies take all of a budget, that of the server or that of the address, and no reader
  /// can be closed for another one.
  func areExhausted(for address: String) -> Bool {
    guard hasAny.load(ordering: .relaxed) else { return false }
    return evicting { unsent, debtors in
      while let debt = debt(in: unsent, of: 1, at: address, isReadThere: false, isKnown: false) {
        guard unsent.evict(debt, to: &debtors) else { return true }
      }
      return false
    }
  }

  /// Counts a body that is about to be sent over a connection, until the result is released.
  ///
  /// - Parameter minimum: The size up to which it is not counted.
  /// - Returns: The body, with the bytes of an equal one if that is known; nil if the budget does not
  ///   allow it and `isRefusable`.
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

  /// Changes what is counted, and closes the debtors when the lock is no longer held.
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

  /// The place where there is no room for a body, unless it is the only one.
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
    // The bodies are released when the lock is no longer held.
    _ = unsent.withLock { unsent -> Unsent.Entry? in
      let entry = unsent.remove(reader)
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
    fileprivate let reader: Int
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
    if let share { share.bodies.remove(share.reader) }
  }
}

/// The bodies that are on their way to clients, and who reads them; `UnsentBodies` has it behind its lock.
struct Unsent {
  private(set) var bodies: [Place: Entry] = [:]
  /// The places of bodies that were counted since a quarter of the budget was taken, by their content.
  private(set) var places: [Int: Place] = [:]
  private(set) var total = 0
  /// The most that `total` was since `UnsentBodies.takePeak()`.
  var peak = 0
  /// The bytes of the bodies that have a reader at the address.
  private(set) var perAddress: [String: Int] = [:]
  /// The number of readers so far that were closed for others.
  var evictions = 0
  private var readers: [Int: Reader] = [:]
  private var lastReader = 0
  /// The last search for debtors of each debt that had no room lately.
  private var searches: [Debt: Search] = [:]

  struct Entry {
    let bytes: [UInt8]
    let hash: Int?
    /// The number of readers at each address.
    var readers: [String: Int] = [:]
  }

  /// The address of a body's bytes, which is unique while the body is held.
  struct Place: Hashable {
    let start: UInt
    let size: Int

    init(_ bytes: [UInt8]) {
      start = unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
      size = bytes.count
    }
  }

  /// A connection that a body is being sent over.
  private struct Reader {
    let connection: Connection
    let place: Place
    let start = ContinuousClock.now
    /// The time for which the connection's client had let the server wait when the body was queued.
    let waitBefore: Duration?

    /// The time for which the client has let the server wait since then.
    var wait: Duration {
      guard let waitBefore, let wait = connection.waitForClient else {
        return start.duration(to: .now)
      }
      return wait - waitBefore
    }
  }

  /// The readers that a search found to let the server wait, the one that does so longest last.
  private struct Search {
    var debtors: [Int]
    let time = ContinuousClock.now
  }

  /// The budget that has no room.
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

  /// Removes a reader, and returns the body that nobody reads any more.
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

  /// Gives up the reader that has let the server wait for the longest time: at an address, or at the one that has
  /// most. Returns false if no reader does.
  ///
  /// To ask all readers takes a call of the system for each. So a search finds the next ones, too, and after one that
  /// found all there is another one only when other readers can have become debtors.
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
    // Its bytes leave the memory when its thread has closed it, which is soon.
    _ = remove(number)
    debtors.append(connection)
    return true
  }

  /// Takes the next reader that the last search found and that still reads.
  private mutating func nextDebtor(_ debt: Debt) -> Int? {
    while let number = searches[debt]?.debtors.popLast() {
      if readers[number] != nil { return number }
    }
    return nil
  }

  /// Returns the readers that have let the server wait longest, the longest last.
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

  /// The most debtors that one search finds, so that the address that has most is looked for again.
  private static let debtorsOfSearch = 64
}
