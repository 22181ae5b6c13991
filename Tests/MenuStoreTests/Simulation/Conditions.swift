import CSimulatedDisk
import Glibc
import Randomness

@testable import MenuStore

/// A defect that is planted, so that it is known to be found.
enum PlantedDefect: String, CaseIterable {
  /// A session is made under the catalogue that a client saw, and opened under whatever is the present one.
  case openingUnderAnotherCatalog
  /// A change that was made on an older edition takes the place of the present one.
  case lostUpdate
  /// A client is told of its change before the writer has carried it out.
  case earlyAcknowledgement
  /// A batch is published before it is durable.
  case earlyPublication
  /// A batch is durable and not published.
  case missingPublication
  /// A batch that is refused is published.
  case publishedRefusal
  /// A batch that is durable is refused.
  case refusalOfDurable
  /// A batch is made durable in two parts.
  case tornBatch
  /// The disk says that it flushed, and did not.
  case flushThatDoesNothing

  /// True if it can be planted without a disk.
  var isInStore: Bool { self != .flushThatDoesNothing }
}

/// The conditions of one schedule.
struct Conditions {
  let durability: Durability
  let snapshotEvery: Int
  var bounds = KeptAnswers.Bounds()
  var followerBounds = Follower.Bounds()
  let clients: Int
  /// The number of processes, one after the other.
  let lives: Int
  /// The steps of the longest of them.
  let steps: Int
  /// The share of disk operations at which other clients go on, in percent.
  let interleaving: Int
  let hasFaults: Bool
  /// True if it begins without a journal.
  let isNew: Bool

  init(_ random: inout SeededGenerator) {
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }
    durability = pick([.full, .full, .full, .normal, .off])
    snapshotEvery = pick([1, 3, 50])
    bounds.count = pick([2, 100])
    bounds.retention = pick([2, 86_400])
    followerBounds.count = pick([1, 1, 2, 1024])
    followerBounds.size = pick([1, 1 << 20, 1 << 20, 1 << 20])
    clients = Int.random(in: 2...5, using: &random)
    lives = Int.random(in: 1...4, using: &random)
    steps = pick([30, 80])
    interleaving = pick([0, 10, 40])
    hasFaults = pick([true, false])
    isNew = pick([true, false, false, false, false, false])
  }

  /// The minimum number of records that stay behind a state.
  var keptRecords: Int {
    switch snapshotEvery {
    case 1: 0
    case 3: 5
    default: 512
    }
  }

  /// The number of durable commits that a follower can be behind. No commit of a simulation is as large as the larger
  /// bound of bytes, and each is larger than the smaller one.
  var longestLag: Int { followerBounds.size == 1 ? 1 : followerBounds.count }
}

/// A time in which operations of the disk fail.
struct FaultSpell {
  private enum Kind: CaseIterable { case room, errors, flushes }

  private let kind: Kind
  private let percent: Int

  init(_ random: inout SeededGenerator) {
    kind = Kind.allCases[Int.random(in: 0..<Kind.allCases.count, using: &random)]
    percent = Int.random(in: 0..<3, using: &random) == 0 ? 100 : 30
  }

  /// The failure of a batch of a log in memory; nil if it succeeds.
  func fault(_ random: inout SeededGenerator) -> JournalFault? {
    guard Int.random(in: 0..<100, using: &random) < percent else { return nil }
    return switch kind {
    case .room: .noRoom(path: "memory")
    case .errors: .system(path: "memory", code: EIO)
    case .flushes: .unflushed(path: "memory", code: EIO)
    }
  }

  /// The failure of an access, as SQLite's own file system tells of it (sqlite.org/rescode.html); nil if it succeeds.
  ///
  /// A disk that is full still takes what is written in place.
  func verdict(of access: Disk.Access, _ random: inout SeededGenerator) -> SimulatedVerdict? {
    guard Int.random(in: 0..<100, using: &random) < percent else { return nil }
    let taken = Int32.random(in: 0...Int32(access.count), using: &random)
    switch (kind, access.operation) {
    case (.room, .write) where access.isGrowing:
      return SimulatedVerdict(code: 13, system: ENOSPC, taken: taken, seed: 0)
    case (.errors, .read): return SimulatedVerdict(code: 266, system: EIO, taken: 0, seed: 0)
    case (.errors, .write): return SimulatedVerdict(code: 778, system: EIO, taken: taken, seed: 0)
    case (.errors, .truncate): return SimulatedVerdict(code: 1546, system: EIO, taken: 0, seed: 0)
    case (.errors, .delete): return SimulatedVerdict(code: 2570, system: EIO, taken: 0, seed: 0)
    case (.flushes, .flush):
      let code = Bool.random(using: &random) ? EIO : ENOSPC
      return SimulatedVerdict(code: 1034, system: code, taken: 0, seed: random.next() | 1)
    default: return nil
    }
  }
}

extension SimulatedVerdict {
  /// Nothing is done any more, and some of the bytes are taken.
  static func down(taking taken: Int32) -> SimulatedVerdict {
    SimulatedVerdict(code: 10, system: EIO, taken: taken, seed: 0)
  }

  /// Nothing is flushed, and success is told.
  static let lie = SimulatedVerdict(code: 0, system: 0, taken: -1, seed: 0)
}
