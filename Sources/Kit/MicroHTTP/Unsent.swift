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

  /// The budget that has no room.
  enum Debt {
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
  mutating func evict(_ debt: Debt, to debtors: inout [Connection]) -> Bool {
    var debtor: (number: Int, bytes: Int, wait: Duration)?
    for (number, reader) in readers {
      let address = reader.connection.remoteAddress
      if case .of(let indebted) = debt, indebted != address { continue }
      let (bytes, wait) = (perAddress[address] ?? 0, reader.wait)
      guard wait >= UnsentBodies.patience else { continue }
      if debtor.map({ ($0.bytes, $0.wait) < (bytes, wait) }) ?? true {
        debtor = (number, bytes, wait)
      }
    }
    guard let debtor, let connection = readers[debtor.number]?.connection else { return false }
    // Its bytes leave the memory when its thread has closed it, which is soon.
    _ = remove(debtor.number)
    debtors.append(connection)
    return true
  }
}
