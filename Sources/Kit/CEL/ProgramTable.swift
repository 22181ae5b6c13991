import Locks

/// The programs in use, so that equal ones are compiled once and shared.
///
/// It retains no program: entries of released programs are removed when the table has doubled.
final class ProgramTable: Sendable {
  /// Programs with equal keys are the same program.
  struct Key: Hashable {
    /// UTF-8, since hashing a string normalizes it.
    let source: [UInt8]
    let variables: [String]
    let limits: ProgramLimits

    init(_ source: String, variables: [String], limits: ProgramLimits) {
      self.source = Array(source.utf8)
      self.variables = variables
      self.limits = limits
    }

    /// Hashes the source alone, since hosts seldom give one source other variables or limits.
    func hash(into hasher: inout Hasher) { hasher.combine(source) }
  }

  private struct Entry {
    weak var storage: Program.Storage?
  }

  private struct Entries {
    var byKey: [Key: Entry] = [:]
    /// The number of entries at which those of released programs are removed.
    var purgeCount = 256
  }

  private let entries = Lock(Entries())

  /// The table of this process.
  static let shared = ProgramTable()

  /// Returns the program in use for a key, else the result of `compile`.
  ///
  /// If two threads compile the same program at once, both use the first result.
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

  /// The number of entries, including those of released programs not yet removed.
  var count: Int { entries.withLock(\.byKey.count) }
}
