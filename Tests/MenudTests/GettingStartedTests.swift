import Testing

/// The application that docs/getting-started.md makes, and the sample in `Config/text-editor`, are the same.
@Suite struct GettingStartedTests {
  @Test(arguments: ["commands", "menus", "session", "classes"])
  func `the page shows every file of the sample`(name: String) throws {
    let page = try DocumentationPage("docs/getting-started.md").text
    let file = try DocumentationPage("Config/text-editor/\(name).json").text
    var shown = ""
    var isInside = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```json \(name).json"
      } else if isInside {
        shown += line + "\n"
      }
    }
    // The page leaves out what is for editors alone.
    let schema = "  \"$schema\": \"../schemas/\(name).json\",\n"
    #expect(shown == file.replacing(schema, with: ""))
  }
}
