package import Foundation

/// A program of the path, not yet started.
package func tool(_ name: String, _ arguments: [String]) -> Process {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [name] + arguments
  return process
}

/// Runs a program of the path to its end and gives what it printed.
package func run(_ name: String, _ arguments: [String]) throws -> String {
  let process = tool(name, arguments)
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  let printed = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw ToolFailure(name: name, status: process.terminationStatus)
  }
  return String(decoding: printed, as: UTF8.self)
}

/// A program that did not end as it should.
package struct ToolFailure: Error, CustomStringConvertible {
  let name: String
  let status: Int32

  package var description: String { "exit status \(status) from: \(name)" }
}

/// A program that was built beside this one.
package func sibling(_ name: String) -> String {
  Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(name).path ?? name
}

/// Says how far the measurement is, without mixing it into the report.
package func note(_ text: String) {
  FileHandle.standardError.write(Data("\(ProcessInfo.processInfo.processName): \(text)\n".utf8))
}
