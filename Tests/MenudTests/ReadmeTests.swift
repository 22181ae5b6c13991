import Foundation
import Testing

/// Runs the commands of README.md that begin with `$ curl` or `$ menud`, in their order against one
/// server, and compares what they print with what is shown below them; `…` stands for anything.
@Suite(Program.isBuilt) struct ReadmeTests {
  @Test func `every command prints what is shown`() throws {
    let server = try RunningProgram.serving()
    let address = try "localhost:\(server.port())"
    let examples = try Self.examples()
    #expect(examples.count >= 6)
    for example in examples {
      let command = example.command.replacing("localhost:8080", with: address)
      let output = try Self.run(command)
      #expect(Self.matches(output, example.output), "\(command)\n\(output)")
    }
  }

  @Test func `every setting is in the table with its variable and its default`() throws {
    let text = try Self.text()
    let file = try Self.text(of: "Config/menud.json")
    for line in file.split(separator: "\n") where line.contains("\": ") && !line.hasSuffix("{") {
      let name = line.split(separator: "\"")[1]
      #expect(text.contains(".\(name)`") || text.contains("| `\(name)`"), "\(name)")
    }
  }

  @Test func `every target of make that is named is there`() throws {
    let makefile = try Self.text(of: "Makefile")
    let names = try Self.text().matches(of: /(?:`|\n    )make ([a-z-]+)/).map {
      String($0.output.1)
    }
    #expect(names.contains("run") && names.contains("test"))
    for name in names { #expect(makefile.contains("\n\(name):"), "\(name)") }
  }

  private struct Example {
    let command: String
    var output: [String] = []
  }

  private static func text(of file: String = "README.md") throws -> String {
    try String(contentsOf: Program.root.appending(path: file), encoding: .utf8)
  }

  private static func examples() throws -> [Example] {
    var examples: [Example] = []
    var isInside = false
    for line in try text().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        examples.append(Example(command: String(line.dropFirst(2))))
      } else if isInside {
        examples[examples.count - 1].output.append(String(line))
      }
    }
    return examples.filter { $0.command.hasPrefix("curl") || $0.command.hasPrefix("menud") }
  }

  private static func run(_ command: String) throws -> [String] {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", command.replacing(/^curl/, with: "curl --silent --show-error")]
    process.currentDirectoryURL = Program.root
    let folder = Program.file.deletingLastPathComponent().path
    process.environment = Program.sanitizing.merging([
      "PATH": "\(folder):/usr/local/bin:/usr/bin:/bin"
    ]) { $1 }
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    let text = String(decoding: data, as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .reversed().drop(while: \.isEmpty).reversed()
  }

  /// Whether the lines are those shown, where `…` stands for any text in a line.
  private static func matches(_ output: [String], _ shown: [String]) -> Bool {
    output.count == shown.count && zip(output, shown).allSatisfy { matches($0, $1) }
  }

  private static func matches(_ line: String, _ shown: String) -> Bool {
    let pieces = shown.split(separator: "…", omittingEmptySubsequences: false)
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last else {
      return line == shown
    }
    guard line.hasPrefix(first) else { return false }
    var rest = line.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let found = rest.firstRange(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
