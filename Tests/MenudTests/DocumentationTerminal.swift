import Foundation

/// Runs the commands of a page as a reader would, in a folder of its own beside a running server.
///
/// A server listens on any free port, and `/etc/menud` is in that folder.
final class DocumentationTerminal {
  private let folder: TemporaryFolder
  /// The server that was started last; nil until a command needs one.
  private var server: RunningProgram?

  /// The status and the lines, standard error included.
  struct Outcome {
    var status: Int32 = 0
    var lines: [String] = []
  }

  /// A terminal beside the server of `make run`.
  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/Config", withDestinationPath: Program.path + "/Config")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/etc/menud", withIntermediateDirectories: true)
  }

  /// Runs a command.
  func run(_ command: String) throws -> Outcome {
    if command.hasPrefix("docker ") { return try check(image: command) }
    let asked = "localhost:8080"
    let named =
      command.contains(asked) ? try command.replacing(asked, with: "localhost:\(port())") : command
    // It asks the server of the variable MENUD_SERVER.
    if command.contains("menud do ") { _ = try port() }
    let here = named.replacing("/etc/menud", with: folder.path + "/etc/menud")
      .replacing(/^curl/, with: "curl --silent --show-error")
    if here.contains("menud serve") { return try serve(here) }
    return try output(of: here)
  }

  /// Starts a server, which takes the place of the one before; it runs beside the commands, with `&` or without.
  private func serve(_ command: String) throws -> Outcome {
    server = try RunningProgram(
      [], environment: ["PATH": Self.path, "MENUD_LOG_FORMAT": "json"], in: folder.url,
      throughScript: command.replacing("menud serve", with: "exec menud serve").replacing(
        #/ &$/#, with: ""),
      isolatingMounts: false)
    _ = try port()
    return Outcome()
  }

  /// The port of the server, which is that of `make run` if none was started.
  private func port() throws -> UInt16 {
    let running = try server ?? RunningProgram.serving()
    server = running
    return try running.port()
  }

  /// Looks for the command in the comments of the files that it uses; .ci/container and deployment.py check these.
  private func check(image command: String) throws -> Outcome {
    let isThere = try ["Dockerfile", "Config/compose.yaml"].contains { path in
      try DocumentationPage(path).text.replacing(/\\\n# +/, with: "")
        .contains("#   \(command)\n")
    }
    return Outcome(status: isThere ? 0 : 1)
  }

  private func output(of command: String) throws -> Outcome {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = folder.url
    var environment = ["PATH": Self.path]
    if let server {
      environment["MENUD_SERVER_PORT"] = "\(try server.port())"
      environment["MENUD_SERVER"] = "http://localhost:\(try server.port())"
    }
    process.environment = Program.sanitizing.merging(environment) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .reversed().drop(while: \.isEmpty).reversed()
    return Outcome(status: process.terminationStatus, lines: Array(lines))
  }

  private static let path =
    "\(Program.file.deletingLastPathComponent().path):/usr/local/bin:/usr/bin:/bin"
}
