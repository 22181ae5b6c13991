import JSONText
import Testing

@testable import menud

/// The version is in `Menud.swift`; other files that need it say the same.
@Suite struct VersionTests {
  @Test func `the changelog begins with the version`() throws {
    let heading = try DocumentationPage("CHANGELOG.md").text.firstMatch(of: /\n## \[(\S+)\]/)
    #expect(heading.map { String($0.output.1) } == Menud.version)
  }

  @Test(
    arguments: [
      ("Sources/CEmbeddedFiles/OpenAPI/document.json", ["info", "version"]),
      ("Sources/CEmbeddedFiles/Client/package.json", ["version"]),
    ])
  func `a file says the version`(path: String, place: [String]) throws {
    let json = try JSON(parsing: DocumentationPage(path).text)
    let version = place.reduce(Optional(json)) { value, name in
      guard case .object(let object)? = value else { return nil }
      return object[name]
    }
    #expect(version == .string(Menud.version))
  }
}
