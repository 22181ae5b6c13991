import Randomness
import StoreSupport

@testable import MenuStore

extension Model {
  /// Opens, changes or closes something, the catalogue first, and now and then waits until it is durable.
  func doSomething(_ random: inout SeededGenerator) throws(JournalFault) {
    if subjects[.catalog] == nil { try open(.catalog) }
    let name = "s\(Int.random(in: 0..<6, using: &random))"
    let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let isOpen = self[name] != nil
    let ticket: Ticket
    switch Int.random(in: 0..<20, using: &random) {
    case 0: ticket = try changeCatalog(bytes)
    case 1 where isOpen: ticket = try close(name)
    case 2...4 where isOpen: ticket = try change(name, bytes, entry: .sample("\(bytes)"))
    default: ticket = isOpen ? try change(name, bytes) : try open(.session(name), bytes)
    }
    if Int.random(in: 0..<4, using: &random) == 0 { _ = ticket.wait() }
  }
}
