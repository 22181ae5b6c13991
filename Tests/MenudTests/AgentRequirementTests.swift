import Foundation
import Testing

/// The requirements of the Model Context Protocol that docs/agents.md links to.
@Suite struct AgentRequirementTests {
  private struct Requirement: Decodable {
    let page: String
    let revisions: String
    let level: String
    let requirement: String
    let shownBy: String
  }

  private static func requirements() throws -> [Requirement] {
    let file = Program.root.appending(path: "Tests/Checks/agents/requirements.json")
    return try JSONDecoder().decode([Requirement].self, from: Data(contentsOf: file))
  }

  @Test func `every test that shows a requirement is there`() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Program.path + "/Tests")
    let names = Set(paths.map { URL(filePath: $0).deletingPathExtension().lastPathComponent })
    for requirement in try Self.requirements() {
      for match in requirement.shownBy.matches(of: /\b[A-Z]\w*Tests\b/) {
        #expect(names.contains(String(match.output)), "\(requirement.requirement)")
      }
    }
  }

  /// The names in backticks are test functions of the suite before them.
  @Test func `every test function that shows a requirement is there`() throws {
    let tests = Program.path + "/Tests"
    var files: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: tests)
    where path.hasSuffix("Tests.swift") {
      let name = URL(filePath: path).deletingPathExtension().lastPathComponent
      files[name] = try String(contentsOfFile: tests + "/" + path, encoding: .utf8)
    }
    var count = 0
    for requirement in try Self.requirements() {
      for part in requirement.shownBy.split(separator: ";") {
        let suite = part.firstMatch(of: /\b[A-Z]\w*Tests\b/).flatMap { files[String($0.output)] }
        for match in part.matches(of: /`[^`]+`/) {
          count += 1
          #expect(suite?.contains("func \(match.output)(") == true, "\(match.output)")
        }
      }
    }
    #expect(count >= 40)
  }

  @Test func `every requirement has a level, and says what shows it`() throws {
    let requirements = try Self.requirements()
    #expect(requirements.count >= 150)
    let levels = ["must", "must not", "should", "should not", "should, must", "may"]
    for requirement in requirements {
      #expect(levels.contains(requirement.level), "\(requirement.requirement)")
      #expect(!requirement.shownBy.isEmpty, "\(requirement.page): \(requirement.requirement)")
    }
  }
}
