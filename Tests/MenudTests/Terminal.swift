import Foundation
import Glibc

/// A terminal of the system's, on which a program writes what a person would see.
final class Terminal {
  private let master: Int32
  private let path: String

  struct Failure: Error {}

  init() throws {
    master = posix_openpt(O_RDWR | O_NOCTTY)
    var name = [CChar](repeating: 0, count: 128)
    // The name is written into the array, which has room for as many bytes as said.
    guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0,
      unsafe ptsname_r(master, &name, name.count) == 0
    else { throw Failure() }
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { close(master) }

  /// Runs the program to its end, and answers what it wrote.
  func run(
    _ arguments: [String], environment: [String: String], in folder: URL
  ) throws -> String {
    guard let output = FileHandle(forUpdatingAtPath: path) else { throw Failure() }
    let process = Process()
    process.executableURL = Program.file
    process.arguments = arguments
    process.environment = environment
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    guard eventually({ !process.isRunning }) else {
      process.terminate()
      throw Failure()
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    // At most as many bytes as the array has room for; the program has ended, so all are there.
    let count = unsafe read(master, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
