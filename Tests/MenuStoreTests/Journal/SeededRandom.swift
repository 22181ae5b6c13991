@testable import MenuStore

/// Random numbers that are the same whenever the seed is (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

extension Model {
  /// Opens, changes or closes something, and now and then waits until it is durable.
  func doSomething(_ random: inout SeededRandom) throws(JournalFault) {
    let name = "s\(Int.random(in: 0..<6, using: &random))"
    let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let isOpen = self[name] != nil
    let ticket: Ticket
    switch Int.random(in: 0..<20, using: &random) {
    case 0:
      ticket = subjects[.catalog] == nil ? try open(.catalog, bytes) : try changeCatalog(bytes)
    case 1 where isOpen: ticket = try close(name)
    case 2...4 where isOpen: ticket = try change(name, bytes, entry: .sample("\(bytes)"))
    default: ticket = isOpen ? try change(name, bytes) : try open(.session(name), bytes)
    }
    if Int.random(in: 0..<4, using: &random) == 0 { _ = ticket.wait() }
  }
}
