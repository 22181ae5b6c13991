import Foundation
import Measuring

/// A server under measurement, alone on the first core.
final class ServerProcess {
  let origin: String
  private let command: String
  private let process: Process

  /// Starts the server and waits until it answers `readiness` with 200.
  ///
  /// It ends with this program, however that ends: `setpriv` asks the kernel for the signal.
  init(_ path: String, _ arguments: [String], port: Int, readiness: String) throws {
    origin = "http://127.0.0.1:\(port)"
    command = ([path] + arguments).joined(separator: " ")
    process = tool("setpriv", ["--pdeathsig", "TERM", "taskset", "-c", "0", path] + arguments)
    process.standardOutput = FileHandle.nullDevice
    try process.run()

    for _ in 0..<100 where process.isRunning {
      if (try? expect(200, for: .get(readiness))) != nil { return }
      Thread.sleep(forTimeInterval: 0.1)
    }
    throw Failure.notReady(command: command)
  }

  /// The processor time that all its threads have used, in nanoseconds.
  func processorTime() throws -> UInt64 {
    let tasks = "/proc/\(process.processIdentifier)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
      let path = "\(tasks)/\(task)/schedstat"
      let first = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ").first
      guard let spent = first.flatMap({ UInt64($0) }) else {
        throw Failure.noSchedulerStatistics(path)
      }
      return sum + spent
    }
  }

  func stop() throws {
    process.terminate()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure.stopped(command: command, status: process.terminationStatus)
    }
  }
}
