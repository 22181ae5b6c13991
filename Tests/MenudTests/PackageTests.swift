import Foundation
import Testing

@testable import menud

/// The packages that `.ci/package` makes; `.ci/try-packages` uses them.
@Suite struct PackageTests {
  @Test func `the unit of systemd is valid, and lets the service do little`() throws {
    guard let analyze = Tool("systemd-analyze") else { return }
    let folder = try TemporaryFolder()
    let unit = try DocumentationPage("Config/systemd/menud.service").text
    try folder.write(
      unit.replacing("/usr/bin/menud", with: Program.file.path)
        .replacing(/Documentation=.*/, with: ""), to: "menud.service")
    let verified = try analyze.run("verify", "\(folder.path)/menud.service")
    #expect(verified.status == 0)
    #expect(verified.text == "")
    // Of ten; 1.4 when this was written.
    let judged = try analyze.run(
      "security", "--offline=true", "--threshold=15", "\(folder.path)/menud.service")
    #expect(judged.status == 0, "\(judged.text.suffix(200))")
  }

  @Test(Program.isBuilt)
  func `the first configuration of the service is without mistakes`() throws {
    let outcome = try Program.run("check", Program.path + "/Config/systemd/menud.json")
    #expect(outcome.status == 0, "\(outcome)")
    let variables = try DocumentationPage("Config/systemd/default").text.matches(
      of: /(?m)^#(MENUD_\w+)=/)
    #expect(variables.count == 2)
    for variable in variables {
      #expect(Setting.all.contains { $0.variable == variable.output.1 }, "\(variable.output.1)")
    }
  }

  @Test func `what the package says of its files of configuration is so`() throws {
    let folder = Program.root.appending(path: "Config/systemd/application")
    let application = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let listed = try DocumentationPage(".ci/debian/conffiles").text.split(separator: "\n")
    #expect(
      Set(listed.map(String.init))
        == Set(
          ["/etc/default/menud", "/etc/menud/menud.json"]
            + application.map { "/etc/menud/application/\($0)" }))
  }

  @Test(arguments: ["LICENSE", "NOTICE", "CHANGELOG.md"])
  func `the licence and what belongs to it is there`(path: String) throws {
    #expect(try !DocumentationPage(path).text.isEmpty)
  }
}

/// A program of the system.
private struct Tool {
  private let path: String

  /// Finds it; nil if it is not installed.
  init?(_ name: String) {
    let path = "/usr/bin/" + name
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
    self.path = path
  }

  func run(_ arguments: String...) throws -> (status: Int32, text: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
