import Testing

/// The application that docs/getting-started.md makes, and the sample in `Config/text-editor`, are the same.
@Suite struct GettingStartedTests {
  @Test(arguments: ["commands.json", "menus.json", "session.json", "classes.json", "index.html"])
  func `the page shows every file of the sample`(name: String) throws {
    let page = try DocumentationPage("docs/getting-started.md").text
    let file = try DocumentationPage("Config/text-editor/\(name)").text
    let kind = name.hasSuffix(".json") ? "json" : "html"
    var shown = ""
    var isInside = false
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line == "```\(kind) \(name)"
      } else if isInside {
        shown += line + "\n"
      }
    }
    // The page leaves out what is for editors alone.
    let schema = "  \"$schema\": \"../schemas/\(name)\",\n"
    #expect(shown == file.replacing(schema, with: ""))
  }
}
