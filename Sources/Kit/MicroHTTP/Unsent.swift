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
