package import Foundation

/// A server under measurement, alone on the first core if nothing else is said.
package final class Server {
  /// The command that started it.
  package let command: String
  private let process: Process

  /// Starts the server.
  ///
  /// It ends with this program, however that ends: `setpriv` asks the kernel for the signal.
  package init(_ command: [String], cores: String = "0", output: Pipe? = nil) throws {
    self.command = command.joined(separator: " ")
    process = tool("setpriv", ["--pdeathsig", "TERM", "taskset", "-c", cores] + command)
    process.standardOutput = output ?? FileHandle.nullDevice
    try process.run()
  }

  /// True until it has ended.
  package var isRunning: Bool { process.isRunning }

  /// The processor time that all threads of it and of its children have used, in nanoseconds.
  package func processorTime() throws -> UInt64 {
    try tasks(of: Int(process.processIdentifier)).reduce(0) { sum, task in
      let path = "\(task)/schedstat"
      guard let spent = words(of: path).first.flatMap({ UInt64($0) }) else {
        throw ServerFailure.noStatistics(path)
      }
      return sum + spent
    }
  }

  /// The memory it has in RAM, in bytes, that which it shares with others included.
  package func residentMemory() throws -> Int {
    let path = "/proc/\(process.processIdentifier)/statm"
    guard let pages = words(of: path).dropFirst().first.flatMap({ Int($0) }) else {
      throw ServerFailure.noStatistics(path)
    }
    return pages * Int(getpagesize())
  }

  /// Asks it to end, and waits for that.
  package func stop() throws {
    process.terminate()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ServerFailure.stopped(command: command, status: process.terminationStatus)
    }
  }
}

/// A failure of a server that ends a measurement.
package enum ServerFailure: Error, CustomStringConvertible {
  case notReady(command: String)
  case stopped(command: String, status: Int32)
  case noStatistics(String)

  package var description: String {
    switch self {
    case .notReady(let command): "not ready within a minute: \(command)"
    case .stopped(let command, let status): "exit status \(status) from: \(command)"
    case .noStatistics(let path): "the kernel tells nothing at \(path)"
    }
  }
}

/// The folders of the threads of a process and of its children.
private func tasks(of process: Int) throws -> [String] {
  let threads = "/proc/\(process)/task"
  return try FileManager.default.contentsOfDirectory(atPath: threads).map { "\(threads)/\($0)" }
    + children(of: process).flatMap(tasks)
}

/// Looked for among all processes, since not every kernel lists a process's children.
private func children(of process: Int) throws -> [Int] {
  try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int($0) }.filter {
    // After the program's name, which may hold anything, come the state and the parent.
    let fields = text(of: "/proc/\($0)/stat").split(separator: ")").last?.split(separator: " ")
    return fields?.dropFirst().first == "\(process)"
  }
}

private func words(of path: String) -> [Substring] {
  text(of: path).split(whereSeparator: \.isWhitespace)
}

private func text(of path: String) -> String {
  (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
}
