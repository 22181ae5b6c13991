import CSimulatedDisk
import Foundation

/// A disk in memory on which journals of one simulation lie.
///
/// `decide` is asked about each operation of SQLite on it. One thread uses it; it may be copied by others
/// when it is no longer used.
@safe final class Disk: @unchecked Sendable {
  /// Decides about an access to the file of a name.
  typealias Decide = (_ access: Access, _ file: () -> String) -> SimulatedVerdict

  struct Access {
    var operation: Operation
    /// The number of bytes that are read or written.
    var count: Int
    /// True if the file becomes longer.
    var isGrowing: Bool
  }

  enum Operation: UInt32 {
    case open, read, write, flush, truncate, delete
  }

  let folder: URL
  private var handle: OpaquePointer?
  var decide: Decide = { _, _ in SimulatedVerdict() }

  init() throws {
    let shared = URL(filePath: "/dev/shm")
    let isWritable = FileManager.default.isWritableFile(atPath: shared.path)
    folder = (isWritable ? shared : .temporaryDirectory)
      .appending(path: "menud-simulation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe handle = simulated_disk_make(folder.path, ask, context)
  }

  deinit {
    if let handle = unsafe handle { unsafe simulated_disk_free(handle) }
    try? FileManager.default.removeItem(at: folder)
  }

  /// The folder as all paths begin with it.
  var prefix: String { folder.path + "/" }

  /// The file of the journal.
  var path: String { folder.path + "/menud.db" }

  /// Turns the closed files into those found after the end of a process, or of power.
  func restart(_ loss: Loss, seed: UInt64) {
    guard let handle = unsafe handle else { return }
    unsafe simulated_disk_restart(handle, loss.kind, loss.survival, seed)
  }

  /// Copies the files of another disk onto this one, which is empty.
  func copy(_ other: Disk) {
    guard let handle = unsafe handle, let twin = unsafe other.handle else { return }
    unsafe simulated_disk_copy(handle, twin)
  }

  /// Removes the file that says up to where records were acknowledged.
  func forgetMark() { unsafe unlink(path + ".lock") }

  /// The rest of writes that were not flushed.
  enum Loss: Equatable {
    /// All of them: the process was killed, and the system goes on.
    case none
    /// When the power fails: none, those before some moment, or a percentage of all sectors.
    case everything, end
    case some(percent: Int)

    fileprivate var kind: SimulatedLoss {
      switch self {
      case .none: SimulatedLossNothing
      case .everything: SimulatedLossEverything
      case .end: SimulatedLossEnd
      case .some: SimulatedLossAnything
      }
    }

    fileprivate var survival: UInt32 {
      if case .some(let percent) = self { UInt32(percent) } else { 0 }
    }
  }
}

private func ask(
  _ context: UnsafeMutableRawPointer?, _ operation: SimulatedOperation,
  _ path: UnsafePointer<CChar>, _ count: Int32, _ isGrowing: Bool
) -> SimulatedVerdict {
  guard let context = unsafe context else { return SimulatedVerdict() }
  let disk = unsafe Unmanaged<Disk>.fromOpaque(context).takeUnretainedValue()
  let access = Disk.Access(
    operation: Disk.Operation(rawValue: operation.rawValue) ?? .open, count: Int(count),
    isGrowing: isGrowing)
  return disk.decide(access) { unsafe String(cString: path) }
}
