import Foundation
import Glibc
import JSONText
import StoreSupport

/// A process of the program, killed when this is gone.
final class RunningProgram {
  private let process = Process()
  private let folder: TemporaryFolder

  /// Starts the program with none of the tests' own `MENUD_` variables, a journal of its own, and any
  /// free port instead of the default one.
  ///
  /// With a script, that runs first, the program as its `$@`; as root of a mount namespace of its own
  /// unless told otherwise.
  init(
    _ arguments: [String], environment: [String: String] = [:], in directory: URL = Program.root,
    throughScript script: String? = nil, isolatingMounts: Bool = true
  ) throws {
    folder = try TemporaryFolder()
    let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MENUD_") }
    process.executableURL = script == nil ? Program.file : URL(filePath: "/usr/bin/env")
    let prefix =
      script.map {
        (isolatingMounts ? ["unshare", "-m"] : []) + ["sh", "-c", $0, "sh", Program.file.path]
      } ?? []
    process.arguments = prefix + arguments
    // A debug build takes long for what is short in a release.
    let ours = [
      "MENUD_JOURNAL_PATH": folder.url.appending(path: "menud.db").path, "MENUD_SERVER_PORT": "0",
      "MENUD_LIMITS_PROCESSOR_TIME": "0", "MENUD_LIMITS_OPENING_TIME": "0",
    ]
    process.environment = inherited.merging(ours) { $1 }.merging(environment) { $1 }
    process.currentDirectoryURL = directory
    process.standardInput = FileHandle.nullDevice
    let (output, errors) = (try stream("output"), try stream("errors"))
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    // Foundation keeps them, and crashes where a process is started while more than some 1,350 files are open.
    try output.close()
    try errors.close()
  }

  /// Serves the sample on a free port, with events as JSON.
  static func serving(_ arguments: String...) throws -> RunningProgram {
    try RunningProgram(["serve", "--port", "0", "--log-format", "json"] + arguments)
  }

  deinit { if process.isRunning { signal(SIGKILL) } }

  var id: Int32 { process.processIdentifier }

  /// True until it has ended.
  var isRunning: Bool { process.isRunning }

  /// The standard output so far.
  var output: String { text("output") }

  /// The standard error so far.
  var errors: String { text("errors") }

  /// Its events so far.
  var events: [JSONObject] {
    errors.split(separator: "\n").compactMap { line in
      guard case .object(let object)? = try? JSON(parsing: String(line)) else { return nil }
      return object
    }
  }

  /// Those of requests.
  var requests: [JSONObject] { events.filter { $0.isNamed("request") } }

  /// The port it listens on, once it does.
  func port() throws -> UInt16 {
    var port: UInt16?
    _ = eventually {
      port = events.first { $0.isNamed("listening") }?.port
      return port != nil || !process.isRunning
    }
    guard let port else { throw Failure.notListening(errors) }
    return port
  }

  /// Sends a signal.
  func signal(_ number: Int32) { kill(id, number) }

  /// Waits for its end, some times as long as for other things, and answers everything about it.
  func outcome(patience: Int = 1) throws -> Program.Outcome {
    guard (0..<patience).contains(where: { _ in eventually { !process.isRunning } }) else {
      throw Failure.stillRunning
    }
    return Program.Outcome(status: process.terminationStatus, output: output, errors: errors)
  }

  /// Its resident memory, in KiB.
  var residentMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
  }

  enum Failure: Error {
    case notListening(String)
    case stillRunning
  }

  private func text(_ name: String) -> String {
    (try? String(contentsOf: folder.url.appending(path: name), encoding: .utf8)) ?? ""
  }

  private func stream(_ name: String) throws -> FileHandle {
    try folder.write("", to: name)
    return try FileHandle(forWritingTo: folder.url.appending(path: name))
  }
}

extension JSONObject {
  /// Returns true if it is the event of that name.
  func isNamed(_ name: String) -> Bool { self["event"] == .string(name) }

  /// The number of the event's port.
  var port: UInt16? {
    guard case .int(let port)? = self["port"] else { return nil }
    return UInt16(exactly: port)
  }
}
