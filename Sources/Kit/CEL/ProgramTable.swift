import Locks

/// The programs in use, so that equal ones are compiled once and share what was compiled.
///
/// It keeps no program in memory: an entry whose program is gone is removed when the table has doubled.
final class ProgramTable: Sendable {
  /// Two programs with equal keys are the same program.
  struct Key: Hashable {
    /// UTF-8, since hashing a string normalises it.
    let source: [UInt8]
    let variables: [String]
    let limits: ProgramLimits

    init(_ source: String, variables: [String], limits: ProgramLimits) {
      self.source = Array(source.utf8)
      self.variables = variables
      self.limits = limits
    }
  }

  private struct Entry {
    weak var storage: Program.Storage?
  }

  private struct Entries {
    var byKey: [Key: Entry] = [:]
    /// The number of entries at which those of programs that are gone are removed.
    var purgeCount = 256
  }

  private let entries = Lock(Entries())

  /// The table of this process.
  static let shared = ProgramTable()

  /// The program in use under a key, else the one that `compile` returns.
  ///
  /// Two threads may compile the same program at a time; then both use the first one.
  func storage(
    for key: Key, compile: () throws(CompilationFault) -> Program.Storage
  ) throws(CompilationFault) -> Program.Storage {
    if let known = entries.withLock({ $0.byKey[key]?.storage }) { return known }
    let compiled = try compile()
    return entries.withLock { entries in
      if let known = entries.byKey[key]?.storage { return known }
      if entries.byKey.count >= entries.purgeCount {
        entries.byKey = entries.byKey.filter { $0.value.storage != nil }
        entries.purgeCount = max(256, 2 * entries.byKey.count)
      }
      entries.byKey[key] = Entry(storage: compiled)
      return compiled
    }
  }

  /// The number of entries, those of programs that are gone included until they are removed.
  var count: Int { entries.withLock(\.byKey.count) }
}
