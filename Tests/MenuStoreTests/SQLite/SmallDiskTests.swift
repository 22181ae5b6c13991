import Foundation
import StoreSupport
import Testing

@testable import MenuStore

/// Journals on disks that are full or cannot be written.
///
/// The disks are made in a mount namespace of their own, in which this program runs again with the
/// suite `OnSmallDisk`. Where that is not permitted these tests are skipped.
@Suite(.enabled(if: SmallDisk.canBeMade, "mounting a file system is not permitted here"))
struct SmallDiskTests {
  @Test(arguments: ["fullDisk", "almostFullDisk", "readOnly", "noRoomAtTheStart"])
  func `what happens on a small disk`(name: String) throws {
    let outcome = try SmallDisk.run(test: name)
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("Test run with 1 test in 1 suite passed"), "\(outcome.output)")
  }
}

/// The steps that are run on a small disk.
@Suite(.enabled(if: SmallDisk.folder != nil, "runs on a small disk only, by SmallDiskTests"))
struct OnSmallDisk {
  private let path: String
  private let ballast: String

  init() throws {
    let folder = try #require(SmallDisk.folder)
    path = folder + "/menud.db"
    ballast = folder + "/ballast"
  }

  @Test func fullDisk() throws {
    let model = try open()
    try model.open("a")
    #expect(try model.change("a", [1]).wait() == .durable)
    let before = model.all
    fill()
    // The log has some room left; then there is none.
    let refused = try fillUp(model)
    #expect(refused == .failed(.noRoom(path: path)))
    #expect(model.fault == .noRoom(path: path))
    #expect(
      JournalFault.noRoom(path: path).description == "\(path): There is no room left on the disk.")
    // What was refused was taken back, and what was acknowledged is there.
    #expect(model["a"]?.starts(with: before.subjects[.session("a")] ?? []) == true)
    let full = model.all
    #expect(try model.change("a", big).wait() == refused)
    #expect(model.all == full)
    try FileManager.default.removeItem(atPath: ballast)
    // Nobody has to do anything: the journal tries by itself every second.
    while model.fault != nil { usleep(20_000) }
    #expect(try model.change("a", big).wait() == .durable)
    model.close()
    #expect(try open().all == model.all)
  }

  @Test func almostFullDisk() throws {
    var model = try open()
    #expect(try model.open(.session("a")).wait() == .durable)
    // Ends somewhere else each time: in the log, while it is written back, or between.
    for room in stride(from: 4096, through: 65_536, by: 4096) {
      fill(leaving: room)
      _ = try fillUp(model)
      let full = model.all
      try FileManager.default.removeItem(atPath: ballast)
      while model.fault != nil { usleep(20_000) }
      #expect(model.all == full)
      #expect(try model.change("a", [1]).wait() == .durable)
      let after = model.all
      model.close()
      model = try open()
      #expect(model.all == after)
      #expect(model.recovery.notices.isEmpty)
      // Small again, so that the disk is large enough for the next one.
      try model.close("a")
      #expect(try model.open(.session("a")).wait() == .durable)
    }
  }

  @Test func noRoomAtTheStart() throws {
    let model = try open()
    try model.open("a")
    model.close()
    fill()
    let recovered = try open()
    #expect(recovered.all == model.all)
    _ = try fillUp(recovered)
    #expect(recovered.fault == .noRoom(path: path))
    try FileManager.default.removeItem(atPath: ballast)
    while recovered.fault != nil { usleep(20_000) }
    #expect(try recovered.change("a", [1]).wait() == .durable)
  }

  @Test func readOnly() throws {
    let model = try open()
    try model.open("a")
    model.close()
    try SmallDisk.call("mount -o remount,ro \(SmallDisk.folder ?? "")")
    #expect(throws: JournalFault.system(path: path + ".lock", code: EROFS)) { try open() }
    try SmallDisk.call("mount -o remount,rw \(SmallDisk.folder ?? "")")
    #expect(try open().all == model.all)
  }

  private var big: [UInt8] { [UInt8](repeating: 7, count: 20_000) }

  private func open() throws(JournalFault) -> Model {
    try Model(
      recovering: SQLiteJournal(
        JournalConfiguration(path: path), clock: RetentionClock { 0 }))
  }

  /// Leaves no more room than that for anybody else.
  private func fill(leaving room: Int = 0) {
    _ = FileManager.default.createFile(atPath: ballast, contents: nil)
    guard let file = FileHandle(forWritingAtPath: ballast) else { return }
    while (try? file.write(contentsOf: Data(count: 4096))) != nil {}
    let size = (try? file.offset()) ?? 0
    try? file.truncate(atOffset: size - min(size, UInt64(room)))
    try? file.close()
  }

  /// Adds until something is refused, and answers how.
  private func fillUp(_ model: Model) throws -> Ticket.Outcome {
    while true {
      let outcome = try model.change("a", big).wait()
      if outcome != .durable { return outcome }
    }
  }
}

/// A file system in memory with little room, that only one process and its children see.
enum SmallDisk {
  /// The folder, in a process that was started by `run`.
  static let folder = ProcessInfo.processInfo.environment["MENUD_SMALL_DISK"]

  /// The trait that skips a test where no small disk can be made.
  static let canBeMade: Bool = (try? call("unshare -m mount -t tmpfs tmpfs /mnt")) != nil

  /// Runs a test of `OnSmallDisk` in a process that has one.
  static func run(test: String) throws -> (status: Int32, output: String) {
    let place = try Place()
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "unshare", "-m", "sh", "-c",
      "mount -t tmpfs -o size=1m tmpfs \"$MENUD_SMALL_DISK\" && exec \"$0\" \"$@\"",
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
      "--testing-library", "swift-testing", "--filter", "OnSmallDisk/\(test)",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["MENUD_SMALL_DISK": place.folder.path]) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  static func call(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure() }
  }

  struct Failure: Error {}
}
